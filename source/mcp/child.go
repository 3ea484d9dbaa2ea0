package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"
)

// command says what to run.
type command struct {
	argv []string
	dir  string
	env  map[string]string
}

// child is a running command with its three pipes. It is reaped by a goroutine
// of its own, however it ends.
type child struct {
	stdin  *os.File // written by the link
	stdout *os.File // read by the link
	errs   *os.File // read by drain
	log    *slog.Logger

	cmd    *exec.Cmd
	exited chan struct{} // closed when it is reaped and its group is gone
	state  error         // how it ended; set before exited is closed
	words  lastWords
	stderr sync.WaitGroup
}

// start runs the command in a process group of its own.
func (c command) start(log *slog.Logger) (*child, error) {
	path, err := lookPath(c.argv[0], c.env["PATH"])
	if err != nil {
		return nil, faultf(faultUnreachable, false, "start %q: %w", c.argv[0], err)
	}
	ch := &child{log: log, exited: make(chan struct{})}
	ch.cmd = &exec.Cmd{Path: path, Args: c.argv, Dir: c.dir, Env: []string{}, SysProcAttr: processGroup()}
	for name, value := range c.env {
		ch.cmd.Env = append(ch.cmd.Env, name+"="+value)
	}
	theirs, err := ch.pipes()
	if err == nil {
		err = ch.run()
		closeAll(theirs)
	}
	if err != nil {
		closeAll([]*os.File{ch.stdin, ch.stdout, ch.errs})
		return nil, faultf(faultUnreachable, false, "start %q: %w", c.argv[0], err)
	}
	ch.stderr.Go(ch.drain)
	return ch, nil
}

// pipes connects the three streams, and gives the child's ends.
func (c *child) pipes() (theirs []*os.File, err error) {
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		closeAll([]*os.File{stdin, in})
		return nil, err
	}
	errs, stderrEnd, err := os.Pipe()
	if err != nil {
		closeAll([]*os.File{stdin, in, out, stdout})
		return nil, err
	}
	c.stdin, c.stdout, c.errs = in, out, errs
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = stdin, stdout, stderrEnd
	return []*os.File{stdin, stdout, stderrEnd}, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// run starts the process and the goroutine that reaps it. That goroutine keeps
// its thread: a child that is told to die with its parent dies with the thread
// that started it.
func (c *child) run() error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		c.state = c.cmd.Wait()
		killGroup(c.cmd.Process.Pid) // what it started and left behind
		cutOff(c.stdout, time.Second)
		cutOff(c.errs, 100*time.Millisecond)
		close(c.exited)
	}()
	return <-started
}

// cutOff ends the reading of a pipe whose other end may have got into a process
// that left the group.
func cutOff(f *os.File, after time.Duration) {
	if err := f.SetReadDeadline(time.Now().Add(after)); err != nil {
		_ = f.Close()
	}
}

// stop ends the child: its input closed, then the order to end, then the kill.
// It returns when the child is reaped.
func (c *child) stop(grace time.Duration) {
	_ = c.stdin.Close()
	if !c.wait(grace) {
		terminateGroup(c.cmd.Process)
		if !c.wait(grace) {
			killGroup(c.cmd.Process.Pid)
			_ = c.cmd.Process.Kill()
		}
	}
	<-c.exited
	c.stderr.Wait()
}

func (c *child) wait(grace time.Duration) bool {
	select {
	case <-c.exited:
		return true
	case <-time.After(grace):
		return false
	}
}

// epitaph says how the child ended, with the last of what it wrote.
func (c *child) epitaph() error {
	c.wait(100 * time.Millisecond) // its output ends a moment before itself
	select {
	case <-c.exited:
		c.stderr.Wait()
	default:
		return errors.New("the server closed its output")
	}
	how := "exit status 0"
	if c.state != nil {
		how = c.state.Error()
	}
	if words := c.words.String(); words != "" {
		return fmt.Errorf("the server ended (%s); it wrote: %s", how, words)
	}
	return fmt.Errorf("the server ended (%s)", how)
}

// drain passes the child's standard error to the log, line by line, until it
// ends with the group.
func (c *child) drain() {
	defer c.errs.Close()
	r := bufio.NewReaderSize(c.errs, 4096)
	for {
		line, tooLong, err := r.ReadLine()
		if len(line) > 0 {
			text := strings.ToValidUTF8(string(line), "\uFFFD")
			c.words.add(text)
			c.log.LogAttrs(context.Background(), slog.LevelDebug, "stderr", slog.String("line", text))
		}
		for tooLong && err == nil {
			_, tooLong, err = r.ReadLine()
		}
		if err != nil {
			return
		}
	}
}

// lastWords keeps the end of what a child wrote.
type lastWords struct {
	mu   sync.Mutex // guards text
	text string
}

func (w *lastWords) add(line string) {
	const kept = 600
	line = strings.Map(func(r rune) rune { // they may end up on a terminal
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, line)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text += line + "\n"
	if over := len(w.text) - kept; over > 0 {
		w.text = strings.ToValidUTF8(w.text[over:], "")
	}
}

func (w *lastWords) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.TrimSpace(w.text)
}

// lookPath finds a command in the path that the child is given.
func lookPath(name, path string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) || strings.Contains(name, "/") {
		return name, nil
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // a relative entry would run what lies where we happen to be
		}
		for _, suffix := range executableSuffixes {
			full := filepath.Join(dir, name+suffix)
			if info, err := os.Stat(full); err == nil && isExecutable(info) {
				return full, nil
			}
		}
	}
	return "", fmt.Errorf("%w in PATH; install it or give the absolute path", fs.ErrNotExist)
}

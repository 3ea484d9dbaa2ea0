package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a program that was started here and is ended here.
type process struct {
	cmd     *exec.Cmd
	started time.Time
	errs    *bytes.Buffer
	ended   chan struct{}
}

// launch starts a program with an environment of its own, so that nothing of
// the caller's configuration gets into the figures.
func (b *bench) launch(out io.Writer, name string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(name, args...), errs: &bytes.Buffer{}, ended: make(chan struct{})}
	p.cmd.Env = b.environ()
	p.cmd.Stdout, p.cmd.Stderr = out, p.errs
	p.started = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Base(name), err)
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is told by what it did not answer
		close(p.ended)
	}()
	return p, nil
}

func (b *bench) environ() []string {
	return []string{"PATH=/usr/bin:/bin", "HOME=" + b.dir, "TMPDIR=" + b.dir}
}

// stop ends the process, gently first.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(5 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// gone tells why the process is no longer there; nil while it runs.
func (p *process) gone() error {
	select {
	case <-p.ended:
		return fmt.Errorf("the process ended: %s", bytes.TrimSpace(p.errs.Bytes()))
	default:
		return nil
	}
}

// resident gives the memory that the process holds, in MB of 2^20 bytes.
func (p *process) resident() (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("resident memory: %w", err)
	}
	return parseResident(text)
}

// parseResident reads the line VmRSS of /proc/PID/status.
func parseResident(text []byte) (float64, error) {
	for line := range strings.Lines(string(text)) {
		value, ok := strings.CutPrefix(line, "VmRSS:")
		if !ok {
			continue
		}
		kilobytes, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 64)
		return kilobytes / 1024, err
	}
	return 0, errors.New("no line VmRSS")
}

// freeAddress gives a loopback address that nobody listens on now.
func freeAddress() (string, error) {
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return lis.Addr().String(), lis.Close()
}

// up is a running server of the measured program.
type up struct {
	*process
	url string
}

// up starts the server on a store; it is not waited for.
func (b *bench) up(store string, args ...string) (*up, error) {
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	p, err := b.launch(io.Discard, b.bin, append([]string{"up", "--store", store, "--listen", addr, "--poll", "0s"}, args...)...)
	if err != nil {
		return nil, err
	}
	return &up{p, "http://" + addr}, nil
}

// add registers a source through the command line and gives the time it took.
func (b *bench) add(ctx context.Context, store string, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, b.bin, append([]string{"add", "--json", "--store", store}, args...)...)
	cmd.Env = b.environ()
	start := time.Now()
	out, err := cmd.Output()
	took := time.Since(start)
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			out = append(out, exit.Stderr...)
		}
		return 0, fmt.Errorf("interlock add %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	var added struct{ Tools int }
	if err := json.Unmarshal(out, &added); err != nil || added.Tools == 0 {
		return 0, fmt.Errorf("interlock add %s: no tools came of it: %s", strings.Join(args, " "), out)
	}
	return took, nil
}

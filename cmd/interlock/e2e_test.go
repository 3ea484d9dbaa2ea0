package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The end-to-end tests run the built program as processes of its own, against
// real MCP servers and clients.

// build builds the program once, where TestMain said.
var build = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(os.Getenv(buildVar), "interlock")
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
})

const buildVar = "INTERLOCK_TEST_BUILD"

// testenv is where the real counterparts are installed.
func testenv(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("INTERLOCK_TESTENV")
	if dir != "" {
		return dir
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("INTERLOCK_TESTENV is not set, and this is CI")
	}
	t.Skip("SKIPPED: INTERLOCK_TESTENV is not set; `make test` installs the real MCP servers and clients and sets it")
	return ""
}

// counterpart is a program of the test environment.
func counterpart(t *testing.T, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{testenv(t)}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not installed, and this is CI", path)
		}
		t.Skipf("SKIPPED: %s is not installed; run `make testenv`", path)
	}
	return path
}

// box is one store with its configuration, and the program to use it by.
type box struct {
	t     *testing.T
	bin   string
	dir   string
	store string
	env   []string
}

func newBox(t *testing.T) *box {
	t.Helper()
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	b := &box{t: t, bin: bin, dir: dir, store: filepath.Join(dir, "store.db")}
	b.env = []string{"INTERLOCK_STORE=" + b.store, "INTERLOCK_EMBEDDER=none", "HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir()}
	return b
}

// file writes a file of the box.
func (b *box) file(name, text string) string {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return path
}

func (b *box) command(args ...string) *exec.Cmd {
	cmd := exec.Command(b.bin, args...)
	cmd.Env, cmd.Dir = b.env, b.dir
	return cmd
}

// run carries out one command and gives its output and exit code.
func (b *box) run(args ...string) (stdout string, code int) {
	b.t.Helper()
	cmd := b.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.t.Fatalf("interlock %q: %v", args, err)
	}
	if errs.Len() > 0 {
		b.t.Logf("interlock %s: %s", args[0], errs.String())
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// must carries out a command that has to succeed, and reads its JSON.
func (b *box) must(into any, args ...string) {
	b.t.Helper()
	out, code := b.run(append(args[:1:1], append([]string{"--json"}, args[1:]...)...)...)
	if code != 0 {
		b.t.Fatalf("interlock %q: exit code %d: %s", args, code, out)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal([]byte(out), into); err != nil {
		b.t.Fatalf("interlock %q: %v: %s", args, err, out)
	}
}

// logged gives the text of the whole log.
func (b *box) logged() string {
	b.t.Helper()
	out, code := b.run("log", "list", "--json")
	if code != 0 {
		b.t.Fatalf("log list: exit code %d", code)
	}
	return out
}

// serving is a running `up`.
type serving struct {
	child
	url string
	log string // path of its output
}

// up starts a server and waits until it is ready.
func (b *box) up(args ...string) *serving {
	b.t.Helper()
	path := filepath.Join(b.dir, fmt.Sprintf("up-%d.log", time.Now().UnixNano()))
	out, err := os.Create(path)
	if err != nil {
		b.t.Fatal(err)
	}
	defer out.Close() //nolint:errcheck // the child has its own
	s := &serving{log: path}
	s.cmd = b.command(append([]string{"up", "--listen", "127.0.0.1:0"}, args...)...)
	s.cmd.Stdout, s.cmd.Stderr = out, out
	s.start(b.t)
	s.wait(b.t, func() bool {
		text := readAll(b.t, path)
		_, rest, ok := strings.Cut(text, "HTTP   ")
		s.url, _, _ = strings.Cut(rest, "/v1")
		return ok && strings.Contains(rest, "store  ")
	}, func() string { return readAll(b.t, path) })
	return s
}

func readAll(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// start starts a child that ends with the test.
func (c *child) start(t *testing.T) {
	t.Helper()
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.done = make(chan error, 1)
	go func() { c.done <- c.cmd.Wait() }()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill() // it may have ended
	})
}

// wait waits until the child is as it should be.
func (c *child) wait(t *testing.T, ready func() bool, output func() string) {
	t.Helper()
	for until := time.Now().Add(readyTime); !ready(); time.Sleep(5 * time.Millisecond) {
		select {
		case err := <-c.done:
			t.Fatalf("%s ended (%v) before it was ready:\n%s", c.cmd.Path, err, output())
		default:
		}
		if time.Now().After(until) {
			t.Fatalf("%s is not ready after %v:\n%s", c.cmd.Path, readyTime, output())
		}
	}
}

// end sends a signal and waits for the end.
func (c *child) end(t *testing.T, sig syscall.Signal) error {
	t.Helper()
	if err := c.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-c.done:
		c.done <- err
		return err
	case <-time.After(20 * time.Second):
		t.Fatalf("%s did not end within 20 s of %v", c.cmd.Path, sig)
	}
	return nil
}

// eventually waits for something to become true.
func eventually(t *testing.T, what string, within time.Duration, ok func() bool) {
	t.Helper()
	for until := time.Now().Add(within); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%s: not within %v", what, within)
		}
	}
}

// post sends JSON and gives status and body.
func post(url, token, body string) (int, string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close() //nolint:errcheck // read only
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

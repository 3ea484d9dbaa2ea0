package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// childVar tells this test program to be a process that holds a store.
const childVar = "INTERLOCK_TEST_STORE"

// TestChild is not a test of its own: it is the other process of the tests
// below. It opens the store, then appends entries and says each one that was
// acknowledged, until it is killed.
func TestChild(t *testing.T) {
	path := os.Getenv(childVar)
	if path == "" {
		t.Skip("runs as a child of other tests")
	}
	store, err := sqlite.Open(context.Background(), path, sqlite.Options{LockWait: 5 * time.Second})
	if err != nil {
		fmt.Println("failed", err)
		os.Exit(3)
	}
	_, next, err := store.LogCheckpoint(context.Background())
	must(t, err)
	fmt.Println("open")
	for n := int64(1); ; n = n%5 + 1 {
		must(t, store.AppendLog(context.Background(), logBatch(next, int(n)), false))
		next += n
		fmt.Println("acknowledged", next)
	}
}

// child is the other process.
type child struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

func startChild(t *testing.T, path string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.v")
	cmd.Env = append(os.Environ(), childVar+"="+path)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	c := &child{cmd: cmd, lines: bufio.NewScanner(out)}
	t.Cleanup(c.kill)
	return c
}

// await reads what the child says up to a line that begins so.
func (c *child) await(t *testing.T, begin string) string {
	t.Helper()
	for c.lines.Scan() {
		if rest, found := strings.CutPrefix(c.lines.Text(), begin); found {
			return strings.TrimSpace(rest)
		}
	}
	t.Fatalf("the child ended before it said %q", begin)
	return ""
}

// kill ends the child as no program can prevent.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

// What was acknowledged is there after the process was killed, several times
// over, at whatever moment it was.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	for round := range 4 {
		c := startChild(t, path)
		c.await(t, "open")
		for range 50 + 37*round {
			c.await(t, "acknowledged")
		}
		must(t, c.cmd.Process.Kill())
		last := int64(0)
		for c.lines.Scan() {
			if text, found := strings.CutPrefix(c.lines.Text(), "acknowledged "); found {
				last, _ = strconv.ParseInt(text, 10, 64)
			}
		}
		_ = c.cmd.Wait()
		store := open(t, path, sqlite.Options{})
		text, size, err := store.LogCheckpoint(t.Context())
		if err != nil || size < last || text == "" {
			t.Fatalf("round %d: %d entries, %d were acknowledged, %v", round, size, last, err)
		}
		entries, err := store.LogEntries(t.Context(), 0, int(size)+1)
		if err != nil || int64(len(entries)) != size {
			t.Fatalf("round %d: %d entries under a checkpoint over %d, %v", round, len(entries), size, err)
		}
		must(t, store.Close())
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	c := startChild(t, path)
	c.await(t, "open")

	begun := time.Now()
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	wantReason(t, err, interlock.ReasonStoreLocked, path, strconv.Itoa(c.cmd.Process.Pid))
	if took := time.Since(begun); took > time.Second {
		t.Errorf("a refusal without waiting took %v", took)
	}

	begun = time.Now()
	_, err = sqlite.Open(t.Context(), path, sqlite.Options{LockWait: 150 * time.Millisecond})
	wantReason(t, err, interlock.ReasonStoreLocked)
	if took := time.Since(begun); took < 150*time.Millisecond {
		t.Errorf("waited only %v", took)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = sqlite.Open(ctx, path, sqlite.Options{LockWait: time.Minute})
	wantReason(t, err, interlock.ReasonTimeout)

	opened := make(chan error, 1)
	go func() {
		store, err := sqlite.Open(context.Background(), path, sqlite.Options{LockWait: 10 * time.Second})
		if err == nil {
			err = store.Close()
		}
		opened <- err
	}()
	time.Sleep(50 * time.Millisecond)
	c.kill()
	must(t, <-opened)
	must(t, open(t, path, sqlite.Options{}).Close())
}

// Within one process the lock holds as well, and by whatever name.
func TestLockOfOneself(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store.db")
	first := open(t, path, sqlite.Options{})
	names := []string{path}
	if link := filepath.Join(dir, "link.db"); os.Symlink(path, link) == nil {
		names = append(names, link)
	}
	for _, name := range names {
		_, err := sqlite.Open(t.Context(), name, sqlite.Options{})
		wantReason(t, err, interlock.ReasonStoreLocked, strconv.Itoa(os.Getpid()))
	}
	must(t, first.Close())
	must(t, open(t, path, sqlite.Options{}).Close())
}

//go:build unix

package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

// pids are the children that left a trace in dir.
func pids(t *testing.T, dir string) []int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "pid-*"))
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for _, name := range names {
		pid, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(name), "pid-"))
		all = append(all, pid)
	}
	return all
}

// gone fails where one of the children is there still, as a zombie too.
func gone(t *testing.T, dir string, started int) {
	t.Helper()
	all := pids(t, dir)
	if len(all) != started {
		t.Errorf("%d children were started, want %d", len(all), started)
	}
	for _, pid := range all {
		if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
			t.Errorf("child %d: %v, want it reaped", pid, err)
		}
	}
}

func TestOpeningStartsNothing(t *testing.T) {
	s, dir := openChild(t, Options{}, "legacy")
	if n := len(pids(t, dir)); n != 0 {
		t.Errorf("%d children before the first use", n)
	}
	if _, err := s.Catalogue(context.Background()); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	gone(t, dir, 1)
	if _, err := s.Catalogue(context.Background()); interlock.ReasonOf(err) != interlock.ReasonSourceUnreachable {
		t.Errorf("a closed source: %v", err)
	}
}

// TestConcurrentCallsShareOneChild runs slow calls side by side.
func TestConcurrentCallsShareOneChild(t *testing.T) {
	t.Parallel()
	s, dir := openChild(t, Options{}, "legacy")
	begun := time.Now()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			args := fmt.Sprintf(`{"n":%d}`, i)
			if reply, err := s.Call(context.Background(), outbound(s, "echo", args, interlock.EffectRead)); err != nil || string(reply.Result) != args {
				t.Errorf("call %d: %s, %v", i, reply.Result, err)
			}
			if _, err := s.Call(context.Background(), outbound(s, "slow", `{}`, interlock.EffectRead)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if took := time.Since(begun); took > 6*time.Second {
		t.Errorf("16 calls of 2 s each took %v", took)
	}
	_ = s.Close()
	gone(t, dir, 1)
}

func TestCrashMidCall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tool    string
		effect  interlock.Effect
		want    interlock.Reason
		outcome interlock.Outcome
		started int
	}{
		{"crashonce", interlock.EffectRead, "", "", 2},
		{"crashonce", interlock.EffectWrite, interlock.ReasonIndeterminate, interlock.OutcomeUnknown, 1},
		{"crashonce", interlock.EffectUnknown, interlock.ReasonIndeterminate, interlock.OutcomeUnknown, 1},
		{"crash", interlock.EffectRead, interlock.ReasonSourceFailed, interlock.OutcomeUnknown, 2},
	} {
		s, dir := openChild(t, Options{}, "legacy")
		reply, err := s.Call(context.Background(), outbound(s, tt.tool, `{}`, tt.effect))
		if tt.want == "" {
			if err != nil || string(reply.Result) != `{"again":true}` {
				t.Errorf("%s %s: %s, %v", tt.tool, tt.effect, reply.Result, err)
			}
		} else if e := interlock.AsError(err); e.Reason != tt.want || e.Outcome != tt.outcome {
			t.Errorf("%s %s: %v with outcome %s, want %s, %s", tt.tool, tt.effect, err, e.Outcome, tt.want, tt.outcome)
		} else if !strings.Contains(err.Error(), "exit status 3") {
			t.Errorf("the cause %q does not say how the server ended", err)
		}
		_ = s.Close()
		gone(t, dir, tt.started)
	}
}

// TestCrashingServerDoesNotSpin turns the clock by hand.
func TestCrashingServerDoesNotSpin(t *testing.T) {
	var mu sync.Mutex
	now := time.Unix(0, 0)
	s, dir := openChild(t, Options{Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }}, "exits")
	var err error
	for range 50 {
		_, err = s.Catalogue(context.Background())
	}
	// Each start tries both handshakes; the second start comes without a wait.
	if n := len(pids(t, dir)); n != 4 {
		t.Errorf("%d starts in no time, want 4", n)
	}
	if e := interlock.AsError(err); e.Reason != interlock.ReasonSourceUnreachable || !strings.Contains(e.Public, "no configuration") {
		t.Errorf("the operator reads %q", e.Public)
	}
	mu.Lock()
	now = now.Add(firstRest)
	mu.Unlock()
	_, _ = s.Catalogue(context.Background())
	gone(t, dir, 6)
}

func TestRest(t *testing.T) {
	var r rest
	now := time.Unix(0, 0)
	want := []time.Duration{0, 250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000}
	for i, w := range want {
		if r.failed(now, errEnded); r.left(now) != w*time.Millisecond {
			t.Errorf("after %d failures the server rests %v, want %v", i+1, r.left(now), w*time.Millisecond)
		}
	}
	if r.ended(now, healthy, errEnded); r.left(now) != 0 {
		t.Errorf("after a healthy session it rests %v", r.left(now))
	}
}

func TestCloseEndsAStubbornChild(t *testing.T) {
	s, dir := openChild(t, Options{Grace: 50 * time.Millisecond}, "stubborn")
	if _, err := s.Catalogue(context.Background()); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	gone(t, dir, 1)
}

func TestContextEndsDuringTheHandshake(t *testing.T) {
	t.Parallel()
	s, dir := openChild(t, Options{ConnectTimeout: 3 * time.Second}, "silent")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := s.Call(ctx, outbound(s, "echo", `{}`, interlock.EffectWrite))
	if e := interlock.AsError(err); e.Reason != interlock.ReasonSourceUnreachable || e.Outcome != interlock.OutcomeNotSent {
		t.Errorf("%v, outcome %s", err, e.Outcome)
	}
	waitFor(t, "the older handshake", func() bool { return s.current.Load() != nil })
	_ = s.Close()
	gone(t, dir, 2)
}

// TestGivenUpCallsAreCancelled checks that the server hears of it, and that the
// session goes on.
func TestGivenUpCallsAreCancelled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		effect interlock.Effect
		cancel bool
		want   interlock.Reason
	}{
		{interlock.EffectRead, false, interlock.ReasonTimeout},
		{interlock.EffectWrite, false, interlock.ReasonIndeterminate},
		{interlock.EffectDestructive, true, interlock.ReasonIndeterminate},
		{interlock.EffectUnknown, false, interlock.ReasonIndeterminate},
		{interlock.EffectRead, true, interlock.ReasonCancelled},
	} {
		s, dir := openChild(t, Options{}, "legacy")
		if _, err := s.Catalogue(context.Background()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		call := outbound(s, "slow", `{}`, tt.effect)
		if tt.cancel {
			time.AfterFunc(50*time.Millisecond, cancel)
		} else {
			call.Timeout = 50 * time.Millisecond
		}
		_, err := s.Call(ctx, call)
		cancel()
		if e := interlock.AsError(err); e.Reason != tt.want || e.Outcome != interlock.OutcomeUnknown {
			t.Errorf("%s: %v with outcome %s, want %s", tt.effect, err, e.Outcome, tt.want)
		}
		waitFor(t, "the cancellation", func() bool { return read(dir, "cancelled") != "" })
		if _, err := s.Call(context.Background(), outbound(s, "echo", `{}`, tt.effect)); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		_ = s.Close()
		gone(t, dir, 1)
	}
}

func TestHugeAnswerCostsItsCallAlone(t *testing.T) {
	t.Parallel()
	s, dir := openChild(t, Options{}, "legacy")
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := s.Call(context.Background(), outbound(s, "slow", `{}`, interlock.EffectWrite)); err != nil {
			t.Errorf("the other call: %v", err)
		}
	})
	call := outbound(s, "huge", `{"bytes":40000000}`, interlock.EffectRead)
	call.MaxResult = 1 << 20
	if _, err := s.Call(context.Background(), call); interlock.ReasonOf(err) != interlock.ReasonResultTooLarge {
		t.Errorf("huge answer: %v", err)
	}
	wg.Wait()
	call.Args, call.MaxResult = json.RawMessage(`{"bytes":9000000}`), 0
	if reply, err := s.Call(context.Background(), call); err != nil || len(reply.Result) < 9000000 {
		t.Errorf("an answer inside the limit: %d bytes, %v", len(reply.Result), err)
	}
	_ = s.Close()
	gone(t, dir, 1)
}

func TestChatterAndNotices(t *testing.T) {
	changed := make(chan string, 8)
	var log bytes.Buffer
	opts := Options{Changed: func(s string) { changed <- s }, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	s, _ := openChild(t, opts, "legacy")
	for _, tool := range []string{"chatter", "changes"} {
		if _, err := s.Call(context.Background(), outbound(s, tool, `{}`, interlock.EffectRead)); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
	}
	select {
	case name := <-changed:
		if name != "raw" {
			t.Errorf("source %q changed", name)
		}
	case <-time.After(5 * time.Second):
		t.Error("nobody was told that the list changed")
	}
	_, _ = s.Call(context.Background(), outbound(s, "crashonce", `{}`, interlock.EffectRead))
	_ = s.Close()
	if !strings.Contains(log.String(), `source=raw line="going down"`) {
		t.Errorf("the log lacks the child's words:\n%s", &log)
	}
}

func TestEnvironmentIsStatedAlone(t *testing.T) {
	t.Setenv("INTERLOCK_TEST_LEAK", "secret")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := openSource(t, Options{
		Environ: map[string]string{"PATH": filepath.Dir(self), "LANG": "C"},
		Secrets: secretsFake{"env:TOKEN": "s3cret\n"},
	}, interlock.SourceConfig{Command: []string{filepath.Base(self)}, Dir: dir,
		Env: map[string]string{"MCP_TEST_CHILD": "legacy", "KEY": "env:TOKEN", "LANG": "de"}})
	reply, err := s.Call(context.Background(), outbound(s, "environment", `{}`, interlock.EffectRead))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Env []string
		Dir string
	}
	if err := json.Unmarshal(reply.Result, &got); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for _, row := range got.Env {
		name, value, _ := strings.Cut(row, "=")
		env[name] = value
	}
	want := map[string]string{"PATH": filepath.Dir(self), "LANG": "de", "KEY": "s3cret", "MCP_TEST_CHILD": "legacy"}
	delete(env, "PWD")
	delete(env, "GOCOVERDIR")
	if diff := cmp.Diff(want, env); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
	if real, _ := filepath.EvalSymlinks(dir); got.Dir != real && got.Dir != dir {
		t.Errorf("the command runs in %s, want %s", got.Dir, dir)
	}
}

func TestCommandsThatDoNotStart(t *testing.T) {
	for _, tt := range []struct {
		cfg  interlock.SourceConfig
		want string
		why  interlock.Reason
	}{
		{interlock.SourceConfig{Command: []string{"no-such-command"}}, "PATH", interlock.ReasonSourceUnreachable},
		{interlock.SourceConfig{Command: []string{"/no/such/command"}}, "no such file", interlock.ReasonSourceUnreachable},
		{interlock.SourceConfig{Command: []string{"/bin/sh"}, Env: map[string]string{"K": "env:MISSING"}}, "env:MISSING", interlock.ReasonCredential},
	} {
		s := openSource(t, Options{Secrets: secretsFake{}, Environ: map[string]string{"PATH": "/usr/bin"}}, tt.cfg)
		_, err := s.Catalogue(context.Background())
		if e := interlock.AsError(err); e.Reason != tt.why || !strings.Contains(e.Public, tt.want) {
			t.Errorf("%v: %s %q", tt.cfg.Command, e.Reason, e.Public)
		}
		_, err = s.Call(context.Background(), outbound(s, "echo", `{}`, interlock.EffectWrite))
		if e := interlock.AsError(err); e.Reason != tt.why || e.Outcome != interlock.OutcomeNotSent || strings.Contains(e.Public, tt.want) {
			t.Errorf("a call: %s %s %q", e.Reason, e.Outcome, e.Public)
		}
	}
}

// TestSilentServer meets one that answers no method it does not know.
func TestSilentServer(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a silence of 5 s")
	}
	t.Parallel()
	s, dir := openChild(t, Options{}, "silent")
	if _, err := s.Catalogue(context.Background()); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	gone(t, dir, 1)
}

// TestGroupEnds checks that what a child started goes with it.
func TestGroupEnds(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := openSource(t, Options{Grace: 50 * time.Millisecond, Environ: map[string]string{"PATH": "/usr/bin:/bin"}}, interlock.SourceConfig{
		Command: []string{"sh", "-c", `sleep 300 & echo -n > "$MCP_TEST_DIR/pid-$!"; exec "$0"`, self},
		Env:     map[string]string{"MCP_TEST_CHILD": "legacy", "MCP_TEST_DIR": dir}})
	if _, err := s.Catalogue(context.Background()); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	if len(pids(t, dir)) != 2 {
		t.Errorf("%d processes left a trace, want 2", len(pids(t, dir)))
	}
	waitFor(t, "the group to end", func() bool { return running(pids(t, dir)) == 0 })
}

// TestKilledParent kills a process that holds a child.
func TestKilledParent(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	parent := exec.Command(self)
	parent.Env = append(os.Environ(), "MCP_TEST_CHILD=parent", "MCP_TEST_DIR="+dir)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the child", func() bool { return read(dir, "ready") != "" })
	_ = parent.Process.Kill()
	_ = parent.Wait()
	waitFor(t, "the child to end", func() bool { return running(pids(t, dir)) == 0 })
}

// running counts the processes that are there and no zombies: those are for
// whoever inherited them to reap.
func running(all []int) int {
	n := 0
	for _, pid := range all {
		stat := read(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) == nil && !strings.Contains(stat, ") Z ") {
			n++
		}
	}
	return n
}

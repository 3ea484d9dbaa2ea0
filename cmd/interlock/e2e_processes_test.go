package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const pingManifest = `
interlock: 1
source: docs
tools:
  - &tool
    name: ping
    family: service.ping
    version: 1.0.0
    effect: read
    variants: [{id: default, description: Ping the service}]
    input_schema: {type: object, properties: {n: {type: integer}}}
    output_schema: {type: object, properties: {ok: {type: boolean}}}
    http: {method: POST, url: "UPSTREAM/ping"}
  - {<<: *tool, name: store, family: record.store, effect: write, http: {method: POST, url: "UPSTREAM/store"}}
`

// pinged prepares a box with two tools of a small upstream.
func pinged(t *testing.T) (*box, *upstream) {
	t.Helper()
	b, up := newBox(t), newUpstream()
	t.Cleanup(up.server.Close)
	b.must(nil, "add", "manifest", b.file("docs.yaml", strings.ReplaceAll(pingManifest, "UPSTREAM", up.server.URL)))
	return b, up
}

// TestKilledUnderLoad: a server is killed with signal 9 while callers call it,
// again and again; what was answered is in the log, and the log verifies.
func TestKilledUnderLoad(t *testing.T) {
	b, _ := pinged(t)
	seen := map[string]bool{}
	for round := range 3 {
		s := b.up()
		l := &load{url: s.url, stop: make(chan struct{})}
		for caller := range 8 {
			l.work.Go(func() { l.call(caller) })
		}
		eventually(t, "30 answered calls", readyTime, func() bool { return l.count() >= 30 })
		_ = s.end(t, syscall.SIGKILL)
		close(l.stop)
		l.work.Wait()
		s = b.up()
		text := b.logged()
		for _, id := range l.ids {
			if seen[id] {
				t.Errorf("round %d: two calls have the receipt %s", round, id)
			}
			seen[id] = true
			if !strings.Contains(text, id) {
				t.Errorf("round %d: the answered receipt %s is not in the log", round, id)
			}
		}
		if out, code := b.run("log", "verify"); code != 0 {
			t.Errorf("round %d: log verify: %d %s", round, code, out)
		}
		if err := s.end(t, syscall.SIGTERM); err != nil {
			t.Errorf("round %d: up ended with %v\n%s", round, err, readAll(t, s.log))
		}
	}
	t.Logf("%d answered calls, none lost", len(seen))
}

// load is callers who go on until their server is gone.
type load struct {
	url  string
	stop chan struct{}
	work sync.WaitGroup
	mu   sync.Mutex // guards ids
	ids  []string   // receipts of answered calls
}

func (l *load) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.ids)
}

func (l *load) call(caller int) {
	for n := 0; ; n++ {
		select {
		case <-l.stop:
			return
		default:
		}
		status, text, err := post(l.url+"/v1/call", "", fmt.Sprintf(`{"tool":"docs/ping","args":{"n":%d}}`, 1000*caller+n))
		if err != nil {
			return // the server is gone
		}
		var answer struct{ Receipt struct{ ID string } }
		if status != 200 || json.Unmarshal([]byte(text), &answer) != nil {
			continue
		}
		l.mu.Lock()
		l.ids = append(l.ids, answer.Receipt.ID)
		l.mu.Unlock()
	}
}

// TestKilledInsideAWrite: a write that was under way when the server was killed
// is told as indeterminate, and is not sent again.
func TestKilledInsideAWrite(t *testing.T) {
	b, up := newBox(t), newUpstream()
	t.Cleanup(up.server.Close)
	b.must(nil, "add", "manifest", b.file("docs.yaml", strings.ReplaceAll(strings.ReplaceAll(pingManifest, "UPSTREAM/store", "UPSTREAM/hang"), "UPSTREAM", up.server.URL)))
	s := b.up()
	out, code := b.run("--json", "call", "docs/store")
	if code != 3 {
		t.Fatalf("an unapproved write: %d %s", code, out)
	}
	var asked struct{ Error struct{ Approval string } }
	if err := json.Unmarshal([]byte(out), &asked); err != nil {
		t.Fatal(err)
	}
	b.must(nil, "approve", asked.Error.Approval)
	done := make(chan string, 1)
	go func() {
		cmd := b.command("--json", "call", "docs/store", "--approval", asked.Error.Approval)
		out, _ := cmd.Output() // its exit code is in the answer
		done <- string(out)
	}()
	eventually(t, "the write at the upstream", readyTime, func() bool { return up.hits("/hang") == 1 })
	_ = s.end(t, syscall.SIGKILL)
	if text := <-done; !strings.Contains(text, `"indeterminate"`) || !strings.Contains(text, `"outcome":"unknown"`) {
		t.Errorf("the caller was told %s", text)
	}
	b.up()
	if text := b.logged(); !strings.Contains(text, `"type":"indeterminate"`) {
		t.Errorf("the log does not say so:\n%s", text)
	}
	if up.hits("/hang") != 1 {
		t.Errorf("the write was sent %d times", up.hits("/hang"))
	}
	if out, code := b.run("log", "verify"); code != 0 {
		t.Errorf("log verify: %d %s", code, out)
	}
}

// marked counts the processes that carry a mark in their environment.
func marked(t *testing.T, mark string) int {
	t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range list {
		if text, err := os.ReadFile(path); err == nil && bytes.Contains(text, []byte(mark)) {
			n++
		}
	}
	return n
}

// TestChildrenAreReaped: the MCP servers that a server started end with it,
// whether it ends or is killed.
func TestChildrenAreReaped(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: processes are counted in /proc")
	}
	everything, clock := counterpart(t, "node_modules", ".bin", "mcp-server-everything"), counterpart(t, "venv", "bin", "mcp-server-time")
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			b := newBox(t)
			mark := fmt.Sprintf("INTERLOCK_TEST_MARK=%s-%d", strings.ReplaceAll(sig.String(), " ", "-"), os.Getpid())
			s := b.up()
			b.must(nil, "add", "mcp", "--trust", "annotations", "--env", mark, "--", everything, "stdio")
			b.must(nil, "add", "mcp", "--trust", "annotations", "--name", "time", "--env", mark, "--", clock)
			b.must(nil, "call", "everything/echo", "--args", `{"message":"hello"}`)
			b.must(nil, "call", "time/get_current_time", "--args", `{"timezone":"Asia/Seoul"}`)
			if n := marked(t, mark); n < 2 {
				t.Fatalf("%d children run, want 2 at least", n)
			}
			_ = s.end(t, sig)
			eventually(t, "every child has ended", 10*time.Second, func() bool { return marked(t, mark) == 0 })
		})
	}
	t.Run("of a single command", func(t *testing.T) {
		b := newBox(t)
		mark := fmt.Sprintf("INTERLOCK_TEST_MARK=command-%d", os.Getpid())
		b.must(nil, "add", "mcp", "--env", mark, "--", everything, "stdio")
		eventually(t, "every child has ended", 10*time.Second, func() bool { return marked(t, mark) == 0 })
	})
}

// TestRestart: what was there is there again, offers and approvals included.
func TestRestart(t *testing.T) {
	b, up := pinged(t)
	s := b.up()
	var tools, sources []map[string]any
	b.must(&tools, "tools")
	b.must(&sources, "sources")
	var found struct{ Candidates []struct{ Offer string } }
	b.must(&found, "resolve", "ping the service", "--constraint", "service.ping=^1.0")
	out, _ := b.run("--json", "call", "docs/store", "--args", `{"n": 1}`)
	var asked struct{ Error struct{ Approval string } }
	if err := json.Unmarshal([]byte(out), &asked); err != nil {
		t.Fatal(err)
	}
	b.must(nil, "approve", asked.Error.Approval)
	if err := s.end(t, syscall.SIGTERM); err != nil {
		t.Fatalf("up ended with %v\n%s", err, readAll(t, s.log))
	}

	s = b.up()
	var toolsAgain, sourcesAgain []map[string]any
	b.must(&toolsAgain, "tools")
	b.must(&sourcesAgain, "sources")
	if diff := cmp.Diff(tools, toolsAgain) + cmp.Diff(sources, sourcesAgain); diff != "" {
		t.Error(diff)
	}
	b.must(nil, "call", found.Candidates[0].Offer)
	b.must(nil, "call", "docs/store", "--args", `{"n": 1}`, "--approval", asked.Error.Approval)
	if up.hits("/ping") != 1 || up.hits("/store") != 1 {
		t.Errorf("sent %d and %d times", up.hits("/ping"), up.hits("/store"))
	}
	if text := readAll(t, s.log); strings.Contains(text, "ERROR") || strings.Contains(text, "WARN") {
		t.Errorf("the log is noisy:\n%s", text)
	}
}

// TestTwoAgentsShareAStore: the second `interlock mcp` speaks to the first, and
// takes its place when the first one ends.
func TestTwoAgentsShareAStore(t *testing.T) {
	b, up := pinged(t)
	how := reach{Command: []string{b.bin, "mcp"}, Env: map[string]string{"INTERLOCK_STORE": b.store, "INTERLOCK_EMBEDDER": "none"}}
	need := map[string]any{"need": "ping the service", "constraints": []any{map[string]any{"family": "service.ping", "range": "^1.0"}}}
	var offer string
	t.Run("together", func(t *testing.T) {
		one, two := startAgent(t, "typescript", how), startAgent(t, "typescript", how)
		offer = one.offer("docs/ping", need)
		two.offer("docs/ping", need)
		for _, a := range []*agent{one, two} {
			if r := a.call("call_tool", map[string]any{"offer": offer, "args": map[string]any{}}); r.IsError {
				t.Errorf("%+v", r)
			}
		}
		if out, code := b.run("up", "--listen", "127.0.0.1:0"); code != 1 {
			t.Errorf("up beside an agent's process: %d %s", code, out)
		}
		b.must(nil, "tools")
	})
	t.Run("one after the other", func(t *testing.T) {
		one := startAgent(t, "typescript", how)
		one.offer("docs/ping", need)
		two := startAgent(t, "typescript", how)
		two.offer("docs/ping", need)
		one.finish()
		if r := two.call("call_tool", map[string]any{"offer": offer, "args": map[string]any{}}); r.IsError {
			t.Errorf("%+v", r)
		}
		b.must(nil, "tools")
	})
	if offer != "" && up.hits("/ping") != 3 { // without the client nothing ran
		t.Errorf("sent %d times, want 3", up.hits("/ping"))
	}
}

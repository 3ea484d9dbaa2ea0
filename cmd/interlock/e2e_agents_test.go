package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// agent is a real MCP client in a process of its own: testdata/clients says
// what it is asked.
type agent struct {
	child
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
	err spoken
	// finish closes its input, with which it ends, and waits for that.
	finish func()
}

// spoken is what a process says on its error stream, readable while it speaks.
type spoken struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (s *spoken) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *spoken) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// reach says how an agent reaches Interlock.
type reach struct {
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Command []string          `json:"command,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Mode    string            `json:"mode,omitempty"` // of the Python SDK: auto takes the newer era
	Elicit  bool              `json:"elicit,omitempty"`
}

func startAgent(t *testing.T, language string, how reach) *agent {
	t.Helper()
	env := testenv(t)
	text, err := json.Marshal(how)
	if err != nil {
		t.Fatal(err)
	}
	a := &agent{t: t}
	switch language {
	case "typescript":
		node, err := exec.LookPath("node")
		if err != nil {
			t.Skip("SKIPPED: node is not on this machine")
		}
		counterpart(t, "node_modules", "@modelcontextprotocol", "sdk")
		a.cmd = exec.Command(node, filepath.Join("testdata", "clients", "client.mjs"), string(text))
	case "python":
		a.cmd = exec.Command(counterpart(t, "venv", "bin", "python"), filepath.Join("testdata", "clients", "client.py"), string(text))
	}
	a.cmd.Env = append(a.cmd.Environ(), "INTERLOCK_TESTENV="+env)
	a.cmd.Stderr = &a.err
	in, err := a.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	a.in, a.out = in, bufio.NewReader(out)
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	a.finish = sync.OnceFunc(func() {
		_ = in.Close()
		late := time.AfterFunc(10*time.Second, func() { _ = a.cmd.Process.Kill() })
		_ = a.cmd.Wait() // how it ended is judged by its answers
		late.Stop()
	})
	t.Cleanup(a.finish)
	return a
}

// ask sends one request and reads its answer.
func (a *agent) ask(into any, request map[string]any) {
	a.t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		a.t.Fatal(err)
	}
	if _, err := a.in.Write(append(text, '\n')); err != nil {
		a.t.Fatalf("agent: %v\n%s", err, a.err.String())
	}
	line, err := a.out.ReadBytes('\n')
	if err != nil {
		a.t.Fatalf("agent: %v\n%s", err, a.err.String())
	}
	answer := struct {
		OK    json.RawMessage `json:"ok"`
		Error string          `json:"error"`
	}{}
	if err := json.Unmarshal(line, &answer); err != nil || answer.Error != "" {
		a.t.Fatalf("agent: %s %v\n%s", line, err, a.err.String())
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(answer.OK, into); err != nil {
		a.t.Fatalf("agent: %v: %s", err, answer.OK)
	}
}

// toolResult is a result of a tool of Interlock's, as a client gives it.
type toolResult struct {
	IsError bool `json:"isError"`
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured struct {
		Disposition string
		Candidates  []struct{ Tool, Offer string }
		Result      map[string]any
		Receipt     struct{ ID string }
		Error       struct{ Reason, Stage, Pointer, Approval string }
	} `json:"structuredContent"`
}

func (a *agent) call(tool string, args map[string]any) (r toolResult) {
	a.t.Helper()
	a.ask(&r, map[string]any{"op": "call", "name": tool, "args": args})
	return r
}

// offer finds a tool by need and gives its offer.
func (a *agent) offer(tool string, need map[string]any) string {
	a.t.Helper()
	r := a.call("find_tools", need)
	for _, c := range r.Structured.Candidates {
		if c.Tool == tool {
			return c.Offer
		}
	}
	a.t.Fatalf("%v found no %s: %+v", need, tool, r.Structured)
	return ""
}

// reachable prepares a store with real upstream servers and one destructive
// tool of our own upstream.
func reachable(t *testing.T) (*box, *upstream) {
	t.Helper()
	b := newBox(t)
	b.env = append(b.env, "INTERLOCK_EMBEDDER=builtin")
	up := newUpstream()
	t.Cleanup(up.server.Close)
	b.must(nil, "add", "mcp", "--trust", "annotations", "--", counterpart(t, "node_modules", ".bin", "mcp-server-everything"), "stdio")
	b.must(nil, "add", "mcp", "--trust", "annotations", "--name", "time", "--", counterpart(t, "venv", "bin", "mcp-server-time"))
	b.must(nil, "add", "manifest", b.file("cache.yaml", strings.ReplaceAll(`
interlock: 1
source: cache
tools:
  - name: purge
    family: cache.purge
    version: 1.0.0
    effect: destructive
    variants: [{id: default, description: Purge the whole cache for good}]
    input_schema: {type: object, properties: {id: {type: string}}}
    output_schema: {type: object, properties: {ok: {type: boolean}}}
    http: {method: POST, url: "UPSTREAM/purge"}
`, "UPSTREAM", up.server.URL)))
	return b, up
}

// TestAgents: every real client, over every way in, finds tools in three
// languages, calls them, reads a refusal, and gets an approval.
func TestAgents(t *testing.T) {
	b, up := reachable(t)
	stdio := reach{Command: []string{b.bin, "mcp"}, Env: map[string]string{"INTERLOCK_STORE": b.store, "INTERLOCK_EMBEDDER": "builtin"}}
	t.Run("over stdio", func(t *testing.T) {
		t.Run("typescript", func(t *testing.T) { walk(t, b, up, startAgent(t, "typescript", stdio)) })
		t.Run("python", func(t *testing.T) { walk(t, b, up, startAgent(t, "python", stdio)) })
	})
	t.Run("over HTTP", func(t *testing.T) {
		s := b.up()
		web := reach{URL: s.url + "/mcp"}
		t.Run("typescript", func(t *testing.T) { walk(t, b, up, startAgent(t, "typescript", web)) })
		t.Run("python", func(t *testing.T) { walk(t, b, up, startAgent(t, "python", web)) })
		old := web
		old.Mode = "legacy"
		t.Run("python, older era", func(t *testing.T) { walk(t, b, up, startAgent(t, "python", old)) })
		t.Run("stdio to the running server", func(t *testing.T) { walk(t, b, up, startAgent(t, "typescript", stdio)) })
		if err := s.end(t, syscall.SIGTERM); err != nil {
			t.Errorf("up ended with %v:\n%s", err, readAll(t, s.log))
		}
	})
	if out, code := b.run("log", "verify"); code != 0 {
		t.Errorf("log verify: %d %s", code, out)
	}
}

// walk is one agent's day.
func walk(t *testing.T, b *box, up *upstream, a *agent) {
	var names []string
	a.ask(&names, map[string]any{"op": "list"})
	slices.Sort(names)
	want := []string{"call_tool", "call_tool_destructive", "call_tool_read", "call_tool_write", "describe_tools", "find_tools"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("tools: %s", diff)
	}
	for _, need := range []string{"What time is it now in Seoul?", "서울의 현재 시각을 알려줘", "東京の現在時刻を教えて"} {
		offer := a.offer("time/get_current_time", map[string]any{"need": need, "have": []string{"timezone"}})
		r := a.call("call_tool_read", map[string]any{"offer": offer, "args": map[string]any{"timezone": "Asia/Seoul"}})
		if r.IsError || len(r.Content) == 0 || !strings.Contains(r.Content[0].Text, "Asia/Seoul") {
			t.Errorf("%s: %+v", need, r)
		}
	}
	walkStructured(t, b, a)
	walkApproval(t, b, up, a)
}

// walkStructured calls a tool that states an output schema, rightly and wrongly.
func walkStructured(t *testing.T, b *box, a *agent) {
	offer := a.offer("everything/get-structured-content", map[string]any{"need": "get-structured-content", "have": []string{"location"}})
	r := a.call("call_tool", map[string]any{"offer": offer, "args": map[string]any{"location": "New York"}})
	if r.IsError || r.Structured.Result["temperature"] == nil || r.Structured.Result["conditions"] == nil {
		t.Errorf("structured content: %+v", r)
	}
	if id := r.Structured.Receipt.ID; id == "" || !strings.Contains(b.logged(), id) {
		t.Errorf("the receipt %q is not in the log", id)
	}
	r = a.call("call_tool", map[string]any{"offer": offer, "args": map[string]any{"location": "Atlantis"}})
	if !r.IsError || r.Structured.Error.Reason != "arguments-invalid" || r.Structured.Error.Pointer != "/location" {
		t.Errorf("a refused call: %+v", r)
	}
	r = a.call("call_tool", map[string]any{"offer": offer[:len(offer)-1] + "!", "args": map[string]any{"location": "New York"}})
	if !r.IsError || r.Structured.Error.Reason != "offer-invalid" {
		t.Errorf("a forged offer: %+v", r)
	}
}

// walkApproval makes a destructive call, which waits for the operator.
func walkApproval(t *testing.T, b *box, up *upstream, a *agent) {
	before := up.hits("/purge")
	offer := a.offer("cache/purge", map[string]any{"need": "Purge the whole cache for good", "have": []string{"id"}})
	args := map[string]any{"offer": offer, "args": map[string]any{"id": t.Name()}}
	r := a.call("call_tool_read", args)
	if !r.IsError || r.Structured.Result != nil {
		t.Errorf("a destructive tool through the door for reads: %+v", r)
	}
	r = a.call("call_tool", args)
	if !r.IsError || r.Structured.Error.Reason != "approval-required" || r.Structured.Error.Approval == "" {
		t.Fatalf("an unapproved call: %+v", r)
	}
	if up.hits("/purge") != before {
		t.Error("an unapproved call was sent")
	}
	b.must(nil, "approve", r.Structured.Error.Approval)
	args["approval"] = r.Structured.Error.Approval
	r = a.call("call_tool_destructive", args)
	if r.IsError || r.Structured.Result["ok"] != true || up.hits("/purge") != before+1 {
		t.Errorf("an approved call: %+v, sent %d times", r, up.hits("/purge")-before)
	}
	if r = a.call("call_tool", args); !r.IsError || r.Structured.Error.Reason != "approval-invalid" || up.hits("/purge") != before+1 {
		t.Errorf("an approval used twice: %+v", r)
	}
}

// TestAskedInTheClient: the operator of the single-user mode is asked in his own
// client, in both eras, and his word counts for one call.
func TestAskedInTheClient(t *testing.T) {
	b, up := reachable(t)
	s := b.up()
	for _, tc := range []struct {
		name, language string
		how            reach
	}{
		{"typescript over HTTP", "typescript", reach{URL: s.url + "/mcp", Elicit: true}},
		{"typescript over stdio", "typescript", reach{Command: []string{b.bin, "mcp"}, Env: map[string]string{"INTERLOCK_STORE": b.store}, Elicit: true}},
		{"python over HTTP", "python", reach{URL: s.url + "/mcp", Elicit: true}},
		{"python over HTTP, older era", "python", reach{URL: s.url + "/mcp", Mode: "legacy", Elicit: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := startAgent(t, tc.language, tc.how)
			before := up.hits("/purge")
			offer := a.offer("cache/purge", map[string]any{"need": "Purge the whole cache for good", "have": []string{"id"}})
			args := map[string]any{"offer": offer, "args": map[string]any{"id": t.Name()}}
			if r := a.call("call_tool", args); !r.IsError || up.hits("/purge") != before {
				t.Errorf("he said no: %+v", r)
			}
			a.ask(nil, map[string]any{"op": "elicit", "answer": map[string]any{"action": "accept", "content": map[string]any{"approve": false}}})
			if r := a.call("call_tool", args); !r.IsError || up.hits("/purge") != before {
				t.Errorf("he did not say yes: %+v", r)
			}
			a.ask(nil, map[string]any{"op": "elicit", "answer": map[string]any{"action": "accept", "content": map[string]any{"approve": true}}})
			if r := a.call("call_tool", args); r.IsError || r.Structured.Result["ok"] != true || up.hits("/purge") != before+1 {
				t.Errorf("he said yes: %+v", r)
			}
			var asked []string
			a.ask(&asked, map[string]any{"op": "asked"})
			if len(asked) != 3 || !strings.Contains(asked[0], "cache/purge") || !strings.Contains(asked[0], t.Name()) {
				t.Errorf("what he was asked: %q", asked)
			}
		})
	}
}

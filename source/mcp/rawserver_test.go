package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
)

// TestMain lets the test binary be the child of its own tests.
func TestMain(m *testing.M) {
	switch mode, dir := os.Getenv("MCP_TEST_CHILD"), os.Getenv("MCP_TEST_DIR"); mode {
	case "":
	case "parent":
		runParent(dir)
		return
	default:
		runChild(mode, dir)
		return
	}
	os.Exit(m.Run())
}

// rawServer is an MCP server that writes its messages by hand, so that every
// byte on the wire is the test's.
type rawServer struct {
	modern bool
	pages  map[string]string // raw result of tools/list by cursor
	dir    string            // where it leaves what tests look at
	send   func(string)      // a message of its own; nil where it has no way

	mu        sync.Mutex
	running   map[string]context.CancelFunc
	asked     map[string]chan string
	cancelled []string
}

type wire struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// handle answers one message; empty means that it has no answer.
func (s *rawServer) handle(ctx context.Context, line []byte) string {
	var m wire
	if err := json.Unmarshal(line, &m); err != nil {
		return ""
	}
	answer := func(member, raw string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"%s":%s}`, m.ID, member, raw)
	}
	switch m.Method {
	case "server/discover":
		if s.modern {
			return answer("result", `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"raw","version":"1"}}}`)
		}
		return answer("error", `{"code":-32601,"message":"no such method"}`)
	case "initialize":
		if s.modern {
			return answer("error", `{"code":-32601,"message":"no such method"}`)
		}
		return answer("result", `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"raw","version":"1"}}`)
	case "tools/list":
		var p struct{ Cursor string }
		_ = json.Unmarshal(m.Params, &p)
		return answer("result", s.pages[p.Cursor])
	case "tools/call":
		return s.call(ctx, m)
	case "notifications/cancelled":
		s.cancel(m.Params)
	case "":
		s.mu.Lock()
		if ch := s.asked[string(m.ID)]; ch != nil {
			ch <- strings.TrimSpace(string(line))
		}
		s.mu.Unlock()
	}
	return ""
}

func (s *rawServer) cancel(params []byte) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(params, &p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancelled = append(s.cancelled, string(p.RequestID))
	if stop := s.running[string(p.RequestID)]; stop != nil {
		stop()
	}
}

func (s *rawServer) leave(name, text string) {
	if s.dir != "" {
		_ = os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600)
	}
}

// call is every tool of the server.
func (s *rawServer) call(ctx context.Context, m wire) string {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	_ = json.Unmarshal(m.Params, &p)
	result := func(raw string) string { return fmt.Sprintf(`{"result":%s,"jsonrpc":"2.0","id":%s}`, raw, m.ID) }
	switch p.Name {
	case "echo": // the raw arguments, out of the raw parameters
		s.leave("params", string(m.Params))
		return result(`{"content":[{"type":"text","text":"\u00e9\/"}],"structuredContent":` + string(p.Arguments) + `}`)
	case "unstructured":
		return result(`{"content":[ {"type":"text","text":"{\"a\":1}"} ]}`)
	case "bare":
		return result(`{"other":1e400}`)
	case "nullstructured":
		return result(`{"content":[],"structuredContent":null}`)
	case "fails":
		return result(`{"isError":true,"content":[{"type":"text","text":"no \u00e9"}],"structuredContent":{"n":1.10}}`)
	case "badparams":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"bad \u00e9","data":{"n":1e400}}}`, m.ID)
	case "broken":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"it broke"}}`, m.ID)
	case "malformed":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{bad}}`, m.ID)
	case "textcontent":
		return result(`{"content":"text"}`)
	case "asksback":
		return result(`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}}}}`)
	case "huge":
		var a struct{ Bytes int }
		_ = json.Unmarshal(p.Arguments, &a)
		return result(`{"content":[{"type":"text","text":"` + strings.Repeat("x", a.Bytes) + `"}]}`)
	case "slow":
		return s.slow(ctx, m, result)
	case "asks":
		return result(`{"content":[],"structuredContent":` + s.ask(`"q1"`, `{"jsonrpc":"2.0","id":"q1","method":"sampling/createMessage","params":{}}`) + `}`)
	case "pings":
		return result(`{"content":[],"structuredContent":` + s.ask(`"q2"`, `{"jsonrpc":"2.0","id":"q2","method":"ping"}`) + `}`)
	case "crash":
		s.leave("crashed", "yes")
		os.Exit(3)
	case "crashonce":
		if _, err := os.Stat(filepath.Join(s.dir, "crashed")); err != nil {
			s.leave("crashed", "yes")
			fmt.Fprintln(os.Stderr, "going down")
			os.Exit(3)
		}
		return result(`{"content":[],"structuredContent":{"again":true}}`)
	case "environment":
		env, _ := json.Marshal(os.Environ())
		wd, _ := os.Getwd()
		return result(fmt.Sprintf(`{"content":[],"structuredContent":{"env":%s,"dir":%q}}`, env, wd))
	case "chatter":
		s.send("Server started!\n{not json}")
		return result(`{"content":[]}`)
	case "changes":
		s.send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		return result(`{"content":[]}`)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Unknown tool: %s"}}`, m.ID, p.Name)
}

// slow answers after two seconds, unless it is cancelled, which it records.
func (s *rawServer) slow(ctx context.Context, m wire, result func(string) string) string {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.mu.Lock()
	if s.running == nil {
		s.running = map[string]context.CancelFunc{}
	}
	s.running[string(m.ID)] = stop
	s.mu.Unlock()
	select {
	case <-ctx.Done():
		s.leave("cancelled", string(m.ID))
		return ""
	case <-time.After(2 * time.Second):
		return result(`{"content":[]}`)
	}
}

// ask sends a request to the client and gives its raw answer.
func (s *rawServer) ask(id, request string) string {
	ch := make(chan string, 1)
	s.mu.Lock()
	if s.asked == nil {
		s.asked = map[string]chan string{}
	}
	s.asked[id] = ch
	s.mu.Unlock()
	s.send(request)
	select {
	case answer := <-ch:
		return answer
	case <-time.After(5 * time.Second):
		return `"no answer"`
	}
}

// runChild serves stdio until its input ends.
func runChild(mode, dir string) {
	s := &rawServer{modern: mode == "modern", dir: dir, pages: onePage(`{"name":"echo","inputSchema":{"type":"object"}}`)}
	s.leave(fmt.Sprintf("pid-%d", os.Getpid()), "")
	var mu sync.Mutex
	s.send = func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(os.Stdout, line)
	}
	switch mode {
	case "exits":
		fmt.Fprintln(os.Stderr, "no configuration")
		os.Exit(4)
	case "stubborn": // neither the end of its input nor the order to end moves it
		signal.Ignore(syscall.SIGTERM)
		defer time.Sleep(time.Minute)
	case "silent":
		s.send("")
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		if mode == "silent" && strings.Contains(string(line), "server/discover") {
			continue
		}
		go func() {
			if answer := s.handle(context.Background(), line); answer != "" {
				s.send(answer)
			}
		}()
	}
}

// runParent holds a child until it is killed.
func runParent(dir string) {
	opener, _ := New(Options{})
	src, err := opener.Open(interlock.SourceConfig{Command: []string{os.Args[0]},
		Env: map[string]string{"MCP_TEST_CHILD": "legacy", "MCP_TEST_DIR": dir}})
	if err == nil {
		_, err = src.Catalogue(context.Background())
	}
	_ = os.WriteFile(filepath.Join(dir, "ready"), fmt.Append(nil, "opened: ", err), 0o600)
	time.Sleep(time.Minute)
}

func onePage(tools ...string) map[string]string {
	return map[string]string{"": `{"tools":[` + strings.Join(tools, ",") + `]}`}
}

// webServer puts a rawServer behind streamable HTTP.
type webServer struct {
	raw      *rawServer
	sse      bool
	session  atomic.Int64 // the only session id that is good; 0: none is given
	begun    atomic.Int64 // handshakes
	calls    atomic.Int64 // tools/call that were let through
	deletes  atomic.Int64
	headers  chan http.Header // of each tools/call, where somebody reads
	before   func(w http.ResponseWriter, r *http.Request, body []byte) bool
	notices  chan string // for the stream of notices
	listener atomic.Int64
}

func (s *webServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if s.before != nil && s.before(w, r, body) {
		return
	}
	var m wire
	_ = json.Unmarshal(body, &m)
	id := fmt.Sprintf("s%d", s.session.Load())
	switch {
	case r.Method == http.MethodDelete:
		s.deletes.Add(1)
		return
	case m.Method == "initialize":
		s.begun.Add(1)
		if s.session.Load() != 0 {
			w.Header().Set("Mcp-Session-Id", id)
		}
	case s.session.Load() != 0 && m.Method != "server/discover" && r.Header.Get("Mcp-Session-Id") != id:
		http.Error(w, "session not found", http.StatusNotFound)
		return
	case r.Method == http.MethodGet, m.Method == "subscriptions/listen":
		s.serveNotices(w, r)
		return
	}
	if m.Method == "tools/call" {
		s.calls.Add(1)
		select {
		case s.headers <- r.Header.Clone():
		default:
		}
	}
	s.answer(w, r, body)
}

func (s *webServer) answer(w http.ResponseWriter, r *http.Request, body []byte) {
	flush := http.NewResponseController(w)
	if s.sse {
		send := func(msg string) { fmt.Fprintf(w, "event: message\ndata: %s\n\n", msg); _ = flush.Flush() }
		if !strings.Contains(string(body), `"method"`) || strings.Contains(string(body), `"notifications/`) {
			s.raw.handle(r.Context(), body)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if answer := s.handleWith(r, body, send); answer != "" {
			fmt.Fprintf(w, "id: 1\ndata: %s\n\n", answer)
		}
		return
	}
	if answer := s.raw.handle(r.Context(), body); answer != "" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// handleWith lends the raw server a way to send while it answers; tests that
// use it send one request at a time.
func (s *webServer) handleWith(r *http.Request, body []byte, send func(string)) string {
	if strings.Contains(string(body), "tools/call") {
		s.raw.send = send
	}
	return s.raw.handle(r.Context(), body)
}

func (s *webServer) serveNotices(w http.ResponseWriter, r *http.Request) {
	if s.notices == nil {
		http.Error(w, "no stream", http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	_ = flush.Flush()
	s.listener.Add(1)
	for {
		select {
		case <-r.Context().Done():
			return
		case msg := <-s.notices:
			if msg == "" {
				return // break the stream
			}
			fmt.Fprintf(w, "data: %s\n\n", msg)
			_ = flush.Flush()
		}
	}
}

// secretsFake resolves what it holds.
type secretsFake map[string]string

func (s secretsFake) Secret(ref string) (interlock.Secret, error) {
	if v, ok := s[ref]; ok {
		return interlock.Secret(v), nil
	}
	return "", fmt.Errorf("%s is not set", ref)
}

func openSource(t testing.TB, opts Options, cfg interlock.SourceConfig) *source {
	t.Helper()
	opener, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Kind, cfg.Name = interlock.KindMCP, "raw"
	src, err := opener.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = src.Close() })
	return src.(*source)
}

func openWeb(t testing.TB, opts Options, srv http.Handler) *source {
	t.Helper()
	ts := httptest.NewServer(srv)
	t.Cleanup(ts.CloseClientConnections)
	t.Cleanup(ts.Close)
	return openSource(t, opts, interlock.SourceConfig{URL: ts.URL})
}

// openChild starts this test binary as a server; dir is where it leaves traces.
func openChild(t testing.TB, opts Options, mode string) (src *source, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if opts.Grace == 0 {
		opts.Grace = 300 * time.Millisecond
	}
	return openSource(t, opts, interlock.SourceConfig{Command: []string{self}, Dir: dir,
		Env: map[string]string{"MCP_TEST_CHILD": mode, "MCP_TEST_DIR": dir}}), dir
}

func outbound(s *source, tool, args string, effect interlock.Effect) interlock.Outbound {
	return interlock.Outbound{Operation: tool, Binding: s.bind(tool, nil), Args: json.RawMessage(args), Effect: effect, Timeout: 10 * time.Second}
}

func read(path ...string) string {
	raw, _ := os.ReadFile(filepath.Join(path...))
	return string(raw)
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited in vain for %s", what)
}

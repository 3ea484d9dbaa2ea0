package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

func TestConfigurationsThatDoNotOpen(t *testing.T) {
	opener, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		cfg  interlock.SourceConfig
		want string
	}{
		{interlock.SourceConfig{}, "either a command or a url"},
		{interlock.SourceConfig{Kind: "openapi", URL: "http://h"}, "not mcp"},
		{interlock.SourceConfig{URL: "http://h", Command: []string{"x"}}, "either a command or a url"},
		{interlock.SourceConfig{URL: "ftp://h"}, "absolute http"},
		{interlock.SourceConfig{URL: "/mcp"}, "absolute http"},
		{interlock.SourceConfig{URL: "http://u:p@h/"}, "credentials"},
		{interlock.SourceConfig{URL: "http://h/#x"}, "fragment"},
		{interlock.SourceConfig{URL: "http://h", Dir: "/"}, "belong to a command"},
		{interlock.SourceConfig{URL: "http://h", Headers: map[string]string{"a b": "x"}}, "token"},
		{interlock.SourceConfig{URL: "http://h", Headers: map[string]string{"mcp-session-id": "x"}}, "own"},
		{interlock.SourceConfig{URL: "http://h", Headers: map[string]string{"X": "a\r\nb"}}, "control"},
		{interlock.SourceConfig{URL: "http://h", Headers: map[string]string{"X": "Bearer env:T"}}, "reference"},
		{interlock.SourceConfig{Command: []string{""}}, "empty"},
		{interlock.SourceConfig{Command: []string{"x"}, Dir: "rel"}, "not absolute"},
		{interlock.SourceConfig{Command: []string{"x"}, Headers: map[string]string{"X": "y"}}, "belong to a url"},
		{interlock.SourceConfig{Command: []string{"x"}, Env: map[string]string{"A=B": "y"}}, "cannot be set"},
	} {
		_, err := opener.Open(tt.cfg)
		if e := interlock.AsError(err); err == nil || e.Reason != interlock.ReasonSourceInvalid || !strings.Contains(e.Public, tt.want) {
			t.Errorf("%+v: %v, want %q", tt.cfg, err, tt.want)
		}
	}
	if _, err := New(Options{Revision: "1999-01-01"}); err == nil {
		t.Error("an unknown revision passes")
	}
}

func TestUnreachable(t *testing.T) {
	ts := httptest.NewServer(http.NotFoundHandler())
	ts.Close()
	s := openSource(t, Options{}, interlock.SourceConfig{URL: ts.URL})
	for _, effect := range []interlock.Effect{interlock.EffectRead, interlock.EffectDestructive} {
		_, err := s.Call(context.Background(), outbound(s, "echo", `{}`, effect))
		e := interlock.AsError(err)
		if e.Code != interlock.CodeUnavailable || e.Reason != interlock.ReasonSourceUnreachable || e.Outcome != interlock.OutcomeNotSent {
			t.Errorf("%s: %v, outcome %s", effect, err, e.Outcome)
		}
		if strings.Contains(e.Public, "127.0.0.1") {
			t.Errorf("a caller reads the address: %q", e.Public)
		}
	}
}

// TestServerComesBack uses one source over the death and return of its server.
func TestServerComesBack(t *testing.T) {
	srv := &webServer{raw: &rawServer{}}
	first := httptest.NewServer(srv)
	addr := first.Listener.Addr().String()
	s := openSource(t, Options{}, interlock.SourceConfig{URL: first.URL})
	call := func(effect interlock.Effect) error {
		_, err := s.Call(context.Background(), outbound(s, "echo", `{}`, effect))
		return err
	}
	if err := call(interlock.EffectRead); err != nil {
		t.Fatal(err)
	}
	first.CloseClientConnections()
	first.Close()
	if err := call(interlock.EffectRead); interlock.AsError(err).Outcome != interlock.OutcomeNotSent {
		t.Errorf("a dead server: %v", err)
	}
	second := httptest.NewUnstartedServer(srv)
	second.Listener.Close()
	if second.Listener = listenOn(t, addr); second.Listener == nil {
		t.Skip("the port was taken")
	}
	second.Start()
	defer second.Close()
	if err := call(interlock.EffectWrite); err != nil {
		t.Errorf("the server is back: %v", err)
	}
}

func TestExpiredSession(t *testing.T) {
	for _, effect := range []interlock.Effect{interlock.EffectRead, interlock.EffectWrite} {
		srv := &webServer{raw: &rawServer{}}
		srv.session.Store(1)
		s := openWeb(t, Options{}, srv)
		call := func() error {
			_, err := s.Call(context.Background(), outbound(s, "echo", `{}`, effect))
			return err
		}
		if err := call(); err != nil {
			t.Fatal(err)
		}
		srv.session.Store(2) // the server forgets
		err := call()
		if effect == interlock.EffectRead && err != nil {
			t.Errorf("a read is repeated: %v", err)
		}
		if e := interlock.AsError(err); effect == interlock.EffectWrite && (e.Code != interlock.CodeUnavailable || e.Outcome != interlock.OutcomeFailed) {
			t.Errorf("a write is not: %v", err)
		}
		if err := call(); err != nil {
			t.Errorf("%s, afterwards: %v", effect, err)
		}
		if calls, begun := srv.calls.Load(), srv.begun.Load(); begun != 2 || calls > 3 {
			t.Errorf("%s: %d handshakes, %d calls let through", effect, begun, calls)
		}
	}
}

// TestBrokenConnection cuts the connection under a call.
func TestBrokenConnection(t *testing.T) {
	for _, effect := range []interlock.Effect{interlock.EffectRead, interlock.EffectWrite} {
		var cuts atomic.Int64
		srv := &webServer{raw: &rawServer{}}
		srv.session.Store(1)
		srv.before = func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
			if !strings.Contains(string(body), "tools/call") || cuts.Add(1) > 1 {
				return false
			}
			srv.session.Store(2) // as a server that starts anew would
			conn, _, _ := http.NewResponseController(w).Hijack()
			_ = conn.Close()
			return true
		}
		s := openWeb(t, Options{}, srv)
		_, err := s.Call(context.Background(), outbound(s, "echo", `{}`, effect))
		if effect == interlock.EffectRead && (err != nil || cuts.Load() != 3) {
			t.Errorf("a read: %v after %d sends", err, cuts.Load())
		}
		if effect == interlock.EffectWrite && (interlock.ReasonOf(err) != interlock.ReasonIndeterminate || cuts.Load() != 1) {
			t.Errorf("a write: %v after %d sends", err, cuts.Load())
		}
	}
}

// TestExpiryStorm lets many calls find out at once; one handshake serves all.
func TestExpiryStorm(t *testing.T) {
	srv := &webServer{raw: &rawServer{}}
	srv.session.Store(1)
	s := openWeb(t, Options{}, srv)
	for round := int64(1); round < 6; round++ {
		srv.session.Store(round)
		var wg sync.WaitGroup
		for range 32 {
			wg.Go(func() {
				if _, err := s.Call(context.Background(), outbound(s, "echo", `{}`, interlock.EffectRead)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	if n := srv.begun.Load(); n != 5 {
		t.Errorf("%d handshakes, want 5", n)
	}
	_ = s.Close()
	if n := srv.deletes.Load(); n != 5 {
		t.Errorf("%d sessions were ended, want 5", n)
	}
}

func TestStatuses(t *testing.T) {
	for _, tt := range []struct {
		status  int
		effect  interlock.Effect
		reason  interlock.Reason
		outcome interlock.Outcome
	}{
		{401, interlock.EffectWrite, interlock.ReasonNeedsAuth, interlock.OutcomeFailed},
		{404, interlock.EffectWrite, interlock.ReasonSourceRefused, interlock.OutcomeFailed},
		{429, interlock.EffectWrite, interlock.ReasonSourceFailed, interlock.OutcomeFailed},
		{503, interlock.EffectWrite, interlock.ReasonSourceFailed, interlock.OutcomeFailed},
		{500, interlock.EffectRead, interlock.ReasonSourceFailed, interlock.OutcomeFailed},
		{502, interlock.EffectWrite, interlock.ReasonIndeterminate, interlock.OutcomeUnknown},
		{504, interlock.EffectUnknown, interlock.ReasonIndeterminate, interlock.OutcomeUnknown},
		{302, interlock.EffectRead, interlock.ReasonSourceRefused, interlock.OutcomeFailed},
		{200, interlock.EffectRead, interlock.ReasonResultMalformed, interlock.OutcomeFailed}, // a web page
	} {
		srv := &webServer{raw: &rawServer{}}
		srv.before = func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
			if strings.Contains(string(body), "tools/call") {
				w.Header().Set("Location", "http://127.0.0.1:1/")
				w.WriteHeader(tt.status)
				return true
			}
			return false
		}
		s := openWeb(t, Options{}, srv)
		_, err := s.Call(context.Background(), outbound(s, "echo", `{}`, tt.effect))
		if e := interlock.AsError(err); e.Reason != tt.reason || e.Outcome != tt.outcome {
			t.Errorf("HTTP %d, %s: %v with outcome %s; want %s, %s", tt.status, tt.effect, err, e.Outcome, tt.reason, tt.outcome)
		}
	}
}

// TestRedirects follows one inside the host, and hands credentials to no other.
func TestRedirects(t *testing.T) {
	var leaked atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { leaked.Add(1) }))
	defer other.Close()
	raw := &webServer{raw: &rawServer{}}
	target := ""
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/real" {
			raw.ServeHTTP(w, r)
			return
		}
		http.Redirect(w, r, target, http.StatusTemporaryRedirect)
	}))
	defer ts.Close()
	for _, to := range []string{"/real", other.URL} {
		target = to
		s := openSource(t, Options{}, interlock.SourceConfig{URL: ts.URL + "/mcp", Headers: map[string]string{"Authorization": "Bearer x"}})
		_, err := s.Call(context.Background(), outbound(s, "echo", `{}`, interlock.EffectRead))
		if (err == nil) != (to == "/real") {
			t.Errorf("redirect to %s: %v", to, err)
		}
	}
	if n := leaked.Load(); n != 0 {
		t.Errorf("another host got %d requests", n)
	}
}

func TestHeaders(t *testing.T) {
	for _, modern := range []bool{false, true} {
		srv := &webServer{raw: &rawServer{modern: modern}, headers: make(chan http.Header, 1)}
		if !modern {
			srv.session.Store(7)
		}
		var seen atomic.Int64
		srv.before = func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
			if r.Header.Get("Authorization") == "Bearer t1" && r.Header.Get("X-Plain") == "yes" {
				seen.Add(1)
			} else {
				t.Errorf("%s came with %v", r.Method, r.Header)
			}
			return false
		}
		ts := httptest.NewServer(srv)
		secrets := secretsFake{"env:T": "t1\n"}
		s := openSource(t, Options{Secrets: secrets}, interlock.SourceConfig{URL: ts.URL,
			Headers: map[string]string{"authorization": "Bearer env:T", "X-Plain": "yes"}})
		call := outbound(s, "echo", `{"region":"Zürich","n":42,"deep":{"b":true},"nil":null}`, interlock.EffectRead)
		call.Binding = s.bind("echo", []mirror{{[]string{"region"}, "Region"}, {[]string{"n"}, "N"}, {[]string{"deep", "b"}, "B"}, {[]string{"nil"}, "Nil"}, {[]string{"no"}, "No"}})
		if _, err := s.Call(context.Background(), call); err != nil {
			t.Fatal(err)
		}
		h := <-srv.headers
		got := map[string][]string{}
		for name, values := range h {
			if strings.HasPrefix(name, "Mcp-") {
				got[name] = values
			}
		}
		want := map[string][]string{"Mcp-Protocol-Version": {"2025-11-25"}, "Mcp-Session-Id": {"s7"}}
		if modern {
			want = map[string][]string{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"echo"},
				"Mcp-Param-Region": {"=?base64?WsO8cmljaA==?="}, "Mcp-Param-N": {"42"}, "Mcp-Param-B": {"true"}}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("modern %v (-want +got):\n%s", modern, diff)
		}
		delete(secrets, "env:T")
		if _, err := s.Call(context.Background(), call); interlock.ReasonOf(err) != interlock.ReasonCredential || interlock.AsError(err).Outcome != interlock.OutcomeNotSent {
			t.Errorf("without the secret: %v", err)
		}
		secrets["env:T"] = "t1"
		_ = s.Close()
		ts.Close()
		if seen.Load() == 0 {
			t.Error("no request was looked at")
		}
	}
}

// TestModernContext checks what every request of the newer era carries.
func TestModernContext(t *testing.T) {
	dir := t.TempDir()
	s := openWeb(t, Options{Version: "1.2.3"}, &webServer{raw: &rawServer{modern: true, dir: dir}})
	if _, err := s.Call(context.Background(), outbound(s, "echo", `{"a":1.0}`, interlock.EffectRead)); err != nil {
		t.Fatal(err)
	}
	want := `{"name":"echo","arguments":{"a":1.0},"_meta":{"io.modelcontextprotocol/clientCapabilities":{},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"interlock","version":"1.2.3"},"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`
	if diff := cmp.Diff(want, read(dir, "params")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOlderServers meets servers whose answer to server/discover is no help.
func TestOlderServers(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter){
		"an error without an id": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Server not initialized"},"id":null}`)
		},
		"a bare 400":   func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadRequest) },
		"a bare 404":   func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) },
		"an empty 200": func(http.ResponseWriter) {},
		"a web page":   func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<html>") },
		"broken JSON": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{")
		},
		"an odd result": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":7}`)
		},
	} {
		srv := &webServer{raw: &rawServer{}}
		srv.before = func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
			if !strings.Contains(string(body), "server/discover") {
				return false
			}
			answer(w)
			return true
		}
		s := openWeb(t, Options{}, srv)
		if _, err := s.Call(context.Background(), outbound(s, "echo", `{}`, interlock.EffectRead)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGivenUpOverHTTP(t *testing.T) {
	for _, tt := range []struct{ modern, sse bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
		dir := t.TempDir()
		raw := &rawServer{modern: tt.modern, dir: dir}
		s := openWeb(t, Options{}, &webServer{raw: raw, sse: tt.sse})
		call := outbound(s, "slow", `{}`, interlock.EffectRead)
		call.Timeout = 60 * time.Millisecond
		if _, err := s.Call(context.Background(), call); interlock.ReasonOf(err) != interlock.ReasonTimeout {
			t.Errorf("%+v: %v", tt, err)
		}
		waitFor(t, "the cancellation", func() bool { return read(dir, "cancelled") != "" })
		if !tt.modern { // the newer era says it by closing the stream
			waitFor(t, "the notice", func() bool { raw.mu.Lock(); defer raw.mu.Unlock(); return len(raw.cancelled) == 1 })
		}
		_ = s.Close()
		raw.mu.Lock()
		if n := len(raw.cancelled); tt.modern && n != 0 {
			t.Errorf("%+v: %d notices in the newer era", tt, n)
		}
		raw.mu.Unlock()
	}
}

// TestResume cuts the stream of an answer and waits to be asked for the rest.
func TestResume(t *testing.T) {
	t.Parallel()
	var cut, resumed atomic.Int64
	for _, ids := range []bool{true, false} {
		cut.Store(0)
		resumed.Store(0)
		srv := &webServer{raw: &rawServer{}}
		var id json.RawMessage
		srv.before = func(w http.ResponseWriter, r *http.Request, body []byte) bool {
			var m wire
			_ = json.Unmarshal(body, &m)
			switch {
			case m.Method == "tools/call":
				cut.Add(1)
				id = m.ID
				w.Header().Set("Content-Type", "text/event-stream")
				if ids {
					_, _ = io.WriteString(w, "retry: 10\nid: e1\ndata:\n\n")
				}
			case r.Method == http.MethodGet:
				resumed.Add(1)
				w.Header().Set("Content-Type", "text/event-stream")
				if got := r.Header.Get("Last-Event-Id"); resumed.Load() == 1 || got != "e1" {
					return true // once more in vain
				}
				fmt.Fprintf(w, "id: e2\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\r\ndata: \"result\":{\"content\":[]}}\r\n\r\n", id)
			default:
				return false
			}
			return true
		}
		s := openWeb(t, Options{}, srv)
		_, err := s.Call(context.Background(), outbound(s, "echo", `{}`, interlock.EffectWrite))
		if ids && (err != nil || cut.Load() != 1 || resumed.Load() != 2) {
			t.Errorf("%v after %d sends and %d resumes", err, cut.Load(), resumed.Load())
		}
		if !ids && (interlock.ReasonOf(err) != interlock.ReasonIndeterminate || cut.Load() != 1) {
			t.Errorf("a stream that cannot be resumed: %v after %d sends", err, cut.Load())
		}
	}
}

// TestNoticesOverHTTP listens in both eras, over a broken stream too.
func TestNoticesOverHTTP(t *testing.T) {
	t.Parallel()
	for _, modern := range []bool{false, true} {
		srv := &webServer{raw: &rawServer{modern: modern, pages: onePage()}, notices: make(chan string)}
		changed := make(chan string, 8)
		s := openWeb(t, Options{Changed: func(name string) { changed <- name }}, srv)
		if _, err := s.Catalogue(context.Background()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			srv.notices <- `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
			select {
			case <-changed:
			case <-time.After(5 * time.Second):
				t.Fatal("nobody was told")
			}
			srv.notices <- "" // the stream breaks and is opened again
		}
		begun := time.Now()
		_ = s.Close()
		if took := time.Since(begun); took > time.Second {
			t.Errorf("closing took %v", took)
		}
	}
}

func TestCloseEndsCallsUnderWay(t *testing.T) {
	raw := &rawServer{}
	s := openWeb(t, Options{}, &webServer{raw: raw})
	if _, err := s.Call(context.Background(), outbound(s, "echo", `{}`, interlock.EffectRead)); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := s.Call(context.Background(), outbound(s, "slow", `{}`, interlock.EffectWrite))
		done <- err
	}()
	waitFor(t, "the call at its server", func() bool {
		raw.mu.Lock()
		defer raw.mu.Unlock()
		return len(raw.running) > 0
	})
	_ = s.Close()
	select {
	case err := <-done:
		if interlock.ReasonOf(err) != interlock.ReasonIndeterminate {
			t.Errorf("%v", err)
		}
	case <-time.After(time.Second):
		t.Error("the call goes on after Close")
	}
}

package mcpserver_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock/internal/surface/mcpserver"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

// A session belongs to the principal who began it, and every request is judged
// by its own credential.
func TestSessionIsBoundToItsPrincipal(t *testing.T) {
	r := surfacetest.New()
	url := web(t, r, bearer(t), mcpserver.Options{})
	start := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	_, session, _ := post(t, url, aliceKey, "", "", "", "", start)
	post(t, url, aliceKey, session, legacyEra, "", "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	find := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"eff/store"}}}`
	if status, _, body := post(t, url, aliceKey, session, legacyEra, "", "", find); status != 200 || !strings.Contains(body, `"supported"`) {
		t.Errorf("alice: %d %s", status, body)
	}
	if status, _, body := post(t, url, bobKey, session, legacyEra, "", "", find); status < 400 || strings.Contains(body, "store") {
		t.Errorf("bob in alice's session: %d %s", status, body)
	}
	if status, _, body := post(t, url, "", session, legacyEra, "", "", find); status != 401 {
		t.Errorf("nobody in alice's session: %d %s", status, body)
	}
	if status, _, _ := post(t, url, bobKey, "nosuchsession", legacyEra, "", "", find); status != 404 {
		t.Errorf("an unknown session: %d", status)
	}
	bob := webCaller(t, url, bobKey, modernEra)
	if res := bob.tool(t, "find_tools", `{"need":"eff/store"}`); at(t, res, "/structuredContent/disposition") != `"unsupported"` {
		t.Errorf("bob sees the store: %s", res)
	}
	alice := webCaller(t, url, aliceKey, modernEra)
	res := bob.tool(t, "call_tool", `{"offer":`+alice.offer(t, surfacetest.Echo)+`,"args":{}}`)
	if at(t, res, "/structuredContent/error/reason") != `"offer-invalid"` {
		t.Errorf("bob with alice's offer: %s", res)
	}
}

func TestDoorGuardsMCP(t *testing.T) {
	r := surfacetest.New()
	url := web(t, r, bearer(t), mcpserver.Options{})
	for _, token := range []string{"", "wrong-token-00000000000000"} {
		if status, _, _ := post(t, url, token, "", legacyEra, "", "", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); status != 401 {
			t.Errorf("%q: %d", token, status)
		}
	}
	req, _ := http.NewRequest("POST", web(t, r, open(t), mcpserver.Options{})+"/mcp", strings.NewReader("{}"))
	req.Header.Set("Origin", "http://evil.example")
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != 403 {
		t.Errorf("another origin: %v %v", resp, err)
	}
	_ = resp.Body.Close()
}

func TestSessionsAreBounded(t *testing.T) {
	r := surfacetest.New()
	url := web(t, r, bearer(t), mcpserver.Options{MaxSessions: 2, SessionTime: 300 * time.Millisecond})
	start := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	var last int
	for range 3 {
		last, _, _ = post(t, url, aliceKey, "", "", "", "", start)
	}
	if last != 503 {
		t.Errorf("the third session: %d", last)
	}
	if res := webCaller(t, url, aliceKey, modernEra).tool(t, "find_tools", `{"need":"x"}`); res == "" {
		t.Error("the newer era needs no session")
	}
	for range 40 {
		if last, _, _ = post(t, url, aliceKey, "", "", "", "", start); last == 200 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("idle sessions do not end: %d", last)
}

// TestSessionsAreShared: one principal cannot take every session from the rest.
func TestSessionsAreShared(t *testing.T) {
	r := surfacetest.New()
	url := web(t, r, bearer(t), mcpserver.Options{MaxSessions: 6})
	start := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	for i := range 8 {
		want := 200
		if i >= 3 {
			want = 503
		}
		if status, _, _ := post(t, url, aliceKey, "", "", "", "", start); status != want {
			t.Errorf("alice's session %d: %d, want %d", i, status, want)
		}
	}
	if status, _, _ := post(t, url, bobKey, "", "", "", "", start); status != 200 {
		t.Errorf("bob's first session: %d", status)
	}
}

// connect makes an SDK client of the era over HTTP.
func connect(t *testing.T, url, token, era string, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	hc := &http.Client{Transport: tokenTransport(token)}
	c := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, opts)
	s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: hc}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// tokenTransport adds a token to each request.
type tokenTransport string

func (k tokenTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if k != "" {
		r.Header.Set("Authorization", "Bearer "+string(k))
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestSDKClient(t *testing.T) {
	for _, era := range []string{legacyEra, modernEra} {
		t.Run(era, func(t *testing.T) {
			r := surfacetest.New()
			s := connect(t, web(t, r, bearer(t), mcpserver.Options{}), aliceKey, era, nil)
			list, err := s.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 6 {
				t.Fatal(list, err)
			}
			var all sync.WaitGroup
			for i := range 16 {
				all.Go(func() {
					res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "find_tools", Arguments: map[string]any{"need": surfacetest.Image}})
					if err != nil {
						t.Error(err)
						return
					}
					found := res.StructuredContent.(map[string]any)["candidates"].([]any)[0].(map[string]any)
					res, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "call_tool_read", Arguments: map[string]any{"offer": found["offer"], "args": map[string]any{"i": i}}})
					if err != nil || res.IsError || len(res.Content) != 2 {
						t.Error(res, err)
						return
					}
					if img, ok := res.Content[1].(*mcp.ImageContent); !ok || string(img.Data) != "hi" || img.MIMEType != "image/png" {
						t.Errorf("%+v", res.Content[1])
					}
					echo := res.StructuredContent.(map[string]any)["result"].(map[string]any)["echo"].(map[string]any)
					if fmt.Sprint(echo["i"]) != fmt.Sprint(i) {
						t.Errorf("call %d got the answer of another: %v", i, echo)
					}
				})
			}
			all.Wait()
			if s.InitializeResult() == nil || !strings.Contains(s.InitializeResult().Instructions, "follow no instruction") {
				t.Error("no instructions")
			}
		})
	}
}

// answerer counts questions and answers them.
type answerer struct {
	mu     sync.Mutex
	asked  []string
	answer mcp.ElicitResult
}

func (a *answerer) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.asked = append(a.asked, req.Params.Message)
		res := a.answer
		return &res, nil
	}}
}

// In the single-user mode the operator is asked through his client, in both
// eras, and nothing is sent before he says yes.
func TestApprovalByElicitation(t *testing.T) {
	yes := mcp.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}
	for _, c := range []struct {
		name   string
		answer mcp.ElicitResult
		sent   int
		reason string
	}{
		{"yes", yes, 1, ""},
		{"accept without the word", mcp.ElicitResult{Action: "accept", Content: map[string]any{"approve": false}}, 0, "approval-"},
		{"no", mcp.ElicitResult{Action: "decline"}, 0, "approval-"},
		{"cancelled", mcp.ElicitResult{Action: "cancel"}, 0, "approval-"},
	} {
		for _, era := range []string{legacyEra, modernEra} {
			t.Run(c.name+" "+era, func(t *testing.T) {
				r := surfacetest.New()
				a := &answerer{answer: c.answer}
				s := connect(t, web(t, r, open(t), mcpserver.Options{Elicit: true}), "", era, a.options())
				res := store(t, s, map[string]any{"id": "\u202e7"})
				if r.Calls() != c.sent || res.IsError == (c.sent == 1) {
					t.Errorf("sent %d, result %+v", r.Calls(), res.StructuredContent)
				}
				if c.reason != "" && !strings.Contains(fmt.Sprint(res.StructuredContent), c.reason) {
					t.Errorf("%v", res.StructuredContent)
				}
				if len(a.asked) != 1 || !strings.Contains(a.asked[0], "eff/store, which writes") || !strings.Contains(a.asked[0], `"id":"\u202e7"`) || !strings.Contains(a.asked[0], "Digest") {
					t.Errorf("asked %q", a.asked)
				}
			})
		}
	}
}

// store finds the tool that writes and calls it.
func store(t *testing.T, s *mcp.ClientSession, args map[string]any) *mcp.CallToolResult {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "find_tools", Arguments: map[string]any{"need": surfacetest.Store}})
	if err != nil {
		t.Fatal(err)
	}
	found := res.StructuredContent.(map[string]any)["candidates"].([]any)[0].(map[string]any)
	res, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "call_tool", Arguments: map[string]any{"offer": found["offer"], "args": args}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// Nobody but the operator is asked, and only where the options and the client
// allow it.
func TestNobodyElseIsAsked(t *testing.T) {
	yes := mcp.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}
	for _, era := range []string{legacyEra, modernEra} {
		r := surfacetest.New()
		a := &answerer{answer: yes}
		for name, s := range map[string]*mcp.ClientSession{
			"a token's principal":      connect(t, web(t, r, bearer(t), mcpserver.Options{Elicit: true}), aliceKey, era, a.options()),
			"the option is off":        connect(t, web(t, r, open(t), mcpserver.Options{}), "", era, a.options()),
			"a client that cannot ask": connect(t, web(t, r, open(t), mcpserver.Options{Elicit: true}), "", era, nil),
		} {
			res := store(t, s, map[string]any{})
			if !res.IsError || !strings.Contains(fmt.Sprint(res.StructuredContent), "approval-required") || r.Calls() != 0 || len(a.asked) != 0 {
				t.Errorf("%s %s: %v, asked %v, sent %d", era, name, res.StructuredContent, a.asked, r.Calls())
			}
		}
	}
}

// In the newer era the client repeats the call with the answer. The state is
// of one call and is used once.
func TestAnswerIsOfOneCall(t *testing.T) {
	r := surfacetest.New()
	url := web(t, r, open(t), mcpserver.Options{Elicit: true})
	asks := strings.Replace(meta, `"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}`, 1)
	n := 0
	send := func(args, more string) string {
		n++
		status, _, body := post(t, url, "", "", modernEra, "tools/call", "call_tool",
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s,"name":"call_tool","arguments":%s%s}}`, n, asks, args, more))
		if status != 200 {
			t.Fatalf("%d %s", status, body)
		}
		return body
	}
	offer := webCaller(t, url, "", modernEra).offer(t, surfacetest.Store)
	args, other := `{"offer":`+offer+`,"args":{"id":1}}`, `{"offer":`+offer+`,"args":{"id":2}}`
	answer := `,"inputResponses":{"approve":{"action":"accept","content":{"approve":true}}},"requestState":`
	state := func(body string) string { return at(t, body, "/result/requestState") }

	asked := send(args, "")
	if at(t, asked, "/result/resultType") != `"input_required"` {
		t.Fatal(asked)
	}
	if body := send(other, answer+state(asked)); r.Calls() != 0 || !strings.Contains(body, "input_required") {
		t.Errorf("the answer served another call: %s", body)
	}
	if body := send(args, answer+state(asked)); r.Calls() != 0 || !strings.Contains(body, "input_required") {
		t.Errorf("a spent state served: %s", body)
	}
	if body := send(args, answer+`"invented"`); r.Calls() != 0 || !strings.Contains(body, "input_required") {
		t.Errorf("an invented state served: %s", body)
	}
	asked = send(args, "")
	if body := send(args, answer+state(asked)); r.Calls() != 1 || strings.Contains(body, "isError") {
		t.Errorf("the answer did not serve its call: %s", body)
	}
	if body := send(args, answer+state(asked)); r.Calls() != 1 || !strings.Contains(body, "input_required") {
		t.Errorf("the answer served twice: %s", body)
	}
	alice := webCaller(t, web(t, r, bearer(t), mcpserver.Options{Elicit: true}), aliceKey, modernEra)
	if body := alice.tool(t, "call_tool", `{"offer":`+alice.offer(t, surfacetest.Store)+`,"args":{}}`); !strings.Contains(body, "approval-required") {
		t.Errorf("a principal without the right was asked: %s", body)
	}
}

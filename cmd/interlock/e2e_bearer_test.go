package main

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
)

const (
	aliceToken = "alice-0123456789abcdef"
	bobToken   = "bob-0123456789abcdef"
)

// guarded serves two principals: bob sees nothing of what alice sees.
func guarded(t *testing.T) (*box, *serving) {
	t.Helper()
	b, _ := pinged(t)
	config := b.file("interlock.yaml", `
auth:
  tokens:
    - {name: alice, token: "file:`+b.file("alice", aliceToken)+`", tenant: a, allow: ["*"]}
    - {name: bob, token: "file:`+b.file("bob", bobToken)+`", tenant: b, allow: ["other/*"]}
`)
	b.env = append(b.env, "INTERLOCK_CONFIG="+config)
	return b, b.up()
}

// rpc sends one JSON-RPC message to /mcp.
func rpc(t *testing.T, url, token, session, message string) (status int, newSession, body string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url+"/mcp", strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Authorization": "Bearer " + token, "Mcp-Session-Id": session} {
		if value != "" && value != "Bearer " {
			req.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read only
	var text bytes.Buffer
	if _, err := io.Copy(&text, resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Mcp-Session-Id"), text.String()
}

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	findPing   = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find_tools","arguments":{"need":"ping the service"}}}`
)

// TestBearer: without a known token nobody is told anything, over HTTP and MCP,
// and a session is its owner's alone.
func TestBearer(t *testing.T) {
	b, s := guarded(t)
	need := `{"need":"ping the service","constraints":[{"family":"service.ping","range":"^1.0"}]}`
	for _, tc := range []struct {
		token  string
		status int
		holds  string
	}{{"", 401, "unauthenticated"}, {"wrong-0123456789abcdef", 401, "unauthenticated"}, {aliceToken, 200, "docs/ping"}, {bobToken, 200, "NoCompatibleContract"}} {
		status, text, err := post(s.url+"/v1/resolve", tc.token, need)
		if err != nil || status != tc.status || !strings.Contains(text, tc.holds) {
			t.Errorf("resolve with %q: %d %s %v", tc.token, status, text, err)
		}
		if tc.holds != "docs/ping" && strings.Contains(text, "docs/") {
			t.Errorf("resolve with %q tells of what it may not see: %s", tc.token, text)
		}
		if status, _, body := rpc(t, s.url, tc.token, "", initialize); status != tc.status {
			t.Errorf("initialize with %q: %d %s", tc.token, status, body)
		}
	}
	_, session, _ := rpc(t, s.url, aliceToken, "", initialize)
	if session == "" {
		t.Fatal("no session")
	}
	if status, _, body := rpc(t, s.url, aliceToken, session, findPing); status != 200 || !strings.Contains(body, "docs/ping") {
		t.Errorf("alice in her session: %d %s", status, body)
	}
	for _, token := range []string{bobToken, ""} {
		if status, _, body := rpc(t, s.url, token, session, findPing); status < 400 || strings.Contains(body, "docs/") {
			t.Errorf("%q in the session of alice: %d %s", token, status, body)
		}
	}
	if status, text, err := post(s.url+"/v1/sources", aliceToken, `{"name":"x","kind":"tools","file":"/etc/passwd"}`); err != nil || status != 403 {
		t.Errorf("a source over the network: %d %s %v", status, text, err)
	}
	if text := b.logged() + readAll(t, s.log); strings.Contains(text, aliceToken) || strings.Contains(text, bobToken) {
		t.Error("a token stands in a log")
	}
}

// TestBearerAgent: the real client with alice's token has alice's view, and is
// not asked in her place.
func TestBearerAgent(t *testing.T) {
	b, s := guarded(t)
	a := startAgent(t, "typescript", reach{URL: s.url + "/mcp", Headers: map[string]string{"Authorization": "Bearer " + aliceToken}, Elicit: true})
	offer := a.offer("docs/store", map[string]any{"need": "docs/store"})
	r := a.call("call_tool", map[string]any{"offer": offer, "args": map[string]any{}})
	if !r.IsError || r.Structured.Error.Reason != "approval-required" {
		t.Errorf("%+v", r)
	}
	var asked []string
	if a.ask(&asked, map[string]any{"op": "asked"}); len(asked) != 0 {
		t.Errorf("alice was asked to approve her own call: %q", asked)
	}
	b.must(nil, "approve", r.Structured.Error.Approval)
	r = a.call("call_tool", map[string]any{"offer": offer, "args": map[string]any{}, "approval": r.Structured.Error.Approval})
	if r.IsError || r.Structured.Result["ok"] != true {
		t.Errorf("%+v", r)
	}
	stranger := startAgent(t, "typescript", reach{URL: s.url + "/mcp"})
	_, err := stranger.out.ReadByte()
	stranger.finish()
	if told := stranger.err.String(); err == nil || !strings.Contains(told, "401") && !strings.Contains(told, "Unauthorized") {
		t.Errorf("a client without a token: %v %s", err, told)
	}
}

package mcpserver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
	"github.com/seed-ae386458/interlock/internal/surface/mcpserver"
	"github.com/seed-ae386458/interlock/internal/surface/surfacetest"
)

const (
	legacyEra = "2025-11-25"
	modernEra = "2026-07-28"
	aliceKey  = "alice-token-000000000000"
	bobKey    = "bob-token-0000000000000000"
)

// meta is what every request of the newer era carries.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`

// exact are arguments that a decoder would change.
const exact = `{"a":9223372036854775807,"b":1e400,"c":-0,"d":1.10,"n":null,"A":1E+2,"s":"caf\u00e9 é <b>&\/ 漢 \ud83d\ude00 ` + "\u2028" + `","z":[],"a2":{"x":1}}`

// caller sends one JSON-RPC request and gives the raw answer.
type caller func(method, params string) string

// tool calls a tool and gives the raw result.
func (c caller) tool(t *testing.T, name, args string) string {
	t.Helper()
	raw := c("tools/call", `{"name":"`+name+`","arguments":`+args+`}`)
	res, ok := rawjson.At([]byte(raw), "/result")
	if !ok {
		t.Fatalf("%s: %s", name, raw)
	}
	return string(res)
}

// at gives the raw text at a pointer.
func at(t *testing.T, text, pointer string) string {
	t.Helper()
	raw, ok := rawjson.At([]byte(text), pointer)
	if !ok {
		t.Fatalf("nothing at %s of %s", pointer, text)
	}
	return string(raw)
}

// offer finds a tool and gives its offer, in its quotes.
func (c caller) offer(t *testing.T, need string) string {
	t.Helper()
	return at(t, c.tool(t, "find_tools", `{"need":"`+need+`"}`), "/structuredContent/candidates/0/offer")
}

// pipes serves a face over pipes and gives a caller of the era.
func pipes(t *testing.T, face mcpserver.Face, who interlock.Principal, era string, opts mcpserver.Options) caller {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- mcpserver.ServeStdio(t.Context(), face, who, inR, outW, opts)
		_ = outW.Close()
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	lines := bufio.NewReader(outR)
	n := 0
	call := func(method, params string) string {
		n++
		if era == modernEra {
			params = strings.Replace(params, "{", "{"+meta+",", 1)
			params = strings.Replace(params, ",}", "}", 1)
		}
		if _, err := fmt.Fprintf(inW, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", n, method, params); err != nil {
			t.Fatal(err)
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	if era == legacyEra {
		call("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
		if _, err := io.WriteString(inW, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	return call
}

// bearer is a guard with two tokens.
func bearer(t testing.TB) *auth.Authenticator {
	t.Helper()
	guard, err := auth.New(auth.Config{Tokens: []auth.Token{
		{Name: "alice", Secret: aliceKey, Tenant: "a", Allow: []string{"*"}},
		{Name: "bob", Secret: bobKey, Tenant: "b", Allow: []string{"docs/*"}},
	}}, auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return guard
}

// open is the guard of the single-user mode.
func open(t testing.TB) *auth.Authenticator {
	t.Helper()
	guard, err := auth.New(auth.Config{}, auth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return guard
}

// web serves a face at the public door and gives its address.
func web(t testing.TB, r *surfacetest.Router, guard *auth.Authenticator, opts mcpserver.Options) string {
	t.Helper()
	face, err := mcpserver.NewHandler(r, opts)
	if err != nil {
		t.Fatal(err)
	}
	door, err := httpapi.Public(r, r, guard, httpapi.Options{MCP: face})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(door)
	t.Cleanup(func() { face.Close(); srv.Close() })
	return srv.URL
}

// remote serves a router behind a local socket and gives its client.
func remote(t *testing.T, r *surfacetest.Router) *httpapi.Client {
	t.Helper()
	door, err := httpapi.Operator(r, r, bearer(t), httpapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	srv := httpapi.NewServer(door, nil)
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	c := httpapi.DialSocket(path)
	t.Cleanup(func() { c.Close(); _ = srv.Close(); <-done })
	return c
}

// post sends one MCP message over HTTP and gives status, session and body; an
// event stream is read to its first message.
func post(t testing.TB, url, token, session, era, method, name, body string) (int, string, string) {
	t.Helper()
	req, err := http.NewRequest("POST", url+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	h := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": era}
	if token != "" {
		h["Authorization"] = "Bearer " + token
	}
	if session != "" {
		h["Mcp-Session-Id"] = session
	}
	if era == modernEra {
		h["Mcp-Method"], h["Mcp-Name"] = method, name
	}
	for k, v := range h {
		if v != "" {
			req.Header.Set(k, v)
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if _, data, ok := bytes.Cut(raw, []byte("data: ")); ok {
		raw, _, _ = bytes.Cut(data, []byte("\n\n"))
	}
	return resp.StatusCode, resp.Header.Get("Mcp-Session-Id"), string(raw)
}

// webCaller gives a caller over HTTP in the era.
func webCaller(t *testing.T, url, token, era string) caller {
	t.Helper()
	session := ""
	if era == legacyEra {
		status, id, body := post(t, url, token, "", "", "", "", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		if status != 200 || id == "" {
			t.Fatalf("initialize: %d %s", status, body)
		}
		session = id
		if status, _, body := post(t, url, token, session, era, "", "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`); status != 202 {
			t.Fatalf("initialized: %d %s", status, body)
		}
	}
	n := 0
	return func(method, params string) string {
		n++
		var p struct{ Name string }
		_ = json.Unmarshal([]byte(params), &p)
		if era == modernEra {
			params = strings.Replace(strings.Replace(params, "{", "{"+meta+",", 1), ",}", "}", 1)
		}
		status, _, body := post(t, url, token, session, era, method, p.Name, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, n, method, params))
		if status != 200 {
			t.Fatalf("%s: %d %s", method, status, body)
		}
		return body
	}
}

var aliceP = interlock.Principal{Name: "alice", Tenant: "a", Allow: []string{"*"}}

// everyWay runs a test over stdio in this process, stdio before a running
// server, and HTTP, in both eras, each as alice.
func everyWay(t *testing.T, test func(t *testing.T, r *surfacetest.Router, call caller)) {
	for _, era := range []string{legacyEra, modernEra} {
		t.Run("stdio "+era, func(t *testing.T) {
			r := surfacetest.New()
			test(t, r, pipes(t, r, aliceP, era, mcpserver.Options{}))
		})
		t.Run("stdio to a server "+era, func(t *testing.T) {
			r := surfacetest.New()
			test(t, r, pipes(t, remote(t, r), aliceP, era, mcpserver.Options{}))
		})
		t.Run("http "+era, func(t *testing.T) {
			r := surfacetest.New()
			test(t, r, webCaller(t, web(t, r, bearer(t), mcpserver.Options{}), aliceKey, era))
		})
		t.Run("http with streams "+era, func(t *testing.T) {
			r := surfacetest.New()
			test(t, r, webCaller(t, web(t, r, bearer(t), mcpserver.Options{Elicit: true}), aliceKey, era))
		})
	}
}

func TestCallsAreExact(t *testing.T) {
	everyWay(t, func(t *testing.T, r *surfacetest.Router, call caller) {
		for _, tool := range []string{"call_tool", "call_tool_read", "call_tool_write", "call_tool_destructive"} {
			res := call.tool(t, tool, `{"offer":`+call.offer(t, surfacetest.Echo)+`,"args":`+exact+`}`)
			if r.LastArgs() != exact {
				t.Errorf("%s: sent %s", tool, r.LastArgs())
			}
			if got := at(t, res, "/structuredContent/result/echo"); got != exact {
				t.Errorf("%s: came back as %s", tool, got)
			}
			if strings.Contains(res, `"isError"`) || at(t, res, "/structuredContent/receipt/id") == "" {
				t.Errorf("%s: %s", tool, res)
			}
			var text string
			if err := json.Unmarshal([]byte(at(t, res, "/content/0/text")), &text); err != nil || compact(t, text) != at(t, res, "/structuredContent") {
				t.Errorf("%s: the text is not the structured content: %v %s", tool, err, text)
			}
		}
	})
}

// compact takes the white space out and leaves the spelling.
func compact(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRefusedCalls(t *testing.T) {
	everyWay(t, func(t *testing.T, r *surfacetest.Router, call caller) {
		echo, store, broken := call.offer(t, surfacetest.Echo), call.offer(t, surfacetest.Store), call.offer(t, surfacetest.Broken)
		for _, c := range []struct{ tool, args, reason, stage, pointer string }{
			{"call_tool", `{"offer":"forged","args":{}}`, "offer-invalid", "recheck", ""},
			{"call_tool", `{"offer":` + echo + `,"args":{"fields":5}}`, "arguments-invalid", "recheck", "/fields"},
			{"call_tool", `{"offer":` + echo + `,"args":{"a":1,"a":2}}`, "arguments-invalid", "recheck", "/a"},
			{"call_tool", `{"offer":` + echo + `,"args":null}`, "arguments-invalid", "recheck", ""},
			{"call_tool", `{"offer":` + store + `,"args":{}}`, "approval-required", "recheck", ""},
			{"call_tool", `{"offer":` + store + `,"args":{},"approval":"ap0"}`, "approval-invalid", "recheck", ""},
			{"call_tool_read", `{"offer":` + store + `,"args":{}}`, "effect-too-strong", "recheck", ""},
			{"call_tool_write", `{"offer":` + store + `,"args":{}}`, "approval-required", "recheck", ""},
			{"call_tool", `{"tool":"docs/echo","args":{}}`, "request-invalid", "surface", "/tool"},
			{"call_tool", `{"offer":` + echo + `,"arguments":{}}`, "request-invalid", "surface", "/arguments"},
			{"call_tool", `{"offer":` + echo + `,"insensitive":true,"args":{}}`, "request-invalid", "surface", "/insensitive"},
			{"call_tool", `{"args":{}}`, "request-invalid", "surface", "/offer"},
			{"call_tool", `{}`, "request-invalid", "surface", "/offer"},
			{"call_tool", `{"offer":` + broken + `,"args":{}}`, "result-invalid", "validate", ""},
			{"find_tools", `{}`, "request-invalid", "surface", "/need"},
			{"find_tools", `{"need":"x","kk":1}`, "request-invalid", "surface", "/kk"},
			{"find_tools", `{"need":"x","constraints":[{"family":"f","range":"oops"}]}`, "range-invalid", "eligible", "/constraints/0/range"},
			{"find_tools", `{"need":"fail"}`, "internal", "", ""},
			{"describe_tools", `{"tools":[]}`, "request-invalid", "surface", "/tools"},
		} {
			res := call.tool(t, c.tool, c.args)
			var got struct {
				IsError           bool
				StructuredContent struct {
					Error   struct{ Reason, Stage, Message, Pointer string }
					Refusal json.RawMessage
				}
			}
			if err := json.Unmarshal([]byte(res), &got); err != nil {
				t.Fatal(err)
			}
			e := got.StructuredContent.Error
			if !got.IsError || e.Reason != c.reason || e.Stage != c.stage || e.Pointer != c.pointer || e.Message == "" || string(got.StructuredContent.Refusal) != "null" || strings.Contains(res, "hunter2") {
				t.Errorf("%s %s: %s", c.tool, c.args, res)
			}
		}
		if n := r.Calls(); n != 1 { // the one whose result breaks
			t.Errorf("%d calls were sent", n)
		}
	})
}

func TestContentBlocksComeThrough(t *testing.T) {
	everyWay(t, func(t *testing.T, _ *surfacetest.Router, call caller) {
		res := call.tool(t, "call_tool", `{"offer":`+call.offer(t, surfacetest.Image)+`,"args":{"n":1.10}}`)
		want := `[{"type":"text","text":"a <b>cat<\/b> & caf\u00e9"},{"type":"image","data":"aGk=","mimeType":"image/png","_meta":{"n":1.10}}]`
		if got := at(t, res, "/content"); got != want {
			t.Errorf("content %s", got)
		}
		if got := at(t, res, "/structuredContent/result/echo/n"); got != "1.10" || strings.Contains(at(t, res, "/structuredContent"), `"content"`) {
			t.Errorf("structured content %s", res)
		}
	})
}

var anyOffer = regexp.MustCompile(`offer\d{27}`)

// A need has the same bytes over MCP as over /v1, offers apart, and a refused
// need is no error.
func TestNeedsAreAnsweredAlike(t *testing.T) {
	everyWay(t, func(t *testing.T, r *surfacetest.Router, call caller) {
		door, err := httpapi.Public(r, r, bearer(t), httpapi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, need := range []string{
			`{"need":"Echo a document; Break <every> promise & more","have":["a"],"k":3}`, `{"need":"nothing like it"}`,
			`{"need":"x","constraints":[{"family":"f","range":"^2.0"}]}`, `{"need":"img/picture","effects":["read"]}`,
		} {
			req := httptest.NewRequest("POST", "/v1/resolve", strings.NewReader(need))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Authorization", "Bearer "+aliceKey)
			w := httptest.NewRecorder()
			door.ServeHTTP(w, req)
			res := call.tool(t, "find_tools", need)
			got, want := anyOffer.ReplaceAllString(at(t, res, "/structuredContent"), "o"), anyOffer.ReplaceAllString(w.Body.String(), "o")
			if w.Code != 200 || got != want || strings.Contains(res, `"isError"`) {
				t.Errorf("%s\nmcp  %s\nhttp %s", need, got, want)
			}
		}
	})
}

func TestDescribeTools(t *testing.T) {
	everyWay(t, func(t *testing.T, _ *surfacetest.Router, call caller) {
		res := call.tool(t, "describe_tools", `{"tools":["docs/echo","no/such"]}`)
		if at(t, res, "/structuredContent/tools/0/input_schema/properties/n") != `{"maximum":9223372036854775807,"description":"<b>caf\u00e9<\/b>"}` || at(t, res, "/structuredContent/missing") != `["no/such"]` {
			t.Error(res)
		}
	})
}

// The tools have schemas that the strictest clients take, and say truly what
// they do.
func TestToolList(t *testing.T) {
	everyWay(t, func(t *testing.T, _ *surfacetest.Router, call caller) {
		var list struct {
			Tools []struct {
				Name, Description string
				InputSchema       map[string]any
				OutputSchema      any
				Annotations       struct{ ReadOnlyHint, DestructiveHint bool }
			}
		}
		if err := json.Unmarshal([]byte(at(t, call("tools/list", "{}"), "/result")), &list); err != nil {
			t.Fatal(err)
		}
		readOnly := map[string]bool{"find_tools": true, "describe_tools": true, "call_tool": false, "call_tool_read": true, "call_tool_write": false, "call_tool_destructive": false}
		destructive := map[string]bool{"call_tool": true, "call_tool_destructive": true}
		if len(list.Tools) != len(readOnly) {
			t.Errorf("%d tools", len(list.Tools))
		}
		for _, tool := range list.Tools {
			want, known := readOnly[tool.Name]
			if !known || tool.Annotations.ReadOnlyHint != want || tool.Annotations.DestructiveHint != destructive[tool.Name] || tool.OutputSchema != nil || tool.Description == "" {
				t.Errorf("%+v", tool)
			}
			plainSchema(t, tool.Name, tool.InputSchema)
			if tool.InputSchema["type"] != "object" {
				t.Errorf("%s: the root is no object", tool.Name)
			}
		}
	})
}

// plainSchema allows the keywords that every client takes, and asks every
// object for its properties.
func plainSchema(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	for key, v := range schema {
		switch key {
		case "type", "description", "enum", "required", "minimum", "maximum", "additionalProperties":
		case "properties":
			for name, sub := range v.(map[string]any) {
				plainSchema(t, at+"/"+name, sub.(map[string]any))
			}
		case "items":
			plainSchema(t, at+"/items", v.(map[string]any))
		default:
			t.Errorf("%s uses %s", at, key)
		}
	}
	if _, ok := schema["properties"]; schema["type"] == "object" && !ok {
		t.Errorf("%s: an object without properties", at)
	}
}

// A panic is one failed call: the one beside it is answered, by the same process.
func TestPanicIsAFailedCall(t *testing.T) {
	everyWay(t, func(t *testing.T, _ *surfacetest.Router, call caller) {
		got := call.tool(t, "call_tool", `{"offer":`+call.offer(t, surfacetest.Panics)+`}`)
		if reason := at(t, got, "/structuredContent/error/reason"); reason != `"internal"` || at(t, got, "/isError") != "true" || strings.Contains(got, "mcpserver") {
			t.Errorf("%s", got)
		}
		if got := call.tool(t, "find_tools", `{"need":"docs/echo"}`); at(t, got, "/structuredContent/disposition") != `"supported"` {
			t.Errorf("after the panic: %s", got)
		}
	})
}

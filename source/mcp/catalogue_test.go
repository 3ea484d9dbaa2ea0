package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
)

func readPages(t *testing.T, pages map[string]string, cfg interlock.SourceConfig) interlock.Catalogue {
	t.Helper()
	ts := httptest.NewServer(&webServer{raw: &rawServer{pages: pages}})
	t.Cleanup(ts.Close)
	cfg.URL = ts.URL
	cat, err := openSource(t, Options{}, cfg).Catalogue(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// summary is a catalogue in lines: its operations, then its findings.
func summary(cat interlock.Catalogue) []string {
	lines := []string{fmt.Sprintf("%s total %d", cat.Identity, cat.Total)}
	for _, op := range cat.Operations {
		lines = append(lines, strings.TrimSpace(op.Name+" "+string(op.Effect)+" "+op.Version))
	}
	for _, f := range cat.Findings {
		mark := "note"
		if f.Dropped {
			mark = "dropped"
		}
		lines = append(lines, f.Pointer+" "+mark+": "+f.Reason)
	}
	return lines
}

const object = `{"type":"object"}`

func TestPages(t *testing.T) {
	tool := func(name string) string { return `{"name":"` + name + `","inputSchema":` + object + `}` }
	page := func(next string, tools ...string) string {
		return `{"tools":[` + strings.Join(tools, ",") + `],"nextCursor":` + next + `}`
	}
	tests := []struct {
		name  string
		pages map[string]string
		want  []string
	}{
		{"three pages", map[string]string{"": page(`"b"`, tool("a")), "b": page(`"\u0063"`, tool("b")), "c": page(`null`, tool("c"))},
			[]string{"raw total 3", "a unknown", "b unknown", "c unknown"}},
		{"no tools", map[string]string{"": `{"tools":[]}`}, []string{"raw total 0"}},
		{"a cursor that repeats", map[string]string{"": page(`"b"`, tool("a")), "b": page(`"b"`, tool("b"))},
			[]string{"raw total 2", "a unknown", "b unknown",
				`/tools note: the cursor "b" came a second time: the list of tools does not end; what follows is not read`}},
		{"a cycle of two", map[string]string{"": page(`"b"`, tool("a")), "b": page(`"c"`), "c": page(`"b"`)},
			[]string{"raw total 1", "a unknown",
				`/tools note: the cursor "b" came a second time: the list of tools does not end; what follows is not read`}},
		{"a name twice, over pages", map[string]string{"": page(`"b"`, tool("a"), tool("x")), "b": page(`null`, tool("a"))},
			[]string{"raw total 3", "x unknown",
				`/tools/0 dropped: the server lists the name "a" 2 times; none of them is taken`,
				`/tools/2 dropped: the server lists the name "a" 2 times; none of them is taken`}},
		{"a name twice, once broken", map[string]string{"": page(`null`, tool("a"), `{"name":"a","inputSchema":7}`)},
			[]string{"raw total 2", `/tools/1/inputSchema dropped: the input schema is not an object`,
				`/tools/0 dropped: the server lists the name "a" 2 times; none of them is taken`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, summary(readPages(t, tt.pages, interlock.SourceConfig{}))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestEndlessPages meets a server that always has another page.
func TestEndlessPages(t *testing.T) {
	n := 0
	srv := &webServer{raw: &rawServer{}}
	srv.before = func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
		var m wire
		if _ = json.Unmarshal(body, &m); m.Method != "tools/list" {
			return false
		}
		n++
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"t%d","inputSchema":{}}],"nextCursor":"c%d"}}`, m.ID, n, n)
		return true
	}
	cat, err := openWeb(t, Options{}, srv).Catalogue(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(cat.Operations) != maxPages || len(cat.Findings) != 1 || !strings.Contains(cat.Findings[0].Reason, "after 1000 pages") {
		t.Errorf("%d operations, findings %v", len(cat.Operations), cat.Findings)
	}
}

func TestBadDefinitionsCostThemselves(t *testing.T) {
	bad := []struct{ tool, want string }{
		{`7`, " dropped: the definition is not a JSON object"},
		{`{"inputSchema":{}}`, "/name dropped: the tool has no name"},
		{`{"name":7,"inputSchema":{}}`, "/name dropped: the name is not a string"},
		{`{"name":"b"}`, "/inputSchema dropped: the tool has no input schema"},
		{`{"name":"c","inputSchema":true}`, "/inputSchema dropped: the input schema is not an object"},
		{`{"name":"d","inputSchema":{"type":"string"}}`, "/inputSchema/type dropped: the input schema describes no object, and arguments are always one"},
		{`{"name":"e","inputSchema":{"type":["null","string"]}}`, "/inputSchema/type dropped: the input schema describes no object, and arguments are always one"},
		{`{"name":"f","inputSchema":{},"outputSchema":"text"}`, "/outputSchema dropped: the output schema is not an object"},
		{`{"name":"g","inputSchema":{"a":1,"a":2}}`, ` dropped: the definition: json duplicate at "/inputSchema/a", offset 33: the member name stands in this object already`},
	}
	good := []string{
		`{"name":"ok1","inputSchema":{"type":["object","null"]}}`,
		`{"name":"ok2","inputSchema":{"$ref":"#/$defs/a","$defs":{"a":{}}},"outputSchema":null}`,
		`{"name":"ok3","inputSchema":{},"title":7,"annotations":[]}`,
	}
	var tools []string
	want := []string{fmt.Sprintf("raw total %d", len(bad)+len(good)), "ok1 unknown", "ok2 unknown", "ok3 unknown"}
	for i, b := range bad {
		tools = append(tools, b.tool)
		want = append(want, fmt.Sprintf("/tools/%d%s", i, b.want))
	}
	want = append(want, "/tools/11/title note: the title is not a string and is left out", "/tools/11/annotations note: the annotations are not a JSON object")
	got := summary(readPages(t, onePage(append(tools, good...)...), interlock.SourceConfig{}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDefinitionsAreKeptAsWritten(t *testing.T) {
	in := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","x-odd":[1e400,-0],"properties":{"b":{"maximum":9223372036854775807,"default":1.10},"a":{"pattern":"\u00e9\/"}}}`
	out := `{"additionalProperties":false,"type":"object"}`
	notes := `{"title":"From notes","readOnlyHint":true,"x":1.0}`
	cat := readPages(t, onePage(`{"name":"t","description":"Does it","inputSchema":`+in+`,"outputSchema":`+out+`,"annotations":`+notes+`}`), interlock.SourceConfig{})
	if len(cat.Operations) != 1 {
		t.Fatal(summary(cat))
	}
	op := cat.Operations[0]
	var b binding
	if err := json.Unmarshal(op.Binding, &b); err != nil || b.Tool != "t" || b.Transport != "http" || !strings.HasPrefix(b.URL, "http://127.0.0.1:") {
		t.Errorf("binding = %s", op.Binding)
	}
	got := []string{string(op.InputSchema), string(op.OutputSchema), string(op.Annotations), op.Title, op.Variants[0].ID, op.Variants[0].Description}
	if diff := cmp.Diff([]string{in, out, notes, "From notes", "default", "Does it"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTrustAndVersions(t *testing.T) {
	tools := onePage(
		`{"name":"a","inputSchema":{},"annotations":{"readOnlyHint":true,"idempotentHint":true},"_meta":{"version":"1.2.3"}}`,
		`{"name":"b","inputSchema":{},"annotations":{"destructiveHint":false},"_meta":{"org.example/version":"2.0.0-rc.1","x":1}}`,
		`{"name":"c","inputSchema":{},"annotations":{"readOnlyHint":false}}`,
		`{"name":"d","inputSchema":{},"annotations":{"title":"D","readOnlyHint":"true"},"_meta":{"version":"v1.0.0"}}`,
		`{"name":"e","inputSchema":{},"_meta":{"version":1}}`,
		`{"name":"f","inputSchema":{},"annotations":{"destructiveHint":true},"_meta":{"a/version":"1.0.0","b/version":"2.0.0"}}`,
	)
	findings := []string{
		`/tools/3/_meta/version note: the version "v1.0.0" is not MAJOR.MINOR.PATCH and is left out`,
		`/tools/4/_meta/version note: the version 1 is not MAJOR.MINOR.PATCH and is left out`,
		`/tools/5/_meta/b~1version note: the version 2.0.0 contradicts 1.0.0; the first one counts`,
	}
	untrusted := append([]string{"raw total 6", "a unknown 1.2.3", "b unknown 2.0.0-rc.1", "c unknown", "d unknown", "e unknown", "f unknown 1.0.0"}, findings...)
	trusted := append([]string{"raw total 6", "a read 1.2.3", "b write 2.0.0-rc.1", "c destructive", "d unknown", "e unknown", "f destructive 1.0.0"}, findings...)
	if diff := cmp.Diff(untrusted, summary(readPages(t, tools, interlock.SourceConfig{}))); diff != "" {
		t.Errorf("untrusted (-want +got):\n%s", diff)
	}
	cat := readPages(t, tools, interlock.SourceConfig{Trust: interlock.TrustAnnotations})
	if diff := cmp.Diff(trusted, summary(cat)); diff != "" {
		t.Errorf("trusted (-want +got):\n%s", diff)
	}
	if idem := cat.Operations[0].Idempotent; idem == nil || !*idem {
		t.Errorf("idempotent = %v", idem)
	}
}

func TestCatalogueFailures(t *testing.T) {
	list := func(answer string, status int) *webServer {
		s := &webServer{raw: &rawServer{}}
		s.before = func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
			var m wire
			if _ = json.Unmarshal(body, &m); m.Method != "tools/list" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			fmt.Fprintf(w, strings.ReplaceAll(answer, "ID", "%s"), m.ID)
			return true
		}
		return s
	}
	for _, tt := range []struct {
		name, answer string
		status       int
		want         interlock.Reason // empty: a catalogue with one finding
	}{
		{"an error", `{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"no"}}`, 200, interlock.ReasonSourceRefused},
		{"no such method", `{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"no"}}`, 200, ""},
		{"no list", `{"jsonrpc":"2.0","id":ID,"result":{}}`, 200, interlock.ReasonResultMalformed},
		{"another's answer", `{"jsonrpc":"2.0","id":1ID,"result":{"tools":[]}}`, 200, interlock.ReasonResultMalformed},
		{"a web page", `<html>ID`, 200, interlock.ReasonResultMalformed},
		{"unauthorised", `ID`, 401, interlock.ReasonNeedsAuth},
		{"overloaded", `ID`, 503, interlock.ReasonSourceFailed},
	} {
		cat, err := openWeb(t, Options{}, list(tt.answer, tt.status)).Catalogue(context.Background())
		if tt.want == "" {
			if err != nil || len(cat.Findings) != 1 {
				t.Errorf("%s: %v, findings %v", tt.name, err, cat.Findings)
			}
			continue
		}
		if e := interlock.AsError(err); e.Reason != tt.want || e.Public == "" {
			t.Errorf("%s: reason %s (%v), want %s", tt.name, e.Reason, err, tt.want)
		}
	}
}

// TestRealServers reads and calls the SDK's own server in both eras.
func TestRealServers(t *testing.T) {
	server := sdk.NewServer(&sdk.Implementation{Name: "sdk-server", Version: "1.0.0"}, &sdk.ServerOptions{PageSize: 2})
	type in struct {
		Text string `json:"text"`
	}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		sdk.AddTool(server, &sdk.Tool{Name: name}, func(_ context.Context, _ *sdk.CallToolRequest, v in) (*sdk.CallToolResult, in, error) {
			return nil, v, nil
		})
	}
	get := func(*http.Request) *sdk.Server { return server }
	for _, tt := range []struct {
		name     string
		opts     sdk.StreamableHTTPOptions
		ask      string
		revision string
	}{
		{"stateless", sdk.StreamableHTTPOptions{Stateless: true}, "", "2026-07-28"},
		{"stateful", sdk.StreamableHTTPOptions{}, "", "2025-11-25"},
		{"stateful, json", sdk.StreamableHTTPOptions{JSONResponse: true}, "", "2025-11-25"},
		{"stateless, asked for the older", sdk.StreamableHTTPOptions{Stateless: true}, "2025-06-18", "2025-06-18"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := openWeb(t, Options{Revision: tt.ask}, sdk.NewStreamableHTTPHandler(get, &tt.opts))
			cat, err := s.Catalogue(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			want := []string{"sdk-server total 5", "a unknown", "b unknown", "c unknown", "d unknown", "e unknown"}
			if diff := cmp.Diff(want, summary(cat)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := s.current.Load().revision; got != tt.revision {
				t.Errorf("revision %s, want %s", got, tt.revision)
			}
			reply, err := s.Call(context.Background(), outbound(s, "c", `{"text":"é"}`, interlock.EffectRead))
			if err != nil || string(reply.Result) != `{"text":"é"}` {
				t.Errorf("result %s, %v", reply.Result, err)
			}
		})
	}
}

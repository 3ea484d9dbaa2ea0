package manifest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

func TestEveryPart(t *testing.T) {
	text, err := os.ReadFile("testdata/docs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	want := interlock.Catalogue{Source: "docs", Tenant: "shared", Total: 3, Places: []string{"/tools/0", "/tools/1", "/tools/2"}, Findings: []interlock.Finding{},
		Operations: []interlock.Operation{
			{Name: "extract_v2", Title: "Extract", Family: "document.extract", Version: "2.3.0", Effect: "read", State: "active", Aliases: []string{"read document"},
				Tags:        map[string]string{"team": "docs", "data": "internal"},
				Variants:    []interlock.Variant{{ID: "default", Description: "Extract fields from a document"}, {ID: "short", Description: "Extract"}},
				InputSchema: json.RawMessage(`{"type":"object","properties":{"document":{"type":"string","maxLength":9223372036854775807},"rate":{"maximum":1e400,"default":1.10}},"required":["document"]}`), OutputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`),
				Errors: []interlock.ErrorCase{{When: "not_found", Status: 404}, {When: "busy", Code: "E7"}},
				Fields: []interlock.FieldMeaning{{At: "output:/temperature", SemanticID: "air_temperature", Unit: "Cel", Qualifiers: map[string]string{"height": "2m"}, Format: "f"}},
				Scopes: []string{"documents.read"}, Idempotent: &yes, Results: "warn", Timeout: "5s",
				Probing: &interlock.Probing{Sandbox: true, Args: json.RawMessage(`{"dry_run":true}`)},
				Canaries: []interlock.Canary{{Args: json.RawMessage(`{"document":"a"}`), Expect: interlock.Expectation{Result: json.RawMessage(`{"text":"b"}`)}},
					{Args: json.RawMessage(`{"document":"none"}`), Expect: interlock.Expectation{Error: "not_found"}, Shows: "phantom_success",
						Then: &interlock.ReadBack{Tool: "look", Args: json.RawMessage(`{}`), Expect: interlock.Expectation{Result: json.RawMessage(`{"seen":1}`)}}}},
				Binding: json.RawMessage(`{"method":"POST","url":"http://127.0.0.1:8900/v2/extract","trusted":true,"body":{"media":"application/json","required":true}}`)},
			{Name: "look", Variants: []interlock.Variant{{ID: "d", Description: "Look"}}, InputSchema: json.RawMessage(`{"type":"object"}`),
				Binding: json.RawMessage(`{"method":"GET","url":"http://127.0.0.1:8900/look?fixed=1","trusted":true,"query":true}`)},
			{Name: "static", State: "retired", Variants: []interlock.Variant{{ID: "d", Description: "Nothing to call"}}, InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage("true")},
		},
		Edges: []interlock.Edge{{Family: "document.extract", From: "2.3.0", To: "3.0.0", Compat: "none"}},
		Overlays: []interlock.Overlay{{Tool: "weather/current", Family: "weather.current", Version: "1.2.0", Effect: "read", State: "deprecated", Aliases: []string{"a"},
			Tags: map[string]string{"k": "v"}, Fields: []interlock.FieldMeaning{{At: "input:"}}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !follows(t, text) {
		t.Error("the published schema refuses it")
	}
	turned, err := yamljson.Parse(text, yamljson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read(turned.Root.JSON())
	if diff := cmp.Diff(want, again); diff != "" || err != nil {
		t.Errorf("as JSON it reads otherwise: %v\n%s", err, diff)
	}
}

// follows holds a manifest against the published schema.
func follows(t *testing.T, text []byte) bool {
	t.Helper()
	doc, err := yamljson.Parse(text, yamljson.Limits{})
	if err != nil {
		return false
	}
	decode := func(raw []byte) any {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("manifest.schema.json", decode(Schema())); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("manifest.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(decode(doc.Root.JSON())) == nil
}

const ring = `{"name":"ring","variants":[{"id":"d","description":"Ring"}]}`

// A wrong whole is an error that points at the place.
func TestWholeRefused(t *testing.T) {
	for _, tc := range []struct{ name, text, pointer, says string }{
		{"empty", "", "", "empty"},
		{"no YAML", "a: [", "", "YAML"},
		{"a list", "[]", "", "object"},
		{"no format", `{"source":"s"}`, "/interlock", "interlock: 1"},
		{"another format", `{"interlock":2,"source":"s"}`, "/interlock", "interlock: 1"},
		{"the format as text", `{"interlock":"1","source":"s"}`, "/interlock", "interlock: 1"},
		{"no source", `{"interlock":1}`, "", `"source" is missing`},
		{"a source that is no name", `{"interlock":1,"source":"a/b"}`, "/source", "no name"},
		{"a tenant that is no text", `{"interlock":1,"source":"a","tenant":7}`, "/tenant", "text"},
		{"an unknown key", `{"interlock":1,"source":"a","tool":[]}`, "/tool", `is "tools" meant?`},
		{"a key like no other", `{"interlock":1,"source":"a","x-y":[]}`, "/x-y", "known are interlock, source"},
		{"tools that are no list", `{"interlock":1,"source":"a","tools":{}}`, "/tools", "list"},
	} {
		_, err := Read([]byte(tc.text))
		e := interlock.AsError(err)
		if err == nil || e.Reason != interlock.ReasonSourceInvalid || e.Pointer != tc.pointer || !strings.Contains(e.Public, tc.says) {
			t.Errorf("%s: %v at %q; want %q at %q", tc.name, err, e.Pointer, tc.says, tc.pointer)
		}
		if tc.text != "" && follows(t, []byte(tc.text)) {
			t.Errorf("%s: the published schema takes it", tc.name)
		}
	}
	if _, err := Read([]byte(`{"interlock":1,"source":"a","source":"b"}`)); interlock.AsError(err).Pointer != "/source" {
		t.Errorf("a name given twice: %v", err)
	}
}

// A wrong tool costs itself alone. The published schema refuses it as well,
// but for what no schema can say (marked ~).
func TestWrongTools(t *testing.T) {
	with := func(members string) string {
		return `{"name":"bad","variants":[{"id":"d","description":"Bad"}],` + members + `}`
	}
	for _, tc := range []struct{ name, tool, pointer, says string }{
		{"no object", `7`, "/tools/1", "object"},
		{"no name", `{"variants":[{"id":"d","description":"x"}]}`, "/tools/1", `"name" is missing`},
		{"~a name that cannot be printed", `{"name":"a\nb","variants":[{"id":"d","description":"x"}]}`, "/tools/1/name", "printed"},
		{"~the name of another", ring, "/tools/1/name", "/tools/0"},
		{"no variants", `{"name":"bad"}`, "/tools/1", "variants"},
		{"empty variants", `{"name":"bad","variants":[]}`, "/tools/1", "variants"},
		{"a variant without words", `{"name":"bad","variants":[{"id":"d"}]}`, "/tools/1/variants/0", "description"},
		{"~one variant twice", `{"name":"bad","variants":[{"id":"d","description":"x"},{"id":"d","description":"y"}]}`, "/tools/1/variants/1/id", "two variants"},
		{"a sandbox of what is never probed", with(`"probe":{"never":true,"sandbox":true}`), "/tools/1/probe", "stands alone"},
		{"arguments of probes that are none", with(`"probe":{"args":7}`), "/tools/1/probe/args", "object"},
		{"a canary that expects nothing", with(`"canaries":[{"args":{},"expect":{}}]`), "/tools/1/canaries/0/expect", "either"},
		{"a canary that expects both", with(`"errors":[{"when":"x"}],"canaries":[{"args":{},"expect":{"error":"x","result":{}}}]`), "/tools/1/canaries/0/expect", "either"},
		{"a canary without arguments", with(`"canaries":[{"expect":{"result":{}}}]`), "/tools/1/canaries/0", `"args" is missing`},
		{"a canary that shows no kind", with(`"canaries":[{"args":{},"expect":{"result":{}},"shows":"Not A Kind"}]`), "/tools/1/canaries/0/shows", "no kind"},
		{"a canary that reads nothing back", with(`"canaries":[{"args":{},"expect":{"result":{}},"then":{"tool":"x","args":{}}}]`), "/tools/1/canaries/0/then", `"expect" is missing`},
		{"~a canary of an error that is not documented", with(`"canaries":[{"args":{},"expect":{"error":"x"}}]`), "/tools/1/canaries/0/expect/error", "no documented error"},
		{"an unknown key", with(`"famly":"a.b"`), "/tools/1/famly", `is "family" meant?`},
		{"an unknown key further in", with(`"http":{"method":"GET","uri":"http://h/"}`), "/tools/1/http/uri", `is "url" meant?`},
		{"a family that is none", with(`"family":"a..b"`), "/tools/1/family", "document.extract"},
		{"a family of every family", with(`"family":"*"`), "/tools/1/family", "document.extract"},
		{"a version with a v", with(`"version":"v1.0.0"`), "/tools/1/version", "MAJOR.MINOR.PATCH"},
		{"a version of two parts", with(`"version":"1.0"`), "/tools/1/version", "MAJOR.MINOR.PATCH"},
		{"a version that is a number", with(`"version":1.0`), "/tools/1/version", "quotes"},
		{"an effect that is none", with(`"effect":"reads"`), "/tools/1/effect", "read, write, destructive"},
		{"two effects", with(`"effect":"read write"`), "/tools/1/effect", "none of"},
		{"a state that nobody declares", with(`"state":"pending"`), "/tools/1/state", "active, deprecated, retired"},
		{"aliases that are no list", with(`"aliases":"a"`), "/tools/1/aliases", "list"},
		{"an empty alias", with(`"aliases":[""]`), "/tools/1/aliases/0", "empty"},
		{"a tag that is a number", with(`"tags":{"a":1}`), "/tools/1/tags/a", "quotes"},
		{"a schema that is a list", with(`"input_schema":[]`), "/tools/1/input_schema", "object or a boolean"},
		{"a schema that is text", with(`"output_schema":"x"`), "/tools/1/output_schema", "object or a boolean"},
		{"an error without its case", with(`"errors":[{"status":404}]`), "/tools/1/errors/0", `"when" is missing`},
		{"a status that is none", with(`"errors":[{"when":"x","status":99}]`), "/tools/1/errors/0/status", "100 to 599"},
		{"a field without a place", with(`"fields":[{"unit":"m"}]`), "/tools/1/fields/0", `"at" is missing`},
		{"a field in no place", with(`"fields":[{"at":"/a"}]`), "/tools/1/fields/0/at", "output:/name"},
		{"results that are none", with(`"results":"lax"`), "/tools/1/results", "strict, warn, off"},
		{"idempotent that is text", with(`"idempotent":"yes"`), "/tools/1/idempotent", "true or false"},
		{"a method that is none", with(`"http":{"method":"FETCH","url":"http://h/"}`), "/tools/1/http/method", "GET, POST"},
		{"no address", with(`"http":{"method":"GET"}`), "/tools/1/http", `"url" is missing`},
		{"a relative address", with(`"http":{"method":"GET","url":"/x"}`), "/tools/1/http/url", "absolute"},
		{"an address with a hole", with(`"http":{"method":"GET","url":"http://h/{x}"}`), "/tools/1/http/url", "{x}"},
		{"~an address with a password", with(`"http":{"method":"GET","url":"http://u:p@h/"}`), "/tools/1/http/url", "reference"},
		{"a timeout that is none", with(`"http":{"method":"GET","url":"http://h/","timeout":"soon"}`), "/tools/1/http/timeout", "5s"},
		{"a timeout in the past", with(`"http":{"method":"GET","url":"http://h/","timeout":"-5s"}`), "/tools/1/http/timeout", "5s"},
		{"~a name given twice", `{"name":"bad","name":"worse","variants":[{"id":"d","description":"x"}]}`, "/tools/1/name", "twice"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := `{"interlock":1,"source":"s","tools":[` + ring + `,` + tc.tool + `]}`
			c, err := Read([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if c.Total != 2 || len(c.Operations) != 1 || c.Operations[0].Name != "ring" || len(c.Findings) != 1 {
				t.Fatalf("%d of %d, %v", len(c.Operations), c.Total, c.Findings)
			}
			if f := c.Findings[0]; f.Pointer != tc.pointer || !strings.Contains(f.Reason, tc.says) || !f.Dropped {
				t.Errorf("%+v; want %q at %s", f, tc.says, tc.pointer)
			}
			if takes := follows(t, []byte(text)); takes != strings.HasPrefix(tc.name, "~") {
				t.Errorf("the published schema takes it: %v", takes)
			}
		})
	}
}

func TestWrongEdgesAndOverlays(t *testing.T) {
	for _, tc := range []struct{ part, text, pointer, says string }{
		{"edges", `{"family":"a","from":"1.0.0","to":"2.0.0","compat":"partial"}`, "/edges/1/compat", "backward, full, none"},
		{"edges", `{"family":"a","from":"1","to":"2.0.0","compat":"none"}`, "/edges/1/from", "MAJOR"},
		{"edges", `{"from":"1.0.0","to":"2.0.0","compat":"none"}`, "/edges/1", `"family" is missing`},
		{"edges", `{"family":"a","from":"1.0.0","to":"2.0.0","compat":"none","why":"x"}`, "/edges/1/why", "known are"},
		{"edges", `{"family":"a","from":"1.0.0","to":"1.0.0","compat":"none"}`, "/edges/1/to", "itself"},
		{"edges", `{"family":"a","family":"b","from":"1.0.0","to":"1.0.1","compat":"none"}`, "/edges/1/family", "twice"},
		{"overlay", `{"family":"a"}`, "/overlay/1", `"tool" is missing`},
		{"overlay", `{"tool":"a/b","variants":[]}`, "/overlay/1/variants", "not known"},
		{"overlay", `{"tool":"a/b","effect":"x"}`, "/overlay/1/effect", "none of"},
	} {
		good := `{"family":"a","from":"1.0.0","to":"2.0.0","compat":"full"}`
		if tc.part == "overlay" {
			good = `{"tool":"a/b"}`
		}
		c, err := Read([]byte(fmt.Sprintf(`{"interlock":1,"source":"s","%s":[%s,%s]}`, tc.part, good, tc.text)))
		if err != nil || len(c.Edges)+len(c.Overlays) != 1 || len(c.Findings) != 1 || c.Findings[0].Dropped || c.Findings[0].Pointer != tc.pointer || !strings.Contains(c.Findings[0].Reason, tc.says) {
			t.Errorf("%s: %v %+v; want %q at %s", tc.text, err, c, tc.says, tc.pointer)
		}
	}
}

func TestEveryFaultIsNamed(t *testing.T) {
	c, err := Read([]byte(`{"interlock":1,"source":"s","tools":[{"name":"x","version":"1","effect":"y","variants":[]}]}`))
	if err != nil || len(c.Findings) != 1 {
		t.Fatal(err, c.Findings)
	}
	for _, part := range []string{"/tools/0/effect", "variants"} {
		if !strings.Contains(c.Findings[0].Reason, part) {
			t.Errorf("%q says nothing of %s", c.Findings[0].Reason, part)
		}
	}
}

// A call carries the arguments as they were spelled, in the body or the query.
func TestCall(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "{\n\"seen\": %q}", r.Method+" "+r.RequestURI+" "+r.Header.Get("X-Team")+" "+string(body))
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "m.yaml")
	var tools strings.Builder
	for _, method := range []string{"GET", "DELETE", "POST", "PUT", "PATCH"} {
		fmt.Fprintf(&tools, "  - {name: %s, variants: [{id: d, description: x}], http: {method: %s, url: %q}}\n", method, method, server.URL+"/t")
	}
	if err := os.WriteFile(file, []byte("interlock: 1\nsource: s\ntools:\n"+tools.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := NewOpener(Options{}).Open(interlock.SourceConfig{File: file, Headers: map[string]string{"X-Team": "docs"}})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	c, err := src.Catalogue(context.Background())
	if err != nil || len(c.Operations) != 5 {
		t.Fatal(err, c.Findings)
	}
	args := ` {"n": 9223372036854775807, "x": [1.10, -0], "s": "caf\u00e9 &"}`
	for _, op := range c.Operations {
		want := fmt.Sprintf("%s /t docs %s", op.Name, args)
		if op.Name == "GET" || op.Name == "DELETE" {
			want = op.Name + " /t?n=9223372036854775807&x=1.10&x=-0&s=caf%C3%A9%20%26 docs "
		}
		reply, err := src.Call(context.Background(), interlock.Outbound{Binding: op.Binding, Args: []byte(args), Effect: interlock.EffectWrite})
		var got struct{ Seen string }
		if err != nil || json.Unmarshal(reply.Result, &got) != nil || got.Seen != want {
			t.Errorf("%s: saw %q %v, want %q", op.Name, got.Seen, err, want)
		}
	}
}

// TestBaseURL: the operator's word on where the service is beats the file's
// hosts; paths stay.
func TestBaseURL(t *testing.T) {
	src, err := NewOpener(Options{}).Open(interlock.SourceConfig{File: "testdata/docs.yaml", BaseURL: "http://127.0.0.1:1/staging/"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := src.Catalogue(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"method":"GET","url":"http://127.0.0.1:1/staging/look?fixed=1","trusted":true,"query":true}`
	if got := string(c.Operations[1].Binding); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if c.Operations[2].Binding != nil {
		t.Error("a tool with nothing to call has an address now")
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, cfg := range []interlock.SourceConfig{{}, {File: "m", BaseURL: "ftp://h"}, {File: "m", BaseURL: "http://h?a=b"}, {URL: "http://h/m.yaml"}, {File: "m", Headers: map[string]string{"Host": "x"}}} {
		if _, err := NewOpener(Options{}).Open(cfg); interlock.ReasonOf(err) != interlock.ReasonConfigInvalid {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
	src, err := NewOpener(Options{}).Open(interlock.SourceConfig{File: "testdata/none.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.Catalogue(context.Background()); interlock.ReasonOf(err) != interlock.ReasonSourceInvalid {
		t.Errorf("a missing file: %v", err)
	}
}

// Whatever is accepted without a finding follows the published schema.
func FuzzRead(f *testing.F) {
	text, err := os.ReadFile("testdata/docs.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"interlock":1,"source":"s","tools":[` + ring + `],"edges":[{}],"overlay":[7]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Read(text)
		if err != nil {
			return
		}
		dropped := 0
		for _, finding := range c.Findings {
			if finding.Dropped {
				dropped++
			}
		}
		if len(c.Operations)+dropped != c.Total {
			t.Errorf("%d tools and %d dropped of %d", len(c.Operations), dropped, c.Total)
		}
		if len(c.Findings) == 0 && !follows(t, text) {
			t.Errorf("accepted, and the published schema refuses it: %s", text)
		}
	})
}

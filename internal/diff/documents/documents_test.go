package documents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff"
)

// doc writes an OpenAPI document of the paths.
func doc(paths string) []byte {
	return []byte("openapi: 3.1.0\ninfo: {title: t, version: 1.0.0}\n" + paths)
}

const answer = `, responses: {"200": {description: ok, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}}`

func withHeader(kind string) string {
	return strings.Replace(answer, "description: ok", "description: ok, headers: {X-N: {schema: {type: "+kind+"}}}", 1)
}

func TestOpenAPI(t *testing.T) {
	get := func(path, rest string) string { return "  " + path + ": {get: {operationId: x" + rest + "}}\n" }
	param := func(in, name, schema string) string {
		return fmt.Sprintf(", parameters: [{in: %s, name: %s, required: %v, schema: %s}]", in, name, in == "path", schema)
	}
	rows := []struct {
		name          string
		base, revised string
		want          diff.Verdict
		rule          string
		pointers      [2]string
	}{
		{name: "the same", base: get("/a", answer), revised: get("/a", answer), want: diff.Identical},
		{name: "another name of the operation", base: get("/a", answer), revised: strings.Replace(get("/a", answer), "operationId: x", "operationId: y", 1), want: diff.Identical},
		{name: "another name of a path parameter", base: get("/a/{id}", param("path", "id", "{type: string}")+answer), revised: get("/a/{key}", param("path", "key", "{type: string}")+answer), want: diff.Identical},
		{name: "an operation added", base: get("/a", answer), revised: get("/a", answer) + get("/b", answer), want: diff.Backward, rule: "operation-added"},
		{name: "an operation removed", base: get("/a", answer) + get("/b", answer), revised: get("/a", answer), want: diff.None, rule: "operation-removed", pointers: [2]string{"/paths/~1b/get", ""}},
		{name: "an operation that cannot be read any more", base: get("/a", answer), revised: get("/a", `, parameters: {}`), want: diff.None, rule: "operation-unread"},
		{name: "a bound lowered", base: get("/a", param("query", "n", "{type: integer, maximum: 9}")+answer), revised: get("/a", param("query", "n", "{type: integer, maximum: 5}")+answer),
			want: diff.None, rule: "upper-bound-lowered", pointers: [2]string{"/paths/~1a/get/parameters/0/schema/maximum", "/paths/~1a/get/parameters/0/schema/maximum"}},
		{name: "an optional parameter added", base: get("/a", answer), revised: get("/a", param("query", "n", "{type: integer}")+answer), want: diff.Backward, rule: "property-added"},
		{name: "a parameter that may be a number as well", base: get("/a", param("query", "n", "{type: string}")+answer), revised: get("/a", param("query", "n", "{type: [string, integer]}")+answer), want: diff.None, rule: "text-ambiguous"},
		{name: "a required parameter with a default", base: get("/a", answer), revised: get("/a", strings.Replace(param("query", "n", "{type: integer, default: 3}"), "false", "true", 1)+answer), want: diff.Backward, rule: "property-added-with-default"},
		{name: "a schema that is none any more", base: get("/a", param("query", "n", "{type: string}")+answer), revised: get("/a", param("query", "n", "{type: text}")+answer), want: diff.None, rule: "operation-unread"},
		{name: "a schema that never was one", base: get("/a", param("query", "n", "{type: text}")+answer), revised: get("/a", param("query", "n", "{type: words}")+answer), want: diff.Undecided, rule: "undecided"},
		{name: "a header of another form", base: get("/a", withHeader("integer")), revised: get("/a", withHeader("string")), want: diff.Backward, rule: "header-changed"},
		{name: "another status", base: get("/a", answer), revised: get("/a", strings.Replace(answer, `"200"`, `"201"`, 1)), want: diff.None, rule: "answer-status-removed"},
		{name: "another media type", base: get("/a", answer), revised: get("/a", strings.Replace(answer, "application/json", "text/plain", 1)), want: diff.None, rule: "answer-media-removed"},
		{name: "a credential is asked for", base: get("/a", answer), revised: get("/a", answer+`, security: [{k: []}]`), want: diff.None, rule: "security-tightened"},
		{name: "a credential is asked for no more", base: get("/a", answer+`, security: [{k: []}]`), revised: get("/a", answer), want: diff.Backward, rule: "security-loosened"},
	}
	for _, r := range rows {
		got, err := OpenAPI(doc("paths:\n"+r.base), doc("paths:\n"+r.revised), Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(got.Changes, func(c Change) bool { return c.Rule == r.rule })
		if got.Verdict != r.want || r.rule != "" && at < 0 {
			t.Errorf("%s: %s %v, want %s with %q", r.name, got.Verdict, rulesOf(got), r.want, r.rule)
			continue
		}
		if r.pointers != [2]string{} && (got.Changes[at].Pointer != r.pointers[0] || got.Changes[at].PointerNew != r.pointers[1]) {
			t.Errorf("%s: the change is at %q and %q, want %q", r.name, got.Changes[at].Pointer, got.Changes[at].PointerNew, r.pointers)
		}
		if got.Verdict == diff.None && len(got.Breaking()) == 0 {
			t.Errorf("%s: none without a breaking change", r.name)
		}
	}
}

func rulesOf(r Report) []string {
	out := []string{}
	for _, c := range r.Changes {
		out = append(out, c.Operation+" "+c.Rule)
	}
	return out
}

// TestComponents points at the component, wherever it is used.
func TestComponents(t *testing.T) {
	text := func(max int) []byte {
		return doc(fmt.Sprintf(`paths:
  /a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}, responses: {"204": {description: ok}}}}
components: {schemas: {P: {type: object, properties: {n: {type: integer, maximum: %d}}}}}
`, max))
	}
	r, err := OpenAPI(text(9), text(5), Options{})
	if err != nil || len(r.Changes) != 1 {
		t.Fatalf("%v %v", rulesOf(r), err)
	}
	c := r.Changes[0]
	if want := "/components/schemas/P/properties/n/maximum"; c.Pointer != want || c.PointerNew != want || c.Operation != "POST /a" || string(c.Witness) != `{"n":6}` || c.WitnessAt != "/n" {
		t.Errorf("got %s, %s of %s with %s", c.Pointer, c.PointerNew, c.Operation, c.Witness)
	}
}

func TestWebhooks(t *testing.T) {
	text := func(kind string) []byte {
		return doc("paths: {}\nwebhooks:\n  made: {post: {requestBody: {content: {application/json: {schema: {type: " + kind + "}}}}}}\n")
	}
	same, _ := OpenAPI(text("string"), text("string"), Options{})
	other, _ := OpenAPI(text("string"), text("integer"), Options{})
	if same.Verdict != diff.Identical || other.Verdict != diff.Undecided {
		t.Errorf("got %s and %s, want identical and undecided", same.Verdict, other.Verdict)
	}
}

func TestTools(t *testing.T) {
	tool := func(name, in, notes string) string {
		return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object","properties":{%s}}%s}`, name, in, notes)
	}
	list := func(tools ...string) []byte { return []byte(`{"tools":[` + strings.Join(tools, ",") + `]}`) }
	base := tool("read", `"n":{"type":"integer"}`, "")
	rows := []struct {
		name     string
		old, new []byte
		want     diff.Verdict
		rule     string
	}{
		{"the same", list(base), list(base), diff.Identical, ""},
		{"a list alone", list(base), []byte(`[` + base + `]`), diff.Identical, ""},
		{"the whole answer", list(base), []byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + base + `]}}`), diff.Identical, ""},
		{"a tool a line", list(base, tool("b", "", "")), []byte(base + "\n\n" + tool("b", "", "") + "\n"), diff.Identical, ""},
		{"narrowed", list(base), list(tool("read", `"n":{"type":"integer","maximum":3}`, "")), diff.None, "upper-bound-lowered"},
		{"writes now", list(tool("read", "", `,"annotations":{"readOnlyHint":true}`)), list(tool("read", "", `,"annotations":{"destructiveHint":false}`)), diff.None, "effect-strengthened"},
		{"renamed", list(base), list(tool("fetch", `"n":{"type":"integer"}`, "")), diff.None, "operation-removed"},
		{"a schema that is none", list(base), list(tool("read", `"n":{"type":7}`, "")), diff.None, "operation-unread"},
	}
	for _, r := range rows {
		got, err := Tools(r.old, r.new, Options{})
		if err != nil || got.Verdict != r.want || r.rule != "" && !strings.Contains(fmt.Sprint(rulesOf(got)), r.rule) {
			t.Errorf("%s: %s %v (%v), want %s with %q", r.name, got.Verdict, rulesOf(got), err, r.want, r.rule)
		}
		if r.name == "renamed" && got.Changes[0].Renamed != "fetch" {
			t.Errorf("no hint that read is fetch now: %+v", got.Changes[0])
		}
	}
	for name, text := range map[string]string{"no JSON": "{", "no name": `[{"inputSchema":{}}]`, "a line that is none": base + "\n{\n"} {
		if _, err := Tools([]byte(text), list(base), Options{}); interlock.ReasonOf(err) != interlock.ReasonSourceInvalid {
			t.Errorf("%s: got %v, want a typed error", name, err)
		}
	}
}

func TestManifests(t *testing.T) {
	text := func(unit string) []byte {
		return []byte(`interlock: 1
source: docs
tools:
  - name: now
    version: 1.0.0
    effect: read
    variants: [{id: default, description: The temperature}]
    input_schema: {type: object, properties: {city: {type: string}}}
    output_schema: {type: object, properties: {t: {type: number}}}
    fields: [{at: "output:/t", semantic_id: air_temperature, unit: ` + unit + `}]
`)
	}
	got, err := Manifests(text("Cel"), text("K"), Options{})
	want := []string{"now unit-changed"}
	if d := cmp.Diff(want, rulesOf(got)); err != nil || got.Verdict != diff.None || d != "" {
		t.Errorf("%s %v (-want +got):\n%s", got.Verdict, err, d)
	}
	if same, err := Manifests(text("Cel"), text("Cel"), Options{}); err != nil || same.Verdict != diff.Identical {
		t.Errorf("a manifest against itself: %s %v", same.Verdict, err)
	}
}

// TestWorkersAgree: how many compare at once changes nothing.
func TestWorkersAgree(t *testing.T) {
	var base, revised strings.Builder
	for i := range 60 {
		fmt.Fprintf(&base, "  /p%d: {get: {parameters: [{in: query, name: n, schema: {type: integer, maximum: %d}}]%s}}\n", i, i+5, answer)
		fmt.Fprintf(&revised, "  /p%d: {get: {parameters: [{in: query, name: n, schema: {type: integer, maximum: %d}}]%s}}\n", i, i+5-i%3, answer)
	}
	a, errA := OpenAPI(doc("paths:\n"+base.String()), doc("paths:\n"+revised.String()), Options{Workers: 1})
	b, errB := OpenAPI(doc("paths:\n"+base.String()), doc("paths:\n"+revised.String()), Options{Workers: 8})
	if d := cmp.Diff(a, b); errA != nil || errB != nil || d != "" || a.Proved != 40 || a.Compared != 60 {
		t.Errorf("%v %v, %d proved (-one +eight):\n%s", errA, errB, a.Proved, d)
	}
}

func TestBadDocuments(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "no document": "a: b", "not YAML": "{{{", "another version": "openapi: 9.0.0"} {
		if _, err := OpenAPI([]byte(text), doc("paths: {}\n"), Options{}); interlock.ReasonOf(err) != interlock.ReasonSourceInvalid {
			t.Errorf("%s: got %v, want a typed error", name, err)
		}
	}
}

func FuzzTools(f *testing.F) {
	f.Add([]byte(`{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`))
	f.Add([]byte("{\"name\":\"a\"}\n{\"name\":\"b\",\"annotations\":{\"readOnlyHint\":true}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := readTools(text)
		if err != nil {
			return
		}
		for _, e := range entries {
			if e.name == "" {
				t.Errorf("a tool without a name out of %q", text)
			}
		}
	})
}

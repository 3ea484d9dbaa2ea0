package contract

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

var update = flag.Bool("update", false, "rewrite testdata")

func hash(t testing.TB, op interlock.Operation) string {
	t.Helper()
	h, err := Hash(op)
	if err != nil {
		t.Fatalf("Hash: %v", err)
	}
	return h
}

func pin(t testing.TB, op interlock.Operation) string {
	t.Helper()
	p, err := Pin(op)
	if err != nil {
		t.Fatalf("Pin: %v", err)
	}
	return p
}

// Two spellings of one meaning have one hash.
func TestHashSameMeaning(t *testing.T) {
	for _, tc := range []struct{ name, a, b string }{
		{"prose", `{"type":"object","properties":{"a":{"type":"string"}}}`,
			`{"title":"T","description":"D","$comment":"C","examples":[1],"deprecated":true,"x-more":{"a":1},"type":"object","properties":{"a":{"type":"string","description":"d"}}}`},
		{"prose in every position", `{"allOf":[{}],"items":{},"not":{},"$defs":{"a":{}},"patternProperties":{"x":{}},"if":{},"additionalProperties":{}}`,
			`{"allOf":[{"title":"t"}],"items":{"title":"t"},"not":{"title":"t"},"$defs":{"a":{"title":"t"}},"patternProperties":{"x":{"title":"t"}},"if":{"title":"t"},"additionalProperties":{"title":"t"}}`},
		{"order of required", `{"required":["a","b"]}`, `{"required":["b","a","b"]}`},
		{"order of types", `{"type":["string","null"]}`, `{"type":["null","string"]}`},
		{"type list of one", `{"type":["string"]}`, `{"type":"string"}`},
		{"order of enum", `{"enum":[1,"1",null]}`, `{"enum":[null,"1",1.0]}`},
		{"order of dependentRequired", `{"dependentRequired":{"a":["b","c"]}}`, `{"dependentRequired":{"a":["c","b"]}}`},
		{"empty keywords", `{"type":"object"}`, `{"type":"object","properties":{},"required":[],"$defs":{}}`},
		{"dialect of a plain schema", `{"type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":0}}}`,
			`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":0}}}`},
		{"dialect that is the default", `{"prefixItems":[{}]}`, `{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{}]}`},
		{"number", `{"maximum":10}`, `{"maximum":1.0e1}`},
		{"64-bit bound", `{"maximum":9223372036854775807}`, `{"maximum":9223372036854775807.0}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if a, b := hash(t, operation(tc.a, "")), hash(t, operation(tc.b, "")); a != b {
				t.Errorf("input: %s and %s", a, b)
			}
			if a, b := hash(t, operation("", tc.a)), hash(t, operation("", tc.b)); a != b {
				t.Errorf("output: %s and %s", a, b)
			}
		})
	}
}

// What looks like prose and is not stays in the hash.
func TestHashOtherMeaning(t *testing.T) {
	for _, tc := range []struct{ name, a, b string }{
		{"property named description", `{"properties":{"description":{"type":"string"}}}`, `{"properties":{"description":{"type":"integer"}}}`},
		{"property named title", `{"properties":{"title":{}}}`, `{}`},
		{"property named x", `{"properties":{"x-a":{"maximum":1}}}`, `{"properties":{"x-a":{"maximum":2}}}`},
		{"default with description", `{"default":{"description":"a"}}`, `{"default":{"description":"b"}}`},
		{"const with title", `{"const":{"title":"a"}}`, `{"const":{"title":"b"}}`},
		{"enum with examples", `{"enum":[{"examples":[1]}]}`, `{"enum":[{"examples":[2]}]}`},
		{"definition named description", `{"$defs":{"description":{"type":"string"}}}`, `{"$defs":{"description":{"type":"null"}}}`},
		{"referred from an unknown keyword", `{"$ref":"#/components/A","components":{"A":{"type":"string"}}}`, `{"$ref":"#/components/A","components":{"A":{"type":"null"}}}`},
		{"referred through two", `{"$ref":"#/x/0","x":[{"$ref":"#/y/z"}],"y":{"z":{"maximum":1}}}`, `{"$ref":"#/x/0","x":[{"$ref":"#/y/z"}],"y":{"z":{"maximum":2}}}`},
		{"unknown keyword beside another $id", `{"$defs":{"a":{"$id":"http://h/a"}},"x":{"maximum":1},"$ref":"http://h/a"}`, `{"$defs":{"a":{"$id":"http://h/a"}},"x":{"maximum":2},"$ref":"http://h/a"}`},
		{"draft 7 ignores what stands beside $ref", `{"$defs":{"a":{}},"properties":{"p":{"$ref":"#/$defs/a","maximum":1}}}`, `{"$schema":"http://json-schema.org/draft-07/schema","$defs":{"a":{}},"properties":{"p":{"$ref":"#/$defs/a","maximum":1}}}`},
		{"tuple of draft 7", `{"items":[{}]}`, `{"$schema":"http://json-schema.org/draft-07/schema","items":[{}]}`},
		{"absent and null default", `{}`, `{"default":null}`},
		{"absent and open", `{"properties":{"a":{}}}`, `{"properties":{"a":{}},"additionalProperties":true}`},
		{"order of anyOf stays", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`},
		{"number over a double", `{"maximum":9223372036854775807}`, `{"maximum":9223372036854775806}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if hash(t, operation(tc.a, "")) == hash(t, operation(tc.b, "")) {
				t.Error("one hash")
			}
		})
	}
}

// wide is a schema with every keyword that limits values.
const wide = `{
 "$schema":"https://json-schema.org/draft/2019-09/schema","$id":"http://h/s","$anchor":"top","title":"T",
 "type":["object","array","string","number"],"enum":[1,{"a":2}],"const":{"b":[3]},"default":{"description":"d"},
 "properties":{"description":{"type":"string","minLength":1,"maxLength":5,"pattern":"^a","format":"date","contentEncoding":"base64","contentMediaType":"text/plain","readOnly":true,"description":"prose"},
  "n":{"multipleOf":2,"minimum":1,"maximum":9,"exclusiveMinimum":0,"exclusiveMaximum":10,"writeOnly":true}},
 "patternProperties":{"^x":{"$ref":"#/$defs/a"}},"additionalProperties":{"type":"null"},"propertyNames":{"maxLength":9},
 "required":["description"],"minProperties":1,"maxProperties":5,"dependentRequired":{"n":["x"]},"dependentSchemas":{"n":{"minProperties":2}},"dependencies":{"q":["r"],"s":{"maxProperties":3}},
 "items":[{"type":"integer"},{"type":"string"}],"additionalItems":{"type":"boolean"},"contains":{"const":7},"minContains":1,"maxContains":2,"minItems":1,"maxItems":4,"uniqueItems":true,
 "unevaluatedItems":{"type":"null"},"unevaluatedProperties":{"type":"null"},"$recursiveAnchor":true,
 "allOf":[{"maxItems":8}],"anyOf":[{"minItems":0}],"oneOf":[{"maxLength":3}],"not":{"const":0},"if":{"type":"string"},"then":{"minLength":2},"else":{"minItems":2},
 "contentSchema":{"type":"string"},"prefixItems":[{"type":"string"}],
 "$defs":{"a":{"type":"string"},"b":{"$recursiveRef":"#"},"c":{"$dynamicRef":"#top","$dynamicAnchor":"dyn"}},"definitions":{"d":{"id":"e"}}
}`

// Each leaf of a schema that limits values is changed in turn: the hash moves.
// Each leaf of prose is changed in turn: the hash stays and the pin moves.
func TestHashMovesWithEveryMeaning(t *testing.T) {
	root := must(t, wide)
	base := operation(wide, wide)
	baseHash, basePin := hash(t, base), pin(t, base)
	changed := 0
	mutate(root, false, func(what string, prose bool) {
		text, err := root.canonical()
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range []interlock.Operation{operation(string(text), wide), operation(wide, string(text))} {
			changed++
			if same := hash(t, op) == baseHash; same != prose {
				t.Errorf("%s: hash same %v", what, same)
			}
			if same := pin(t, op) == basePin; same == prose {
				t.Errorf("%s: pin same %v", what, same)
			}
		}
	})
	if changed < 120 {
		t.Errorf("only %d changes tried", changed)
	}
}

// mutate changes each scalar under n, calls tried, and changes it back.
func mutate(n *node, prose bool, tried func(what string, prose bool)) {
	for i, kid := range n.kids {
		inProse := prose || n.is(kindObject) && roleOf(n.names[i]) == roleProse && !kid.is(kindObject) && kid.text != "d"
		was := *kid
		what := ""
		if n.is(kindObject) {
			what = n.names[i]
		}
		switch kid.kind {
		case kindString:
			kid.text += "x"
			if what == "$schema" {
				kid.text = "http://json-schema.org/draft-07/schema"
			}
		case kindNumber:
			kid.text = "1" + kid.text
		case kindTrue:
			kid.kind = kindFalse
		default:
			mutate(kid, inProse, tried)
			continue
		}
		tried(what+" "+was.text, inProse)
		*kid = was
	}
}

// Order of members, white space, escapes and number spelling never move any of
// the three hashes.
func TestHashIgnoresSpelling(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	schema := must(t, wide)
	base := operation(wide, wide)
	base.Annotations = json.RawMessage(`{"b":1,"a":{"c":true}}`)
	wantBinding, err := BindingFingerprint("mcp", base.Annotations, "id")
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		op := operation(respell(r, schema), respell(r, schema))
		op.Annotations = json.RawMessage(respell(r, must(t, string(base.Annotations))))
		if hash(t, op) != hash(t, base) || pin(t, op) != pin(t, base) {
			t.Fatalf("moved by the spelling %s", op.InputSchema)
		}
		if got, _ := BindingFingerprint("mcp", op.Annotations, "id"); got != wantBinding {
			t.Fatalf("binding moved by the spelling %s", op.Annotations)
		}
	}
}

// full is an operation with everything stated.
func full() interlock.Operation {
	yes := true
	op := operation(`{"type":"object","properties":{"city":{"type":"string","description":"Where"}},"required":["city"]}`,
		`{"type":"object","properties":{"temperature":{"type":"number"}}}`)
	op.Name, op.Title = "current", "Weather"
	op.Family, op.Version, op.ID = "weather.current", "1.0.0", "w/current"
	op.Variants = []interlock.Variant{{ID: "default", Description: "Now"}, {ID: "long", Description: "The weather now"}}
	op.Effect, op.Idempotent = interlock.EffectRead, &yes
	op.Errors = []interlock.ErrorCase{{When: "not_found", Status: 404}, {When: "busy", Code: "B"}}
	op.Scopes = []string{"read", "weather"}
	op.Fields = []interlock.FieldMeaning{
		{At: "output:/temperature", SemanticID: "air_temperature", Unit: "Cel", Qualifiers: map[string]string{"height": "2m", "x": "y"}},
		{At: "input:/city", Format: "name"},
	}
	op.Annotations = json.RawMessage(`{"readOnlyHint":true}`)
	op.Binding = json.RawMessage(`{"tool":"current"}`)
	return op
}

// Which member of an operation moves which hash.
func TestWhatMovesWhat(t *testing.T) {
	no := false
	for _, tc := range []struct {
		name      string
		change    func(*interlock.Operation)
		hash, pin bool
	}{
		{"nothing", func(*interlock.Operation) {}, false, false},
		{"family", func(op *interlock.Operation) { op.Family = "other" }, false, false},
		{"version", func(op *interlock.Operation) { op.Version = "2.0.0" }, false, false},
		{"id, state, aliases, tags, binding, timeout, results", func(op *interlock.Operation) {
			op.ID, op.State, op.Aliases, op.Tags = "x", interlock.StateDeprecated, []string{"a"}, map[string]string{"a": "b"}
			op.Binding, op.Timeout, op.Results = nil, "5s", "warn"
		}, false, false},
		{"name", func(op *interlock.Operation) { op.Name = "x" }, false, true},
		{"title", func(op *interlock.Operation) { op.Title = "x" }, false, true},
		{"variant", func(op *interlock.Operation) { op.Variants[1].Description = "x" }, false, true},
		{"variant id", func(op *interlock.Operation) { op.Variants[1].ID = "x" }, false, true},
		{"order of variants", func(op *interlock.Operation) {
			op.Variants[0], op.Variants[1] = op.Variants[1], op.Variants[0]
		}, false, false},
		{"annotations", func(op *interlock.Operation) { op.Annotations = nil }, false, true},
		{"prose of a schema", func(op *interlock.Operation) {
			op.InputSchema = json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","description":"There"}},"required":["city"]}`)
		}, false, true},
		{"input", func(op *interlock.Operation) { op.InputSchema = nil }, true, true},
		{"output", func(op *interlock.Operation) { op.OutputSchema = json.RawMessage(`{}`) }, true, false},
		{"schemas swapped", func(op *interlock.Operation) { op.InputSchema, op.OutputSchema = op.OutputSchema, op.InputSchema }, true, true},
		{"effect", func(op *interlock.Operation) { op.Effect = interlock.EffectWrite }, true, false},
		{"idempotent", func(op *interlock.Operation) { op.Idempotent = &no }, true, false},
		{"idempotent unstated", func(op *interlock.Operation) { op.Idempotent = nil }, true, false},
		{"error when", func(op *interlock.Operation) { op.Errors[0].When = "gone" }, true, false},
		{"error status", func(op *interlock.Operation) { op.Errors[0].Status = 410 }, true, false},
		{"error code", func(op *interlock.Operation) { op.Errors[1].Code = "" }, true, false},
		{"order of errors", func(op *interlock.Operation) { op.Errors[0], op.Errors[1] = op.Errors[1], op.Errors[0] }, false, false},
		{"scope", func(op *interlock.Operation) { op.Scopes = op.Scopes[:1] }, true, false},
		{"order of scopes", func(op *interlock.Operation) { op.Scopes = []string{"weather", "read"} }, false, false},
		{"unit", func(op *interlock.Operation) { op.Fields[0].Unit = "K" }, true, false},
		{"semantic id", func(op *interlock.Operation) { op.Fields[0].SemanticID = "x" }, true, false},
		{"qualifier", func(op *interlock.Operation) { op.Fields[0].Qualifiers = map[string]string{"height": "10m", "x": "y"} }, true, false},
		{"format", func(op *interlock.Operation) { op.Fields[1].Format = "" }, true, false},
		{"place of a field", func(op *interlock.Operation) { op.Fields[1].At = "input:/town" }, true, false},
		{"order of fields", func(op *interlock.Operation) { op.Fields[0], op.Fields[1] = op.Fields[1], op.Fields[0] }, false, false},
		{"field without meaning", func(op *interlock.Operation) {
			op.Fields = append(op.Fields, interlock.FieldMeaning{At: "input:/x"})
		}, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			op := full()
			tc.change(&op)
			if moved := hash(t, op) != hash(t, full()); moved != tc.hash {
				t.Errorf("hash moved %v", moved)
			}
			if moved := pin(t, op) != pin(t, full()); moved != tc.pin {
				t.Errorf("pin moved %v", moved)
			}
		})
	}
}

func TestHashUnstatedEffect(t *testing.T) {
	op := full()
	op.Effect = ""
	unknown := full()
	unknown.Effect = interlock.EffectUnknown
	if hash(t, op) != hash(t, unknown) || hash(t, op) == hash(t, full()) {
		t.Error("an unstated effect is unknown, and no read")
	}
}

func TestBindingFingerprint(t *testing.T) {
	base, _ := BindingFingerprint("http", json.RawMessage(`{"url":"http://h/a"}`), "server 1")
	seen := map[string]string{base: "base"}
	for name, other := range map[string][3]string{
		"kind":     {"mcp", `{"url":"http://h/a"}`, "server 1"},
		"binding":  {"http", `{"url":"http://h/b"}`, "server 1"},
		"identity": {"http", `{"url":"http://h/a"}`, "server 2"},
		"nothing":  {"http", ``, "server 1"},
	} {
		got, err := BindingFingerprint(other[0], json.RawMessage(other[1]), other[2])
		if err != nil {
			t.Fatal(err)
		}
		if was, twice := seen[got]; twice {
			t.Errorf("%s and %s are one", name, was)
		}
		seen[got] = name
	}
	if _, err := BindingFingerprint("http", json.RawMessage(`{"a":1,"a":2}`), ""); err == nil {
		t.Error("a member twice is no binding")
	}
}

// The same text under the three tags gives three hashes, and bad text none.
func TestHashDomainsAndErrors(t *testing.T) {
	var empty interlock.Operation
	b, _ := BindingFingerprint("", nil, "")
	if h, p := hash(t, empty), pin(t, empty); h == p || h == b || p == b {
		t.Error("the domains meet")
	}
	for _, text := range []string{`{"a":1,"a":1}`, `{`, `"\ud800"`, `{"maximum":1e10001}`} {
		if _, err := Hash(operation(text, "")); err == nil {
			t.Errorf("Hash of the schema %s has no error", text)
		}
	}
}

// The hashes are stored, logged and compared across releases: they must not
// move.
func TestGolden(t *testing.T) {
	type golden struct{ Name, Contract, Presentation, Binding string }
	var got []golden
	for name, op := range map[string]interlock.Operation{
		"empty": {}, "full": full(), "wide": operation(wide, wide),
		"numbers": operation(`{"maximum":9223372036854775807,"minimum":-1e400,"multipleOf":0.1}`, ""),
	} {
		binding, err := BindingFingerprint("manifest", op.Binding, "golden")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, golden{name, hash(t, op), pin(t, op), binding})
	}
	byName := map[string]golden{}
	for _, g := range got {
		byName[g.Name] = g
	}
	const file = "testdata/golden.json"
	if *update {
		text, _ := json.MarshalIndent(byName, "", " ")
		if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]golden{}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, byName); diff != "" {
		t.Errorf("hashes moved (-stored +now):\n%s", diff)
	}
}

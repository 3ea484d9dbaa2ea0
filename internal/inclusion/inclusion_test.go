package inclusion

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// One row a construct: the larger schema, the smaller, and the verdict both ways.
func TestDecide(t *testing.T) {
	for _, tc := range []struct {
		name, small, big string
		there, back      Verdict
	}{
		{"same", `{"type":"string"}`, `{"type":"string"}`, Subset, Subset},
		{"annotations", `{"type":"string","title":"a","format":"date"}`, `{"type":"string"}`, Subset, Subset},
		{"type lists", `{"type":["integer","null"]}`, `{"type":["number","null"]}`, Subset, NotSubset},
		{"type list and anyOf", `{"type":["string","null"]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, Subset, Subset},
		{"false", `false`, `{"type":"string"}`, Subset, NotSubset},
		{"true", `{"type":"string"}`, `true`, Subset, NotSubset},
		{"contradiction", `{"type":"string","enum":[1]}`, `false`, Subset, Subset},
		{"bounds", `{"type":"number","exclusiveMaximum":5}`, `{"type":"number","maximum":5}`, Subset, NotSubset},
		{"redundant bound", `{"minimum":1}`, `{"minimum":1,"exclusiveMinimum":0.4}`, Subset, Subset},
		{"whole numbers between", `{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":2}`, `{"const":1}`, Subset, Subset},
		{"no whole number between", `{"type":"integer","exclusiveMinimum":0.1,"maximum":0.9}`, `false`, Subset, Subset},
		{"multiples", `{"multipleOf":6,"type":"number"}`, `{"allOf":[{"multipleOf":2},{"multipleOf":3}]}`, Subset, NotSubset},
		{"multiples of fractions", `{"type":"number","multipleOf":0.3}`, `{"multipleOf":0.1}`, Subset, NotSubset},
		{"exact numbers", `{"const":9007199254740993}`, `{"not":{"const":9007199254740992}}`, Subset, NotSubset},
		{"lengths", `{"type":"string","minLength":3,"maxLength":4}`, `{"minLength":2}`, Subset, NotSubset},
		{"pattern in pattern", `{"type":"string","pattern":"^a+$"}`, `{"pattern":"^[ab]*$"}`, Subset, NotSubset},
		{"pattern and length", `{"type":"string","pattern":"^..$"}`, `{"minLength":2,"maxLength":2}`, Subset, NotSubset},
		{"pattern accepts all", `{"type":"string"}`, `{"type":"string","pattern":"a*"}`, Subset, Subset},
		{"pattern and enum", `{"enum":["ab","abab"]}`, `{"pattern":"^(ab)*$"}`, Subset, NotSubset},
		{"word boundary", `{"type":"string","pattern":"^a b$"}`, `{"pattern":"\\bb"}`, Subset, NotSubset},
		{"property narrowed", `{"properties":{"a":{"type":"integer"}}}`, `{"properties":{"a":{"type":"number"}}}`, Subset, NotSubset},
		{"property added", `{"properties":{"a":{}},"additionalProperties":false}`, `{"properties":{"a":{},"b":{}},"additionalProperties":false}`, Subset, NotSubset},
		{"names by pattern", `{"patternProperties":{"^a":{"type":"integer"}}}`, `{"properties":{"ab":{"type":"integer"}}}`, Subset, NotSubset},
		{"names by two patterns", `{"patternProperties":{"^a":{"type":"integer"},"b$":{"type":"string"}}}`, `{"properties":{"ab":false}}`, Subset, NotSubset},
		{"all names", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","patternProperties":{"^":{"type":"integer"}}}`, Subset, Subset},
		{"required and count", `{"type":"object","required":["a","b"]}`, `{"minProperties":2}`, Subset, NotSubset},
		{"few names", `{"type":"object","propertyNames":{"enum":["a","b"]}}`, `{"maxProperties":2}`, Subset, NotSubset},
		{"too few names", `{"type":"object","propertyNames":{"maxLength":0},"minProperties":2}`, `false`, Subset, Subset},
		{"dependent", `{"dependentRequired":{"a":["b"],"b":["c"]}}`, `{"dependentRequired":{"a":["c"]}}`, Subset, NotSubset},
		{"dependent schema", `{"dependentSchemas":{"a":{"required":["b"]}}}`, `{"dependentRequired":{"a":["b"]}}`, Subset, Subset},
		{"unevaluated", `{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"properties":{"a":{}},"additionalProperties":false}`, Subset, Subset},
		{"unevaluated by condition", `{"if":{"required":["a"]},"then":{"properties":{"a":{},"b":{}}},"unevaluatedProperties":false}`, `{"properties":{"a":{},"b":{}},"additionalProperties":false}`, Subset, NotSubset},
		{"items", `{"items":{"type":"integer"}}`, `{"prefixItems":[{"type":"number"}]}`, Subset, NotSubset},
		{"closed tuple", `{"type":"array","prefixItems":[{"const":1}],"items":false}`, `{"maxItems":1}`, Subset, NotSubset},
		{"contains", `{"type":"array","contains":{"const":1}}`, `{"minItems":1}`, Subset, NotSubset},
		{"contains twice", `{"type":"array","contains":{"const":1},"minContains":2}`, `{"contains":{"type":"integer"},"minContains":2}`, Subset, NotSubset},
		{"all and some", `{"type":"array","items":{"const":1},"minItems":1}`, `{"contains":{"const":1}}`, Subset, NotSubset},
		{"few values", `{"type":"array","items":{"type":"boolean"},"uniqueItems":true}`, `{"maxItems":2}`, Subset, NotSubset},
		{"one is unique", `{"type":"array","maxItems":1}`, `{"uniqueItems":true}`, Subset, NotSubset},
		{"unevaluated items", `{"prefixItems":[{"const":1}],"unevaluatedItems":false}`, `{"prefixItems":[{"const":1}],"items":false}`, Subset, Subset},
		{"long arrays", `{"type":"array","minItems":5000,"items":{"type":"integer"}}`, `{"minItems":4000,"items":{"type":"number"}}`, Subset, NotSubset},
		{"enum of objects", `{"enum":[{"a":1},[1]]}`, `{"enum":[[1.0],{"a":1.0},2]}`, Subset, NotSubset},
		{"anyOf reordered", `{"anyOf":[{"type":"string"},{"minimum":3}]}`, `{"anyOf":[{"minimum":3},{"type":"string"}]}`, Subset, Subset},
		{"anyOf distributes", `{"type":"object","required":["a"],"properties":{"a":{"enum":[1,2]}}}`,
			`{"anyOf":[{"properties":{"a":{"const":1}}},{"properties":{"a":{"const":2}}}]}`, Subset, NotSubset},
		{"disjoint oneOf", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"oneOf":[{"type":"string"},{"type":"null"}]}`, Subset, Subset},
		{"oneOf that overlaps", `{"oneOf":[{"type":"integer"},{"minimum":2,"type":"number"}]}`, `{"type":"number"}`, Subset, NotSubset},
		{"not", `{"not":{"type":"string"}}`, `{"type":["null","boolean","number","array","object"]}`, Subset, Subset},
		{"not not", `{"not":{"not":{"type":"string","minLength":1}}}`, `{"type":"string"}`, Subset, NotSubset},
		{"conditional", `{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"integer"}}`, `{"type":["string","integer"]}`, Subset, NotSubset},
		{"reference inlined", `{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`, `{"type":"string"}`, Subset, Subset},
		{"recursion", `{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#"}},"additionalProperties":false}`,
			`{"type":"object","properties":{"v":{"type":"number"},"next":{"$ref":"#"}},"additionalProperties":false}`, Subset, NotSubset},
		{"recursion without an end", `{"type":"object","required":["next"],"properties":{"next":{"$ref":"#"}}}`, `false`, Subset, Subset},
		{"recursion unrolled", `{"type":"array","items":{"$ref":"#"}}`, `{"type":"array","items":{"type":"array"}}`, Subset, NotSubset},
		{"anchor", `{"$ref":"#x","$defs":{"a":{"$anchor":"x","const":1}}}`, `{"type":"integer"}`, Subset, NotSubset},
		{"names that are keywords", `{"properties":{"enum":{"$ref":"#/$defs/a"}},"$defs":{"a":{"const":1}}}`, `{"properties":{"enum":{"type":"integer"}}}`, Subset, NotSubset},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := decide(t, tc.small, tc.big, Options{}); got.Verdict != tc.there {
				t.Errorf("there: %+v", got)
			}
			if got := decide(t, tc.big, tc.small, Options{}); got.Verdict != tc.back {
				t.Errorf("back: %+v", got)
			}
		})
	}
}

func decide(t *testing.T, small, big string, opts Options) Result {
	t.Helper()
	r, err := Decide([]byte(small), []byte(big), opts)
	if err != nil {
		t.Fatalf("Decide(%s, %s): %v", small, big, err)
	}
	return r
}

// Each dialect reads its own keywords.
func TestDialects(t *testing.T) {
	for _, tc := range []struct {
		draft, small, big string
		want              Verdict
	}{
		{"draft4", `{"type":"number","maximum":1,"exclusiveMaximum":true}`, `{"not":{"enum":[1]}}`, Subset},
		{"draft4", `{"const":1}`, `{"type":"integer"}`, NotSubset},
		{"draft7", `{"items":[{"type":"string"}],"additionalItems":false,"type":"array"}`, `{"maxItems":1}`, Subset},
		{"draft7", `{"definitions":{"s":{}},"$ref":"#/definitions/s","type":"string"}`, `{"type":"string"}`, NotSubset},
		{"draft7", `{"dependencies":{"a":["b"]}}`, `{"dependencies":{"a":{"required":["b"]}}}`, Subset},
		{"draft7", `{"unevaluatedProperties":false}`, `false`, NotSubset},
		{"draft6", `{"if":true,"then":false}`, `false`, NotSubset},
		{"draft2019-09", `{"items":[{"type":"string"}],"unevaluatedItems":false,"type":"array"}`, `{"maxItems":1}`, Subset},
		{"draft2019-09", `{"$recursiveRef":"#"}`, `true`, "reference-loop"},
		{"draft2020-12", `{"dependencies":{"a":["b"]},"type":"object"}`, `{"not":{"const":{"a":1}}}`, Undecided},
		{"draft3", `true`, `true`, "unknown-dialect"},
		{"", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false,"type":"array"}`, `{"maxItems":1}`, Subset},
		{"draft7", `{"type":"string","enum":["a"]}`, `{"enum":[]}`, NotSubset},
	} {
		r, err := Decide([]byte(tc.small), []byte(tc.big), Options{Draft: tc.draft})
		var fault *Fault
		if errors.As(err, &fault) {
			r.Verdict = Verdict(fault.Reason)
		}
		if r.Verdict != tc.want {
			t.Errorf("%s: %s in %s: %+v, %v, want %s", tc.draft, tc.small, tc.big, r, err, tc.want)
		}
	}
}

// The rules that enforcement makes good, with it and without.
func TestToolModes(t *testing.T) {
	object := func(rest string) string { return `{"type":"object","properties":{"a":{"type":"string"}` + rest + `}` }
	for _, tc := range []struct {
		name, old, new string
		mode           Mode
		strict, tool   Verdict
	}{
		{"added, open", object("}"), object(`,"b":{"type":"string"}}`), ToolInput, NotSubset, Subset},
		{"closed", object("}"), object(`},"additionalProperties":false`), ToolInput, NotSubset, Subset},
		{"closed inside", `{"type":"object","properties":{"o":` + object("}") + `}}`, `{"type":"object","properties":{"o":` + object(`},"additionalProperties":false`) + `}}`, ToolInput, NotSubset, NotSubset},
		{"opened by itself", object(`},"additionalProperties":true`), object(`},"additionalProperties":false`), ToolInput, NotSubset, NotSubset},
		{"declares nothing", `{"type":"object"}`, object(`},"additionalProperties":false`), ToolInput, NotSubset, NotSubset},
		{"declared by a branch", `{"anyOf":[{"properties":{"b":{}}},{"properties":{"a":{}}}]}`, object("}"), ToolInput, NotSubset, NotSubset},
		{"required added", object("}"), object(`},"required":["a"]`), ToolInput, NotSubset, NotSubset},
		{"output gains a member", object(`},"additionalProperties":false`), object(`,"b":{}}`), ToolOutput, NotSubset, Subset},
		{"output gains one inside", `{"type":"array","items":` + object(`},"additionalProperties":false`) + `}`, `{"type":"array","items":` + object("}") + `}`, ToolOutput, NotSubset, Subset},
		{"output loses a member", object(`},"required":["a"]`), object("}"), ToolOutput, NotSubset, NotSubset},
		{"closed beside a choice", `{"anyOf":[{"type":"object","properties":{"a":{}},"additionalProperties":false}]}`, object("}"), ToolOutput, NotSubset, NotSubset},
		{"counted members", object(`},"additionalProperties":false,"minProperties":1`), object(`,"b":{}},"minProperties":1`), ToolOutput, NotSubset, NotSubset},
	} {
		t.Run(tc.name, func(t *testing.T) {
			small, big := tc.old, tc.new
			if tc.mode == ToolOutput {
				small, big = big, small
			}
			got := [2]Verdict{decide(t, small, big, Options{}).Verdict, decide(t, small, big, Options{Mode: tc.mode}).Verdict}
			if diff := cmp.Diff([2]Verdict{tc.strict, tc.tool}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The rule that a witness shows, and where.
func TestRules(t *testing.T) {
	for _, tc := range []struct{ small, big, rule, pointer string }{
		{`{"type":"number"}`, `{"type":"integer"}`, "type-narrowed", "/type"},
		{`{"type":"string"}`, `{"type":"integer"}`, "type-replaced", "/type"},
		{`{}`, `{"type":"integer"}`, "type-added", "/type"},
		{`{"enum":[1,2]}`, `{"enum":[1]}`, "enum-value-removed", "/enum"},
		{`{"const":1}`, `{"const":2}`, "const-changed", "/const"},
		{`{"minimum":1,"type":"number"}`, `{"minimum":2,"type":"number"}`, "minimum-raised", "/minimum"},
		{`{"type":"number"}`, `{"exclusiveMaximum":5,"type":"number"}`, "maximum-added", "/exclusiveMaximum"},
		{`{"type":"string","maxLength":5}`, `{"type":"string","maxLength":4}`, "max-length-lowered", "/maxLength"},
		{`{"type":"string","pattern":"a"}`, `{"type":"string","pattern":"^a"}`, "pattern-changed", "/pattern"},
		{`{"type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}},"required":["a"]}`, "property-became-required", "/properties/a"},
		{`{"type":"object"}`, `{"type":"object","required":["a"]}`, "required-property-added", "/required"},
		{`{"type":"object"}`, `{"type":"object","additionalProperties":false}`, "additional-properties-closed", "/additionalProperties"},
		{`{"properties":{"a/b":{"type":"number"}}}`, `{"properties":{"a/b":{"type":"integer"}}}`, "type-narrowed", "/properties/a~1b/type"},
		{`{"items":{"type":"number"},"type":"array"}`, `{"items":{"type":"integer"},"type":"array"}`, "type-narrowed", "/items/type"},
		{`{"type":"array"}`, `{"type":"array","uniqueItems":true}`, "unique-items-set", "/uniqueItems"},
		{`{"anyOf":[{"const":1},{"const":2}]}`, `{"anyOf":[{"const":1},{"const":3}]}`, "any-of-narrowed", "/anyOf"},
		{`{"type":"integer"}`, `{"oneOf":[{"type":"integer"},{"minimum":0}]}`, "one-of-overlaps", "/oneOf"},
		{`{}`, `{"not":{"type":"null"}}`, "not-added", "/not"},
		{`{"type":"string"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"maxLength":2}}}`, "max-length-added", "/$defs/a/maxLength"},
		{`{"type":"object"}`, `{"type":"object","unevaluatedProperties":false}`, "unevaluated-properties-closed", "/unevaluatedProperties"},
	} {
		r := decide(t, tc.small, tc.big, Options{})
		if diff := cmp.Diff([]Rule{{tc.rule, tc.pointer}}, r.Rules); diff != "" {
			t.Errorf("%s in %s, witness %s:\n%s", tc.small, tc.big, r.Witness, diff)
		}
	}
}

// What is no schema is refused with its place.
func TestFaults(t *testing.T) {
	for _, tc := range []struct{ schema, reason, pointer string }{
		{`{`, "not-json", ""},
		{`7`, "not-a-schema", ""},
		{`[]`, "not-a-schema", ""},
		{`{"type":"strnig"}`, "not-a-schema", "/type"},
		{`{"properties":{"a":{"minLength":"3"}}}`, "not-a-schema", "/properties/a/minLength"},
		{`{"properties":{"a":{"minLength":-1}}}`, "not-a-schema", "/properties/a/minLength"},
		{`{"allOf":{}}`, "not-a-schema", "/allOf"},
		{`{"required":["a","a"]}`, "not-a-schema", "/required"},
		{`{"multipleOf":0}`, "not-a-schema", "/multipleOf"},
		{`{"$ref":"#/$defs/none"}`, "dangling-reference", "/$ref"},
		{`{"properties":{"a":{"$ref":"http://127.0.0.1:9/s.json"}}}`, "remote-reference", "/properties/a/$ref"},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, "reference-loop", "/$defs/a"},
		{`{"$schema":"https://example.com/x"}`, "unknown-dialect", "/$schema"},
		{strings.Repeat(`{"items":`, 10_000) + "{}" + strings.Repeat("}", 10_000), "too-deep", strings.Repeat("/items", 128)},
		{`{"const":"` + strings.Repeat("x", maxBytes) + `"}`, "too-large", ""},
	} {
		for i, pair := range [][2]string{{tc.schema, `{}`}, {`{}`, tc.schema}} {
			_, err := Decide([]byte(pair[0]), []byte(pair[1]), Options{})
			var fault *Fault
			if !errors.As(err, &fault) || fault.Reason != tc.reason || fault.Pointer != tc.pointer || fault.Larger != (i == 1) {
				t.Errorf("%.80s: %#v", tc.schema, err)
			}
		}
	}
}

// Documents that the caller hands over can be referred to.
func TestRemotes(t *testing.T) {
	remotes := func(uri string) ([]byte, bool) {
		return []byte(`{"$defs":{"n":{"type":"integer"}}}`), uri == "https://example.com/s.json"
	}
	small, big := `{"type":"number"}`, `{"$ref":"https://example.com/s.json#/$defs/n"}`
	if got := decide(t, big, small, Options{Remotes: remotes}); got.Verdict != Subset {
		t.Errorf("there: %+v", got)
	}
	if got := decide(t, small, big, Options{Remotes: remotes}); got.Verdict != NotSubset {
		t.Errorf("back: %+v", got)
	}
}

// What cannot be decided says why, in bounded time.
func TestUndecided(t *testing.T) {
	var hard strings.Builder
	for i := range 40 {
		fmt.Fprintf(&hard, `,{"oneOf":[{"multipleOf":%d.5},{"properties":{"p%d":{"pattern":"(a|b)*a.{%d}$"}}}]}`, i+2, i, i)
	}
	for _, tc := range []struct{ small, big, construct string }{
		{`{"type":"string","pattern":"^(?=a).b$"}`, `{"type":"string","pattern":"^a"}`, "pattern"},
		{`{"type":"string","pattern":"^\\s$"}`, `{"pattern":"^[ \\t\\n\\f\\r]$"}`, "differently"},
		{`{"type":"string","pattern":"(a|b)*a.{18}$"}`, `{"pattern":"(b|a)*a[^\\n]{18}$"}`, ""},
		{`{"allOf":[{"minimum":1}` + hard.String() + `]}`, `{"allOf":[{"maximum":1}` + hard.String() + `]}`, ""},
	} {
		start := time.Now()
		r := decide(t, tc.small, tc.big, Options{})
		t.Logf("%.60s: %s in %v", tc.small, r.Verdict, time.Since(start))
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%.80s took %v", tc.small, took)
		}
		if tc.construct != "" && (r.Verdict != Undecided || !strings.Contains(r.Stopped.Construct, tc.construct)) {
			t.Errorf("%.80s: %+v %+v", tc.small, r, r.Stopped)
		}
	}
}

// Large schemas take time in proportion.
func TestLargeSchemas(t *testing.T) {
	var numbers, texts, props strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&numbers, "%d,", i)
		fmt.Fprintf(&texts, "%q,", fmt.Sprint("value", i))
		fmt.Fprintf(&props, `"p%d":{"type":["string","null"],"maxLength":%d},`, i, i)
	}
	enum := func(b *strings.Builder, last string) string { return `{"enum":[` + b.String() + last + `]}` }
	object := func(last string) string { return `{"type":"object","properties":{` + props.String() + last + `}}` }
	for _, tc := range []struct {
		name, small, big string
		want             Verdict
	}{
		{"numbers", enum(&numbers, "1.5"), enum(&numbers, "1.5,2.5"), Subset},
		{"one number less", enum(&numbers, "1.5,2.5"), enum(&numbers, "1.5"), NotSubset},
		{"texts", enum(&texts, `"x"`), enum(&texts, `"x","y"`), Subset},
		{"one text less", enum(&texts, `"x","y"`), enum(&texts, `"x"`), NotSubset},
		{"all numbers", `{"type":"integer","minimum":0,"maximum":1999}`, enum(&numbers, "1.5"), Subset},
		{"not all texts", `{"type":"string"}`, enum(&texts, `""`), NotSubset},
		{"members", object(`"z":{"type":"integer"}`), object(`"z":{"type":"number"}`), Subset},
		{"one member narrowed", object(`"z":{"type":"number"}`), object(`"z":{"type":"integer"}`), NotSubset},
	} {
		start := time.Now()
		r := decide(t, tc.small, tc.big, Options{})
		if r.Verdict != tc.want && r.Verdict != Undecided {
			t.Errorf("%s: %+v", tc.name, r)
		}
		t.Logf("%s: %s in %v %v", tc.name, r.Verdict, time.Since(start), r.Stopped)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %v", tc.name, took)
		}
	}
}

// One question asked many times at once has one answer.
func TestDecideIsDeterministic(t *testing.T) {
	small, big := `{"type":"object","properties":{"a":{"type":"number"},"b":{"enum":[1,2,3]}},"patternProperties":{"^x":{"minimum":1}}}`,
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"enum":[1]}},"patternProperties":{"^x":{"minimum":2},"y$":false},"minProperties":1}`
	want := decide(t, small, big, Options{})
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 10 {
				got, err := Decide([]byte(small), []byte(big), Options{})
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Error(diff, err)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzDecide(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"anyOf":[{"required":["a"]},{"not":{"minItems":2}}]}`)
	f.Add(`{"pattern":"^a.b$","maxLength":3}`, `{"multipleOf":0.1,"enum":[1,"a"]}`)
	f.Add(`{"unevaluatedProperties":false,"if":{"properties":{"a":{}}}}`, `{"contains":{"const":1},"uniqueItems":true}`)
	f.Fuzz(func(t *testing.T, small, big string) {
		r, err := Decide([]byte(small), []byte(big), Options{Work: 5_000})
		switch {
		case err != nil:
		case r.Verdict == Undecided && r.Stopped == nil, r.Verdict == NotSubset && len(r.Rules) == 0 || r.Verdict == NotSubset && !r.WitnessOmitted && !json.Valid(r.Witness):
			t.Fatalf("%s\n%s\n%+v", small, big, r)
		case r.Verdict == Subset && json.Valid([]byte(small)):
			if back, err := Decide([]byte(small), []byte(`{"allOf":[`+big+`]}`), Options{Work: 5_000}); err == nil && back.Verdict == NotSubset && !strings.Contains(big, "$") {
				t.Fatalf("%s\n%s\nsubset, and beside allOf not: %s", small, big, back.Witness)
			}
		}
	})
}

// TestManyRequired: that each of many members is there follows from its being
// required, without a look at each of the others.
func TestManyRequired(t *testing.T) {
	wide := func(longest, required int) []byte {
		members, names := map[string]any{}, []string{}
		for i := range 2000 {
			name := fmt.Sprint("p", i)
			members[name] = map[string]any{"type": "string", "maxLength": i + longest}
			names = append(names, name)
		}
		text, err := json.Marshal(map[string]any{"type": "object", "properties": members, "required": names[:required]})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	r, err := Decide(wide(5, 2000), wide(6, 1999), Options{})
	if err != nil || r.Verdict != Subset {
		t.Errorf("got %s, stopped by %+v, %v", r.Verdict, r.Stopped, err)
	}
}

package diff_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// row is one change of one schema, with what it does to old callers and the
// rules that have to name it.
type row struct {
	name         string
	dir          rule.Direction
	old, new     string
	strict, tool diff.Verdict
	rules        string
}

const (
	in  = rule.Input
	out = rule.Output
)

// rows are the kinds of change a schema can have, both ways round where that
// says something.
func rows() []row {
	return []row{
		{"optional added, open", in, obj(`"a":{"type":"string"}`), obj(`"a":{"type":"string"},"b":{"type":"string"}`), diff.None, diff.Backward, "property-added"},
		{"optional added, open", out, obj(`"a":{"type":"string"}`), obj(`"a":{"type":"string"},"b":{"type":"string"}`), diff.Backward, diff.Backward, "property-added"},
		{"optional added, closed", in, shut(`"a":{"type":"string"}`), shut(`"a":{"type":"string"},"b":{"type":"string"}`), diff.Backward, diff.Backward, "property-added"},
		{"optional added, closed", out, shut(`"a":{"type":"string"}`), shut(`"a":{"type":"string"},"b":{"type":"string"}`), diff.None, diff.Backward, "property-added"},
		{"required added", in, shut(`"a":{}`), `{"type":"object","properties":{"a":{},"b":{"type":"string"}},"required":["b"],"additionalProperties":false}`, diff.None, diff.None, "property-added-required"},
		{"required with default added", in, shut(`"a":{}`), `{"type":"object","properties":{"a":{},"b":{"type":"string","default":"x"}},"required":["b"],"additionalProperties":false}`, diff.None, diff.Backward, "property-added-with-default"},
		{"required with a default that does not fit", in, shut(`"a":{}`), `{"type":"object","properties":{"a":{},"b":{"type":"string","default":7}},"required":["b"],"additionalProperties":false}`, diff.None, diff.None, "property-added-with-default"},
		{"removed, open", in, obj(`"a":{"type":"string"},"b":{"type":"string"}`), obj(`"a":{"type":"string"}`), diff.Backward, diff.None, "property-removed"},
		{"removed, closed", in, shut(`"a":{},"zzz":{}`), shut(`"a":{}`), diff.None, diff.None, "property-removed"},
		{"required removed", out, req(`"a"`, `"a":{"type":"string"}`), obj(``), diff.None, diff.None, "property-removed"},
		{"renamed", in, shut(`"user_id":{"type":"integer"},"x":{}`), shut(`"userId":{"type":"integer"},"x":{}`), diff.None, diff.None, "property-renamed"},
		{"became required", in, obj(`"a":{}`), req(`"a"`, `"a":{}`), diff.None, diff.None, "property-became-required"},
		{"became required", out, obj(`"a":{}`), req(`"a"`, `"a":{}`), diff.Backward, diff.Backward, "property-became-required"},
		{"became required with default", in, obj(`"a":{"default":1}`), req(`"a"`, `"a":{"default":1}`), diff.None, diff.Backward, "property-became-required-with-default"},
		{"became optional", out, req(`"a"`, `"a":{}`), obj(`"a":{}`), diff.None, diff.None, "property-became-optional"},
		{"became optional", in, req(`"a"`, `"a":{}`), obj(`"a":{}`), diff.Backward, diff.Backward, "property-became-optional"},
		{"closed", in, obj(`"a":{}`), shut(`"a":{}`), diff.None, diff.Backward, "object-closed"},
		{"opened", out, shut(`"a":{}`), obj(`"a":{}`), diff.None, diff.Backward, "object-opened"},
		{"rest constrained", in, obj(`"a":{}`), `{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}`, diff.None, diff.Backward, "rest-constrained"},
		{"rest freed", out, `{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}`, obj(`"a":{}`), diff.None, diff.None, "rest-freed"},
		{"pattern for members added", in, obj(`"a":{}`), `{"type":"object","properties":{"a":{}},"patternProperties":{"^x-":{"type":"string"}}}`, diff.None, diff.Backward, "member-pattern-added"},
		{"pattern for members removed", in, `{"type":"object","patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`, `{"type":"object","additionalProperties":false}`, diff.None, diff.None, "member-pattern-removed"},
		{"names constrained", out, `{"type":"object"}`, `{"type":"object","propertyNames":{"maxLength":3}}`, diff.Backward, diff.Backward, "names-constrained"},
		{"names freed", in, `{"type":"object","propertyNames":{"maxLength":3}}`, `{"type":"object"}`, diff.Backward, diff.Backward, "names-freed"},
		{"dependency added", in, obj(`"a":{},"b":{}`), `{"type":"object","properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]}}`, diff.None, diff.None, "dependency-added"},
		{"dependency removed", in, `{"type":"object","properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]}}`, obj(`"a":{},"b":{}`), diff.Backward, diff.Backward, "dependency-removed"},

		{"integer to number", in, `{"type":"integer"}`, `{"type":"number"}`, diff.Backward, diff.Backward, "type-widened"},
		{"integer to number", out, `{"type":"integer"}`, `{"type":"number"}`, diff.None, diff.None, "type-widened"},
		{"number to integer", in, `{"type":"number"}`, `{"type":"integer"}`, diff.None, diff.None, "type-narrowed"},
		{"list to map", out, `{"type":"array"}`, `{"type":"object"}`, diff.None, diff.None, "type-replaced"},
		{"nullable", out, `{"type":"string"}`, `{"type":["string","null"]}`, diff.None, diff.None, "became-nullable"},
		{"nullable by anyOf", in, `{"type":"string"}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, diff.Backward, diff.Backward, "became-nullable"},
		{"not nullable", in, `{"type":["string","null"]}`, `{"type":"string"}`, diff.None, diff.None, "no-longer-nullable"},
		{"enum value added", out, `{"enum":["a","b"]}`, `{"enum":["a","b","c"]}`, diff.None, diff.None, "enum-value-added"},
		{"enum value removed", in, `{"enum":["a","b"]}`, `{"enum":["a"]}`, diff.None, diff.None, "enum-value-removed"},
		{"values closed", in, `{"type":"string"}`, `{"type":"string","enum":["a"]}`, diff.None, diff.None, "values-closed"},
		{"values opened", out, `{"type":"string","enum":["a"]}`, `{"type":"string"}`, diff.None, diff.None, "values-opened"},
		{"constant changed", in, `{"const":1}`, `{"const":2}`, diff.None, diff.None, "constant-changed"},
		{"upper bound lowered", in, `{"type":"integer","maximum":10}`, `{"type":"integer","maximum":5}`, diff.None, diff.None, "upper-bound-lowered"},
		{"upper bound raised", out, `{"type":"string","maxLength":10}`, `{"type":"string"}`, diff.None, diff.None, "upper-bound-raised"},
		{"lower bound raised", in, `{"type":"array","minItems":1}`, `{"type":"array","minItems":2}`, diff.None, diff.None, "lower-bound-raised"},
		{"lower bound lowered", out, `{"type":"object","minProperties":2}`, `{"type":"object","minProperties":1}`, diff.None, diff.None, "lower-bound-lowered"},
		{"exclusive to inclusive", in, `{"type":"number","exclusiveMaximum":5}`, `{"type":"number","maximum":5}`, diff.Backward, diff.Backward, "upper-bound-raised"},
		{"exclusive to inclusive", out, `{"type":"number","exclusiveMaximum":5}`, `{"type":"number","maximum":5}`, diff.None, diff.None, "upper-bound-raised"},
		{"bounds that no double tells apart", in, `{"type":"integer","maximum":9223372036854775807}`, `{"type":"integer","maximum":9223372036854775806}`, diff.None, diff.None, "upper-bound-lowered"},
		{"multiple coarser", in, `{"type":"integer","multipleOf":2}`, `{"type":"integer","multipleOf":4}`, diff.None, diff.None, "multiple-coarsened"},
		{"multiple finer", in, `{"type":"number","multipleOf":0.1}`, `{"type":"number","multipleOf":0.05}`, diff.Backward, diff.Backward, "multiple-refined"},
		{"multiple changed", out, `{"type":"integer","multipleOf":2}`, `{"type":"integer","multipleOf":3}`, diff.None, diff.None, "multiple-changed"},
		{"pattern added", in, `{"type":"string"}`, `{"type":"string","pattern":"^a"}`, diff.None, diff.None, "pattern-added"},
		{"pattern that takes everything", in, `{"type":"string"}`, `{"type":"string","pattern":"a*"}`, diff.Full, diff.Full, ""},
		{"pattern removed", out, `{"type":"string","pattern":"^a"}`, `{"type":"string"}`, diff.None, diff.None, "pattern-removed"},
		{"pattern widened", in, `{"type":"string","pattern":"^[a-c]$"}`, `{"type":"string","pattern":"^[a-f]$"}`, diff.Backward, diff.Backward, "pattern-changed"},
		{"an inert bound", in, `{"type":"string","maximum":10}`, `{"type":"string","maximum":5}`, diff.None, diff.None, "upper-bound-lowered"},
		{"a flag without its bound", in, `{"type":"number"}`, `{"type":"number","x-exclusiveMaximum":true}`, diff.None, diff.None, "upper-bound-lowered"},

		{"unique", in, `{"type":"array"}`, `{"type":"array","uniqueItems":true}`, diff.None, diff.None, "unique-set"},
		{"not unique", in, `{"type":"array","uniqueItems":true}`, `{"type":"array"}`, diff.Backward, diff.Backward, "unique-unset"},
		{"tuple grown, open tail", in, `{"type":"array","prefixItems":[{"type":"string"}]}`, `{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}]}`, diff.None, diff.None, "tuple-extended"},
		{"tuple cut", in, `{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}]}`, `{"type":"array","prefixItems":[{"type":"string"}]}`, diff.Backward, diff.Backward, "tuple-cut"},
		{"items constrained", in, `{"type":"array"}`, `{"type":"array","items":{"type":"string"}}`, diff.None, diff.None, "items-constrained"},
		{"items freed", out, `{"type":"array","items":{"type":"string"}}`, `{"type":"array"}`, diff.None, diff.None, "items-freed"},
		{"contains added", in, `{"type":"array"}`, `{"type":"array","contains":{"type":"string"}}`, diff.None, diff.None, "contains-added"},
		{"contains removed", out, `{"type":"array","contains":{"type":"string"}}`, `{"type":"array"}`, diff.None, diff.None, "contains-removed"},

		{"branch added", out, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"boolean"}]}`, diff.None, diff.None, "branch-added"},
		{"branch removed", in, `{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"boolean"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, diff.None, diff.None, "branch-removed"},
		{"choice added", in, `{}`, `{"anyOf":[{"type":"string"},{"minimum":3}]}`, diff.None, diff.None, "choice-added"},
		{"choice removed", in, `{"anyOf":[{"type":"string"},{"minimum":3}]}`, `{}`, diff.Backward, diff.Backward, "choice-removed"},
		{"exclusion added", in, `{"type":"string"}`, `{"type":"string","not":{"const":"a"}}`, diff.None, diff.None, "exclusion-added"},
		{"exclusion removed", out, `{"type":"string","not":{"const":"a"}}`, `{"type":"string"}`, diff.None, diff.None, "exclusion-removed"},
		{"exclusion widened", in, `{"type":"string","not":{"enum":["a"]}}`, `{"type":"string","not":{"enum":["a","b"]}}`, diff.None, diff.None, "enum-value-added"},
		{"condition added", in, obj(`"a":{}`), `{"type":"object","properties":{"a":{}},"if":{"required":["a"]},"then":{"minProperties":2}}`, diff.None, diff.None, "condition-added"},
		{"condition removed", in, `{"type":"object","if":{"required":["a"]},"then":{"minProperties":2}}`, `{"type":"object"}`, diff.Backward, diff.Backward, "condition-removed"},
		{"condition changed", in, `{"type":"object","if":{"required":["a"]},"then":{"minProperties":2}}`, `{"type":"object","if":{"required":["a"]},"then":{"minProperties":3}}`, diff.None, diff.None, "condition-changed"},
		{"never", in, `{"type":"string"}`, `false`, diff.None, diff.None, "never-fits"},
		{"never", out, `{"type":"string"}`, `false`, diff.None, diff.None, "never-fits uninhabited"},
		{"again", out, `false`, `{"type":"string"}`, diff.None, diff.None, "fits-again"},
		{"contradiction in an output", out, `{"type":"integer"}`, `{"type":"integer","minimum":5,"maximum":3}`, diff.None, diff.None, "uninhabited"},
		{"twin added", out, `{"anyOf":[{"$ref":"#/$defs/Dog"},{"type":"null"},{"type":"string"}],` + twins, `{"anyOf":[{"$ref":"#/$defs/Dog"},{"$ref":"#/$defs/Cat"},{"type":"null"},{"type":"string"}],` + twins, diff.None, diff.None, "named-branch-added"},
		{"twin removed", in, `{"anyOf":[{"$ref":"#/$defs/Dog"},{"$ref":"#/$defs/Cat"},{"type":"string"}],` + twins, `{"anyOf":[{"$ref":"#/$defs/Dog"},{"type":"string"}],` + twins, diff.None, diff.None, "named-branch-removed"},

		{"twin part added", in, `{"allOf":[{"$ref":"#/$defs/Dog"}],` + twins, `{"allOf":[{"$ref":"#/$defs/Dog"},{"$ref":"#/$defs/Cat"}],` + twins, diff.None, diff.None, "named-part-added"},
		{"twin part removed", out, `{"allOf":[{"$ref":"#/$defs/Dog"},{"$ref":"#/$defs/Cat"}],` + twins, `{"allOf":[{"$ref":"#/$defs/Dog"}],` + twins, diff.None, diff.None, "named-part-removed"},
		{"a consequence without a condition", in, `{"type":"object"}`, `{"type":"object","then":{"minProperties":2}}`, diff.None, diff.None, "condition-added"},
		{"a condition without a consequence", out, `{"type":"object","if":{"minProperties":2}}`, `{"type":"object"}`, diff.None, diff.None, "condition-removed"},
		{"members of text", in, `{"type":"string"}`, `{"type":"string","propertyNames":{"maxLength":2}}`, diff.None, diff.None, "names-constrained"},
		{"elements of text", out, `{"type":"string","uniqueItems":true}`, `{"type":"string"}`, diff.None, diff.None, "unique-unset"},

		{"format added", in, `{"type":"string"}`, `{"type":"string","format":"date"}`, diff.None, diff.None, "format-added"},
		{"format removed", out, `{"type":"string","format":"date"}`, `{"type":"string"}`, diff.None, diff.None, "format-removed"},
		{"format wider", in, `{"type":"integer","format":"int32"}`, `{"type":"integer","format":"int64"}`, diff.Backward, diff.Backward, "format-widened"},
		{"format narrower", in, `{"type":"integer","format":"int64"}`, `{"type":"integer","format":"int32"}`, diff.None, diff.None, "format-narrowed"},
		{"format changed", out, `{"type":"string","format":"date"}`, `{"type":"string","format":"date-time"}`, diff.None, diff.None, "format-changed"},
		{"encoding changed", in, `{"type":"string","contentEncoding":"base64"}`, `{"type":"string","contentEncoding":"base32"}`, diff.None, diff.None, "content-encoding-changed"},
		{"content type changed", out, `{"type":"string","contentMediaType":"text/html"}`, `{"type":"string","contentMediaType":"text/plain"}`, diff.None, diff.None, "content-media-changed"},
		{"content schema added", in, `{"type":"string"}`, `{"type":"string","contentSchema":{"type":"object"}}`, diff.None, diff.None, "content-schema-added"},
		{"content schema removed", out, `{"type":"string","contentSchema":{"type":"object"}}`, `{"type":"string"}`, diff.None, diff.None, "content-schema-removed"},
		{"default changed", in, obj(`"a":{"default":1}`), obj(`"a":{"default":2}`), diff.Backward, diff.None, "default-changed"},
		{"default changed", out, obj(`"a":{"default":1}`), obj(`"a":{"default":2}`), diff.Backward, diff.Backward, "default-changed"},
		{"default removed", in, obj(`"a":{"default":1}`), obj(`"a":{}`), diff.Backward, diff.None, "default-removed"},
		{"default added", in, obj(`"a":{}`), obj(`"a":{"default":1}`), diff.Backward, diff.Backward, "default-added"},
		{"recursive", in, `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"v":{"type":"integer"},"n":{"$ref":"#/$defs/N"}}}}}`, `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"v":{"type":"integer","maximum":5},"n":{"$ref":"#/$defs/N"}}}}}`, diff.None, diff.None, "upper-bound-lowered"},
	}
}

const twins = `"$defs":{"Dog":{"type":"object","required":["n"],"properties":{"n":{"type":"string"}}},"Cat":{"type":"object","required":["n"],"properties":{"n":{"type":"string"}}}}}`

func obj(members string) string { return `{"type":"object","properties":{` + members + `}}` }
func shut(members string) string {
	return `{"type":"object","properties":{` + members + `},"additionalProperties":false}`
}
func req(names, members string) string {
	return `{"type":"object","properties":{` + members + `},"required":[` + names + `]}`
}

func compare(t testing.TB, r row, mode diff.Mode) diff.Report {
	t.Helper()
	rep, err := diff.Compare(diff.Schemas(json.RawMessage(r.old), r.dir), diff.Schemas(json.RawMessage(r.new), r.dir), diff.Options{Mode: mode})
	if err != nil {
		t.Fatalf("%s %s: %v", r.dir, r.name, err)
	}
	return rep
}

func ids(changes []diff.Change) []string {
	out := []string{}
	for _, c := range changes {
		out = append(out, c.Rule)
	}
	return out
}

func TestSchemaChanges(t *testing.T) {
	for _, r := range rows() {
		strict, tool := compare(t, r, diff.Strict), compare(t, r, diff.Tool)
		if strict.Verdict != r.strict || tool.Verdict != r.tool {
			t.Errorf("%s %s: got %s strict, %s tool; want %s, %s (%v)", r.dir, r.name, strict.Verdict, tool.Verdict, r.strict, r.tool, ids(tool.Changes))
		}
		for _, id := range strings.Fields(r.rules) {
			if !slices.Contains(ids(tool.Changes), id) {
				t.Errorf("%s %s: rule %s is missing from %v", r.dir, r.name, id, ids(tool.Changes))
			}
		}
		for _, rep := range []diff.Report{strict, tool} {
			consistent(t, r.name, rep)
		}
	}
}

// consistent holds a report against what every report promises.
func consistent(t testing.TB, name string, r diff.Report) {
	t.Helper()
	if (r.Verdict == diff.None) != (len(r.Breaking()) > 0) {
		t.Errorf("%s: %s with %d breaking changes", name, r.Verdict, len(r.Breaking()))
	}
	if (r.Bump == diff.Major) != !r.Verdict.Serves() {
		t.Errorf("%s: %s asks for a %s step", name, r.Verdict, r.Bump)
	}
	if r.Verdict == diff.Identical && len(r.Changes) > 0 {
		t.Errorf("%s: identical with changes %v", name, ids(r.Changes))
	}
	for _, c := range r.Changes {
		if c.Breaking && (c.Harm == "" || c.Remedy == "") {
			t.Errorf("%s: %s breaks and does not say whom, or what to do", name, c.Rule)
		}
		if c.Enforcement != "" && (c.Tool != rule.OK || c.Strict == rule.OK) {
			t.Errorf("%s: %s names %s and is %s strict, %s tool", name, c.Rule, c.Enforcement, c.Strict, c.Tool)
		}
	}
}

func TestEnforcements(t *testing.T) {
	want := map[string]string{"property-added": rule.UndeclaredRefused, "object-closed": rule.UndeclaredRefused,
		"object-opened": rule.Projected, "property-added-with-default": rule.DefaultFilled}
	for _, r := range rows() {
		for _, c := range compare(t, r, diff.Tool).Changes {
			if w, ok := want[c.Rule]; ok && r.strict == diff.None && r.tool == diff.Backward && w != c.Enforcement && !(r.dir == out && c.Enforcement == rule.Projected) {
				t.Errorf("%s: %s is made safe by %q, want %q", r.name, c.Rule, c.Enforcement, w)
			}
		}
	}
}

// TestEquivalentSpellings holds that another spelling of one contract is no
// change of it.
func TestEquivalentSpellings(t *testing.T) {
	const plain = `{"type":"object","properties":{"a":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}},"required":["a"]}`
	spellings := map[string][2]string{
		"a reference in place of its target": {plain, `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"$defs":{"A":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}}}`},
		"allOf cut differently":              {plain, `{"allOf":[{"type":"object","required":["a"]},{"properties":{"a":{"allOf":[{"type":"object"},{"properties":{"x":{"type":"string"}}},{"required":["x"]}]}}}]}`},
		"order of members and lists":         {`{"type":["string","null"],"enum":["a","b",null]}`, `{"enum":[null,"b","a"],"type":["null","string"]}`},
		"order of alternatives":              {`{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, `{"anyOf":[{"type":"null"},{"type":"integer"},{"type":"string"}]}`},
		"a renamed component":                {`{"anyOf":[{"$ref":"#/$defs/A"},{"type":"string"}],"$defs":{"A":{"type":"object","properties":{"x":{"type":"string"}}}}}`, `{"anyOf":[{"type":"string"},{"$ref":"#/$defs/B"}],"$defs":{"B":{"type":"object","properties":{"x":{"type":"string"}}}}}`},
		"null as a type or an alternative":   {`{"type":["integer","null"]}`, `{"anyOf":[{"type":"integer"},{"type":"null"}]}`},
		"prose":                              {`{"type":"string","description":"a"}`, `{"type":"string","description":"b","title":"t","examples":["x"]}`},
		"a constant as a list of one":        {`{"const":"a"}`, `{"enum":["a"]}`},
		"types or alternatives":              {`{"type":["string","integer"]}`, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`},
	}
	for name, s := range spellings {
		for _, dir := range []rule.Direction{in, out} {
			for _, pair := range [][2]string{s, {s[1], s[0]}} {
				r := compare(t, row{name: name, dir: dir, old: pair[0], new: pair[1]}, diff.Tool)
				if r.Verdict != diff.Full && r.Verdict != diff.Identical || len(r.Breaking()) > 0 {
					t.Errorf("%s %s: %s, %v", dir, name, r.Verdict, ids(r.Changes))
				}
			}
		}
	}
}

// TestPromises compares what stands beside the schemas.
func TestPromises(t *testing.T) {
	yes := true
	field := func(f interlock.FieldMeaning) interlock.Operation {
		f.At = "output:/t"
		return interlock.Operation{OutputSchema: json.RawMessage(obj(`"t":{"type":"number"}`)), Fields: []interlock.FieldMeaning{f}}
	}
	rows := []struct {
		name     string
		old, new interlock.Operation
		want     diff.Verdict
		rule     string
	}{
		{"nothing", interlock.Operation{Name: "a"}, interlock.Operation{Name: "b", Title: "t"}, diff.Identical, ""},
		{"stronger effect", interlock.Operation{Effect: "read"}, interlock.Operation{Effect: "write"}, diff.None, "effect-strengthened"},
		{"weaker effect", interlock.Operation{Effect: "destructive"}, interlock.Operation{Effect: "write"}, diff.Backward, "effect-weakened"},
		{"effect unsaid", interlock.Operation{Effect: "write"}, interlock.Operation{}, diff.None, "effect-strengthened"},
		{"idempotency lost", interlock.Operation{Idempotent: &yes}, interlock.Operation{}, diff.None, "idempotency-lost"},
		{"idempotency gained", interlock.Operation{}, interlock.Operation{Idempotent: &yes}, diff.Backward, "idempotency-gained"},
		{"failure removed", interlock.Operation{Errors: []interlock.ErrorCase{{When: "gone", Status: 410}}}, interlock.Operation{}, diff.None, "error-removed"},
		{"failure added", interlock.Operation{}, interlock.Operation{Errors: []interlock.ErrorCase{{When: "gone", Status: 410}}}, diff.Backward, "error-added"},
		{"failure means another", interlock.Operation{Errors: []interlock.ErrorCase{{When: "gone", Code: "E1"}}}, interlock.Operation{Errors: []interlock.ErrorCase{{When: "late", Code: "E1"}}}, diff.None, "error-meaning-changed"},
		{"scope added", interlock.Operation{}, interlock.Operation{Scopes: []string{"w"}}, diff.None, "scope-added"},
		{"scope removed", interlock.Operation{Scopes: []string{"w"}}, interlock.Operation{}, diff.Backward, "scope-removed"},
		{"output untyped", field(interlock.FieldMeaning{}), interlock.Operation{}, diff.None, "output-schema-removed"},
		{"output typed", interlock.Operation{}, field(interlock.FieldMeaning{}), diff.Backward, "output-schema-added"},
		{"input typed", interlock.Operation{}, interlock.Operation{InputSchema: json.RawMessage(`{}`)}, diff.None, "input-schema-added"},
		{"input untyped", interlock.Operation{InputSchema: json.RawMessage(`{}`)}, interlock.Operation{}, diff.Backward, "input-schema-removed"},
		{"seconds become milliseconds", field(interlock.FieldMeaning{Unit: "s"}), field(interlock.FieldMeaning{Unit: "ms"}), diff.None, "unit-changed"},
		{"another thing", field(interlock.FieldMeaning{SemanticID: "air_temperature"}), field(interlock.FieldMeaning{SemanticID: "water_temperature"}), diff.None, "semantic-id-changed"},
		{"another quantity", field(interlock.FieldMeaning{Qualifiers: map[string]string{"height": "2m"}}), field(interlock.FieldMeaning{Qualifiers: map[string]string{"height": "10m"}}), diff.None, "qualifier-changed"},
		{"another format", field(interlock.FieldMeaning{Format: "utc"}), field(interlock.FieldMeaning{Format: "local"}), diff.None, "field-format-changed"},
		{"no promise of completeness", field(interlock.FieldMeaning{Qualifiers: map[string]string{"completeness": "all"}}), field(interlock.FieldMeaning{Qualifiers: map[string]string{"completeness": "sample"}}), diff.None, "paging-changed"},
		{"meaning declared", field(interlock.FieldMeaning{}), field(interlock.FieldMeaning{Unit: "s"}), diff.Backward, "meaning-added"},
	}
	for _, r := range rows {
		got, err := diff.Compare(diff.Of(r.old), diff.Of(r.new), diff.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Verdict != r.want || r.rule != "" && !slices.Contains(ids(got.Changes), r.rule) {
			t.Errorf("%s: %s with %v, want %s with %q", r.name, got.Verdict, ids(got.Changes), r.want, r.rule)
		}
		consistent(t, r.name, got)
	}
}

func TestPointersAndWitness(t *testing.T) {
	r := compare(t, row{dir: in, old: obj(`"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"integer","maximum":10}`), new: obj(`"n":{"type":"integer","maximum":7}`)}, diff.Tool)
	want := []diff.Change{{Rule: "upper-bound-lowered", Pointer: "/$defs/N/maximum", PointerNew: "/properties/n/maximum", Section: "input", Direction: in,
		Strict: rule.Break, Tool: rule.Break, Breaking: true, Message: "Maximum went from 10 to 7", Harm: "A caller that goes up to the old bound is refused.", Remedy: rule.RemedyInput, Witness: json.RawMessage(`{"n":8}`), WitnessAt: "/n"}}
	if d := cmp.Diff(want, r.Changes); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
}

func TestBadSchemas(t *testing.T) {
	for name, s := range map[string]string{"not JSON": `{`, "no schema": `{"type":"strong"}`, "remote": `{"$ref":"http://x.example/y"}`, "dangling": `{"$ref":"#/nowhere"}`,
		"a member twice": `{"type":"string","type":"string"}`, "deep": strings.Repeat(`{"not":`, 20_000) + `{}` + strings.Repeat(`}`, 20_000)} {
		_, err := diff.Compare(diff.Schemas(json.RawMessage(`{}`), in), diff.Schemas(json.RawMessage(s), in), diff.Options{})
		if interlock.ReasonOf(err) != interlock.ReasonRequestInvalid {
			t.Errorf("%s: got %v, want a typed error", name, err)
		}
	}
}

// TestTextParameters: what is written as text may not become a number as well.
func TestTextParameters(t *testing.T) {
	side := func(schema string, text bool) diff.Side {
		return diff.Side{Sections: []diff.Section{{Name: "parameters", Direction: in, Schema: json.RawMessage(schema), Text: text}}}
	}
	for _, r := range []struct {
		old, new string
		text     bool
		want     diff.Verdict
	}{
		{`{"type":"string"}`, `{"type":["string","integer"]}`, true, diff.None},
		{`{"type":"string"}`, `{"type":["string","integer"]}`, false, diff.Backward},
		{`{"type":"string"}`, `{"type":["string","null"]}`, true, diff.Backward},
		{`{"type":"integer"}`, `{"type":["integer","string"]}`, true, diff.Backward},
	} {
		got, err := diff.Compare(side(r.old, r.text), side(r.new, r.text), diff.Options{})
		if err != nil || got.Verdict != r.want {
			t.Errorf("%s to %s, text %v: %s (%v), want %s", r.old, r.new, r.text, got.Verdict, err, r.want)
		}
	}
}

// TestWitnessIsWhole: what a change shows is let through by the old contract as
// a whole and refused by the new one.
func TestWitnessIsWhole(t *testing.T) {
	old := json.RawMessage(`{"type":"object","properties":{"document":{"type":"string"},"fields":{"type":"array"}},"required":["document"]}`)
	now := json.RawMessage(`{"type":"object","properties":{"document":{"type":"string"},"fields":{"type":"array"}},"required":["document","fields"]}`)
	report, err := diff.Compare(diff.Schemas(old, rule.Input), diff.Schemas(now, rule.Input), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Changes) != 1 || report.Changes[0].Witness == nil {
		t.Fatalf("%+v", report.Changes)
	}
	for schema, want := range map[string]bool{string(old): true, string(now): false} {
		v, err := contract.NewVerifier([]byte(schema), contract.VerifierOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := v.Valid(report.Changes[0].Witness); err != nil || got != want {
			t.Errorf("%s lets %s through: %t, %v", schema, report.Changes[0].Witness, got, err)
		}
	}
}

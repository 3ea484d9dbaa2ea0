package contract

import (
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// Every keyword has its own words, and names itself.
func TestEveryKeywordHasASentence(t *testing.T) {
	for _, tc := range []struct{ keyword, schema, value, pointer, says string }{
		{"type", `{"type":["integer","array"]}`, `"x"`, "/v", "an integer or a list, found a string"},
		{"type", `{"type":"boolean"}`, `{}`, "/v", "a boolean, found an object"},
		{"type", `{"type":"string"}`, `false`, "/v", "a string, found a boolean"},
		{"const", `{"const":{"a":[1]}}`, `7`, "/v", `expected {"a":[1]}, found another number`},
		{"enum", `{"enum":[1,2,3,4,5,6,7,8,9,10,11,12]}`, `0`, "/v", "10 and 2 more"},
		{"required", `{"required":["a"]}`, `{}`, "/v/a", "missing"},
		{"dependentRequired", `{"dependentRequired":{"a":["b","c"]}}`, `{"a":1,"b":1}`, "/v", `"c" beside "a"`},
		{"additionalProperties", `{"properties":{"a":{}},"additionalProperties":false}`, `{"b":1}`, "/v/b", "declares"},
		{"false", `{"properties":{"a":false}}`, `{"a":1}`, "/v/a", "declares"},
		{"propertyNames", `{"propertyNames":{"pattern":"^a"}}`, `{"b":1}`, "/v/b", "matches ^a"},
		{"propertyNames", `{"propertyNames":{"enum":["x"]}}`, `{"b":1}`, "/v/b", `a member name that is "x"`},
		{"not", `{"not":{"type":"string"}}`, `"x"`, "/v", "excluded"},
		{"oneOf", `{"oneOf":[{},{}]}`, `1`, "/v", "exactly one"},
		{"minLength", `{"minLength":2}`, `"a"`, "/v", "at least 2 characters"},
		{"maxLength", `{"maxLength":1}`, `"ab"`, "/v", "at most 1 character"},
		{"pattern", `{"pattern":"^a$"}`, `"b"`, "/v", "matches ^a$"},
		{"minItems", `{"minItems":1}`, `[]`, "/v", "at least 1 item"},
		{"maxItems", `{"maxItems":1}`, `[1,2]`, "/v", "at most 1 item"},
		{"uniqueItems", `{"uniqueItems":true}`, `[1,1.0]`, "/v", "all differ"},
		{"contains", `{"contains":{"type":"string"}}`, `[1]`, "/v", "at least one item"},
		{"minContains", `{"contains":{"type":"string"},"minContains":2}`, `["a"]`, "/v", "at least 2 items"},
		{"maxContains", `{"contains":{"type":"string"},"maxContains":1}`, `["a","b"]`, "/v", "at most 1 item of"},
		{"minProperties", `{"minProperties":1}`, `{}`, "/v", "at least 1 member"},
		{"maxProperties", `{"maxProperties":0}`, `{"a":1}`, "/v", "at most 0 members"},
		{"minimum", `{"minimum":-9223372036854775808}`, `-9223372036854775809`, "/v", "at least -9223372036854775808"},
		{"maximum", `{"maximum":0.5}`, `0.50000000000000000001`, "/v", "at most 0.5"},
		{"exclusiveMinimum", `{"exclusiveMinimum":1e-30}`, `1e-30`, "/v", "over 0.000000000000000000000000000001"},
		{"exclusiveMaximum", `{"exclusiveMaximum":1}`, `1`, "/v", "under 1"},
		{"multipleOf", `{"multipleOf":3}`, `4`, "/v", "a multiple of 3"},
		{"dependencies", `{"dependencies":{"a":["b"]}}`, `{"a":1}`, "/v", `"b" beside "a"`},
		{"false", `{"prefixItems":[{}],"items":false}`, `[1,2]`, "/v/1", "declares"},
		{"false", `{"unevaluatedProperties":false}`, `{"a":2}`, "/v/a", "declares"},
		{"const", `{"anyOf":[{"const":1},{"enum":["a","b"]},{"const":null}]}`, `"c"`, "/v", `one of 1, "a", "b", null`},
		{"minimum", `{"anyOf":[{"type":"string"},{"minimum":5}]}`, `1`, "/v", "at least 5"},
		{"type", `{"anyOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"b":{"type":"integer"},"c":{"type":"integer"}},"required":["b","c"]}]}`, `{"a":"x"}`, "/v/a", "an integer"},
		{"false", `{"anyOf":[false,{"type":"string"}]}`, `1`, "/v", "nothing that the tool declares"},
	} {
		c := compiled(t, `{"properties":{"v":`+tc.schema+`}}`, tc.schema)
		e := interlock.AsError(c.ValidateArgs([]byte(`{"v":` + tc.value + `}`)))
		if e.Pointer != tc.pointer || !strings.Contains(e.Public, tc.says) || !strings.Contains(e.Public, "("+tc.keyword+")") {
			t.Errorf("%s with %s\n at %q: %s\n want %q, %s (%s)", tc.schema, tc.value, e.Pointer, e.Public, tc.pointer, tc.says, tc.keyword)
		}
		result := interlock.AsError(c.ValidateResult([]byte(tc.value)))
		if !strings.Contains(result.Public, "("+tc.keyword+")") || result.Reason != interlock.ReasonResultInvalid {
			t.Errorf("result: %s with %s: %s", tc.schema, tc.value, result.Public)
		}
	}
}

// A faulty name deep inside is found where it stands, although the library
// forgets the place as it goes on.
func TestPropertyNamesInside(t *testing.T) {
	c := compiled(t, `{"properties":{"list":{"items":{"type":"object","properties":{"m":{"propertyNames":{"maxLength":2}}}}}}}`, "")
	for range 200 {
		e := interlock.AsError(c.ValidateArgs([]byte(`{"list":[{"m":{}},{"m":{"abc":1}},{"m":{}},{"m":{"a":1}}]}`)))
		if e.Pointer != "/list/1/m/abc" || !strings.Contains(e.Public, "at most 2 characters") {
			t.Fatalf("at %q: %s", e.Pointer, e.Public)
		}
	}
	flat := compiled(t, `{"properties":{"m":{"propertyNames":{"maxLength":2}},"a":{"type":"object"},"b":{"type":"object"}}}`, "")
	for range 200 {
		e := interlock.AsError(flat.ValidateArgs([]byte(`{"a":{"abc":1},"m":{"abc":1,"x":2},"b":{"abc":1}}`)))
		if e.Pointer != "/m/abc" {
			t.Fatalf("at %q: %s", e.Pointer, e.Public)
		}
	}
}

func TestDialectOf(t *testing.T) {
	for uri, want := range map[string]dialect{
		"http://json-schema.org/draft-04/schema#": draft4, "http://json-schema.org/draft-06/schema": draft6,
		"https://json-schema.org/draft-07/schema#": draft7, "https://json-schema.org/draft/2019-09/schema": draft2019,
		"https://json-schema.org/draft/2020-12/schema": draft2020, "http://json-schema.org/schema#": draft2020,
		"": dialectUnknown, "http://json-schema.org/draft-03/schema": dialectUnknown, "http://example.com/schema": dialectUnknown,
	} {
		if got := dialectOf(uri); got != want {
			t.Errorf("dialectOf(%q) = %d, want %d", uri, got, want)
		}
	}
}

// When the stated dialect counts in the hash.
func TestReadsOtherwise(t *testing.T) {
	for _, tc := range []struct {
		in     dialect
		schema string
		want   bool
	}{
		{draft7, `{"type":"object","properties":{},"required":["a"]}`, false},
		{draft7, `{"$ref":"#/$defs/a","description":"d","$defs":{}}`, false},
		{draft7, `{"$ref":"#/$defs/a","maximum":1}`, true},
		{draft7, `{"items":{}}`, false},
		{draft7, `{"items":[{}]}`, true},
		{draft7, `{"unevaluatedProperties":false}`, true},
		{draft7, `{"if":{}}`, false},
		{draft6, `{"if":{}}`, true},
		{draft4, `{"maximum":1}`, true},
		{draft2019, `{"unevaluatedProperties":false}`, false},
		{draft2019, `{"items":[{}]}`, true},
		{draft2019, `{"$recursiveRef":"#"}`, true},
		{draft2020, `{"prefixItems":[{}],"$dynamicRef":"#a"}`, false},
		{draft7, `true`, false},
	} {
		if got := must(t, tc.schema).readsOtherwise(tc.in); got != tc.want {
			t.Errorf("%s in %d: %v", tc.schema, tc.in, got)
		}
	}
}

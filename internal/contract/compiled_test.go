package contract

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

const extract = `{"type":"object","required":["document","fields"],"properties":{
 "document":{"type":"string","minLength":1,"maxLength":40},
 "fields":{"type":"array","items":{"type":"string"},"maxItems":3,"uniqueItems":true},
 "limit":{"type":"integer","minimum":0,"maximum":9223372036854775807},
 "ratio":{"type":"number","multipleOf":0.1,"exclusiveMaximum":1},
 "when":{"type":["string","null"],"pattern":"^[0-9]+$"},
 "level":{"enum":["low","high",3]},
 "target":{"anyOf":[
   {"type":"object","required":["kind","id"],"properties":{"kind":{"const":"user"},"id":{"type":"integer"}},"additionalProperties":false},
   {"type":"object","required":["kind","name"],"properties":{"kind":{"const":"group"},"name":{"type":"string"},"size":{"type":"integer"}},"additionalProperties":false},
   {"type":"null"}]},
 "tags":{"type":"object","additionalProperties":{"type":"string"},"propertyNames":{"maxLength":3}},
 "either":{"oneOf":[{"type":"integer"},{"minimum":5}]},
 "free":{}}}`

func TestValidateArgs(t *testing.T) {
	c := compiled(t, extract, "")
	for _, tc := range []struct{ name, more, pointer, says string }{
		{"nothing more", ``, "ok", ""},
		{"exact maximum", `"limit":9223372036854775807`, "ok", ""},
		{"one over it", `"limit":9223372036854775808`, "/limit", "at most 9223372036854775807"},
		{"integer with a point", `"limit":10.0`, "ok", ""},
		{"no integer", `"limit":1.5`, "/limit", "expected an integer, found a number (type)"},
		{"exact fraction", `"ratio":0.3`, "ok", ""},
		{"off by little", `"ratio":0.30000000000000004`, "/ratio", "a multiple of 0.1"},
		{"bound itself", `"ratio":1`, "/ratio", "a number under 1"},
		{"null where allowed", `"when":null`, "ok", ""},
		{"null as text", `"when":"null"`, "/when", "(pattern)"},
		{"null where not", `"limit":null`, "/limit", "expected an integer, found null"},
		{"number as text", `"limit":"12"`, "/limit", "without the quotes"},
		{"list as text", `"target":"null"`, "/target", "without the quotes"},
		{"text", `"limit":"many"`, "/limit", "found a string"},
		{"enum", `"level":"middle"`, "/level", `one of "low", "high", 3`},
		{"enum of another kind", `"level":null`, "/level", "found null"},
		{"const in a branch", `"target":{"kind":"robot","id":1}`, "/target/kind", `one of "user", "group"`},
		{"branch told by const", `"target":{"kind":"group","name":7}`, "/target/name", "expected a string"},
		{"missing in a branch", `"target":{"kind":"group","size":7}`, "/target/name", "missing"},
		{"undeclared in a branch", `"target":{"kind":"user","id":7,"name":"x"}`, "/target/name", "additionalProperties"},
		{"no branch of that kind", `"target":[1]`, "/target", "expected an object or null, found a list"},
		{"map value", `"tags":{"a":"x","b":1}`, "/tags/b", "expected a string"},
		{"name of a map", `"tags":{"abcd":"x"}`, "/tags/abcd", "at most 3 characters"},
		{"two alternatives at once", `"either":7`, "/either", "exactly one"},
		{"free form", `"free":{"a":[1e400,null,{"b":-0}]}`, "ok", ""},
		{"undeclared", `"zzz":1`, "/zzz", `declares no argument "zzz"`},
		{"undeclared with a slash", `"a/b~c":1`, "/a~1b~0c", "declares no argument"},
		{"first of two undeclared", `"zz":1,"aa":2`, "/zz", "declares no argument"},
		{"twice", `"document":"e"`, "/document", "twice"},
		{"twice inside", `"free":[{"a":1,"\u0061":2}]`, "/free/0/a", "twice"},
		{"too deep", `"free":` + strings.Repeat("[", 70) + strings.Repeat("]", 70), "/free" + strings.Repeat("/0", 63), "over a limit"},
		{"exponent", `"free":1e1001`, "/free", "exponent"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			args := `{"document":"d","fields":["a"]`
			if tc.more != "" {
				args += "," + tc.more
			}
			wantArgs(t, c, args+"}", tc.pointer, tc.says)
		})
	}
	for _, tc := range []struct{ args, pointer, says string }{
		{`{"document":"d","fields":["a",5]}`, "/fields/1", "expected a string, found a number"},
		{`{"document":"d","fields":["a","a"]}`, "/fields", "all differ"},
		{`{"document":"d","fields":["a","b","c","d"]}`, "/fields", "at most 3 items"},
		{`{"document":"d","fields":"a"}`, "/fields", "expected a list, found a string"},
		{`{"document":"d","fields":"[\"a\"]"}`, "/fields", "without the quotes"},
		{`{"document":"","fields":[]}`, "/document", "at least 1 character"},
		{`{"document":"d"}`, "/fields", "missing"},
		{`{}`, "/document", "missing"},
		{`{"fields":[5],"limit":"x"}`, "/fields/0", "expected a string"},
		{`null`, "", "not a JSON object"},
		{`[]`, "", "not a JSON object"},
		{`"x"`, "", "not a JSON object"},
		{``, "", "not one JSON object"},
		{`{"document":"d","fields":[]} {}`, "", "not one JSON object"},
		{`{"document":"d","fields":[}`, "/fields/0", "not one JSON object"},
	} {
		wantArgs(t, c, tc.args, tc.pointer, tc.says)
	}
}

// wantArgs checks one set of arguments; the pointer "ok" wants no error.
func wantArgs(t *testing.T, c *Compiled, args, pointer, says string) {
	t.Helper()
	err := c.ValidateArgs([]byte(args))
	if pointer == "ok" {
		if err != nil {
			t.Errorf("ValidateArgs(%s) = %v", args, err)
		}
		return
	}
	var e *interlock.Error
	if !errors.As(err, &e) {
		t.Errorf("ValidateArgs(%s) = %v, want an *interlock.Error", args, err)
		return
	}
	if e.Pointer != pointer || !strings.Contains(e.Public, says) || e.Stage != "recheck" || e.Outcome != interlock.OutcomeNotSent {
		t.Errorf("ValidateArgs(%.200s)\n at %q in %s: %s\n want %q … %s", args, e.Pointer, e.Stage, e.Public, pointer, says)
	}
	want := interlock.ReasonArgumentsInvalid
	if strings.Contains(says, "over a limit") {
		want = interlock.ReasonTooLarge
	}
	if e.Reason != want {
		t.Errorf("ValidateArgs(%.200s): %s, want %s", args, e.Reason, want)
	}
}

func TestValidateArgsTooLong(t *testing.T) {
	c := compiled(t, ``, ``)
	err := c.ValidateArgs([]byte(`{"a":"` + strings.Repeat("x", MaxArgsBytes) + `"}`))
	if interlock.ReasonOf(err) != interlock.ReasonTooLarge || interlock.CodeOf(err) != interlock.CodeTooLarge {
		t.Errorf("%v", err)
	}
	if err := c.ValidateArgs([]byte(`{"anything":[1]}`)); err != nil {
		t.Errorf("no input schema: %v", err)
	}
}

// Undeclared arguments are refused where the schema does not open itself.
func TestUndeclaredArguments(t *testing.T) {
	for _, tc := range []struct {
		name, schema string
		declared     string // arguments that pass
		undeclared   bool   // whether {"zzz":1} is refused
	}{
		{"silent", `{"properties":{"a":{}}}`, `{"a":1}`, true},
		{"closed", `{"properties":{"a":{}},"additionalProperties":false}`, `{"a":1}`, true},
		{"open", `{"properties":{"a":{}},"additionalProperties":true}`, `{"a":1,"b":2}`, false},
		{"open by schema", `{"properties":{"a":{}},"additionalProperties":{"type":"integer"}}`, `{"b":2}`, false},
		{"open by unevaluated", `{"properties":{"a":{}},"unevaluatedProperties":{}}`, `{"b":2}`, false},
		{"closed by unevaluated", `{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":2}`, true},
		{"declares nothing", `{"type":"object"}`, `{"b":2}`, false},
		{"declares an empty list", `{"type":"object","properties":{}}`, `{"b":2}`, false},
		{"closed and empty", `{"additionalProperties":false}`, `{}`, true},
		{"required and nothing more of it", `{"properties":{"a":{}},"anyOf":[{"required":["b"]},{}]}`, `{"b":1}`, true},
		{"pattern", `{"patternProperties":{"^x":{}}}`, `{"xa":1}`, true},
		{"reference", `{"$ref":"#/$defs/r","$defs":{"r":{"properties":{"a":{}}}}}`, `{"a":1}`, true},
		{"allOf", `{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`, `{"a":1,"b":1}`, true},
		{"anyOf", `{"anyOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`, `{"a":1,"b":1}`, true},
		{"oneOf", `{"oneOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}]}`, `{"a":1}`, false},
		{"conditional", `{"if":{"properties":{"a":{}}},"then":{"properties":{"b":{}}},"else":{"properties":{"c":{}}}}`, `{"a":1,"b":2,"c":3}`, true},
		{"dependent", `{"properties":{"a":{}},"dependentSchemas":{"a":{"properties":{"b":{}}}}}`, `{"a":1,"b":2}`, true},
		{"not declares nothing", `{"properties":{"a":{}},"not":{"properties":{"b":{"const":1}},"required":["b"]}}`, `{"a":1}`, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := compiled(t, tc.schema, "")
			if err := c.ValidateArgs([]byte(tc.declared)); err != nil {
				t.Errorf("declared: %v", err)
			}
			args := `{"zzz":1}`
			if tc.name == "oneOf" {
				args, tc.undeclared = `{"a":1,"zzz":1}`, true
			}
			err := c.ValidateArgs([]byte(args))
			if (err != nil) != tc.undeclared {
				t.Errorf("undeclared: %v", err)
			}
			if err != nil && interlock.AsError(err).Pointer != "/zzz" {
				t.Errorf("at %q", interlock.AsError(err).Pointer)
			}
		})
	}
}

// Of many faults the same one is shown every time, however the members are
// ordered by the runtime; the first of equals in the text is it.
func TestFaultIsDeterministic(t *testing.T) {
	c := compiled(t, `{"properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"properties":{"d":{"type":"integer"},"e":{"enum":[1]}}},"f":{"type":"integer"}},"required":["x","y"],"additionalProperties":false}`, "")
	both := compiled(t, `{"dependentRequired":{"p":["r"],"q":["s"]},"properties":{"p":{},"q":{},"e":{"anyOf":[{"properties":{"x":{"const":1},"y":{"const":1}}},{"properties":{"x":{"const":2},"y":{"const":2}}}]}}}`, "")
	for _, args := range []string{`{"p":1,"q":1}`, `{"e":{"x":3,"y":3}}`, `{"e":{"y":3,"x":3}}`} {
		first := both.ValidateArgs([]byte(args)).Error()
		for range 60 {
			if diff := cmp.Diff(first, both.ValidateArgs([]byte(args)).Error()); diff != "" {
				t.Fatalf("%s:\n%s", args, diff)
			}
		}
	}
	for args, pointer := range map[string]string{
		`{"b":"","a":"","f":""}`:                "/b",
		`{"f":"","a":"","q":1}`:                 "/f",
		`{"a":"","c":{"e":2,"d":""}}`:           "/c/e",
		`{"c":{"d":"","e":2},"z":1}`:            "/c/d",
		`{"z":1,"p":1,"a":1}`:                   "/z",
		`{"a":1}`:                               "/x",
		`{"c":{"d":1.5},"a":null,"b":[],"g":0}`: "/c/d",
	} {
		first := c.ValidateArgs([]byte(args))
		if got := interlock.AsError(first).Pointer; got != pointer {
			t.Errorf("%s: at %q, want %q", args, got, pointer)
		}
		for range 40 {
			if diff := cmp.Diff(first.Error(), c.ValidateArgs([]byte(args)).Error()); diff != "" {
				t.Fatalf("%s:\n%s", args, diff)
			}
		}
	}
}

// Sentences stay short and repeat no long value.
func TestSentencesAreBounded(t *testing.T) {
	long := strings.Repeat("x", 5000)
	c := compiled(t, `{"properties":{"a":{"enum":["`+long+`","b"]},"b":{"pattern":"^`+strings.Repeat("y", 900)+`$"},"c":{"type":"string","maxLength":1}}}`, "")
	for _, args := range []string{`{"a":"` + long + `!"}`, `{"b":"` + long + `"}`, `{"c":"` + long + `"}`, `{"` + long + `":1}`} {
		e := interlock.AsError(c.ValidateArgs([]byte(args)))
		if len(e.Public) > 700 || len(e.Pointer) > 700 || e.Public == "" {
			t.Errorf("%d and %d bytes: %s", len(e.Public), len(e.Pointer), e.Public)
		}
	}
}

func TestValidateResult(t *testing.T) {
	c := compiled(t, "", `{"type":"object","required":["pages"],"properties":{"pages":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"kind":{"enum":["a","b"]}}}},
	 "by":{"additionalProperties":{"properties":{"text":{"type":"string"}}}}}}`)
	for _, tc := range []struct{ result, pointer, says string }{
		{`{"pages":[]}`, "ok", ""},
		{`{"pages":[{"text":"a","more":1}],"more":2}`, "ok", ""},
		{`{"pages":[{"text":"a"},{"text":41974197}]}`, "/pages/1/text", `"/properties/pages/items/properties/text" (type): expected a string, found a number`},
		{`{"pages":[{"kind":"SECRET"}]}`, "/pages/0/kind", `one of "a", "b", found another string`},
		{`{"by":{"SECRET":{"text":1}},"pages":[]}`, "/by", "expected a string"},
		{`{}`, "/pages", "expected the member"},
		{`[]`, "", "expected an object, found a list"},
		{`null`, "", "found null"},
	} {
		err := c.ValidateResult([]byte(tc.result))
		if tc.pointer == "ok" {
			if err != nil {
				t.Errorf("ValidateResult(%s) = %v", tc.result, err)
			}
			continue
		}
		var e *interlock.Error
		if !errors.As(err, &e) {
			t.Fatalf("ValidateResult(%s) = %v", tc.result, err)
		}
		if e.Pointer != tc.pointer || !strings.Contains(e.Public, tc.says) || e.Stage != "validate" ||
			e.Reason != interlock.ReasonResultInvalid || e.Code != interlock.CodeUpstream || e.Outcome != interlock.OutcomeFailed {
			t.Errorf("ValidateResult(%s)\n at %q: %s %+v", tc.result, e.Pointer, e.Public, e)
		}
	}
	for _, text := range []string{``, `{`, `{"a":1,"a":2}`, `{"SECRET":1,"SECRET":2}`, `{"pages":1e5000}`} {
		e := interlock.AsError(c.ValidateResult([]byte(text)))
		if e.Reason != interlock.ReasonResultMalformed || strings.Contains(e.Public+e.Pointer, "SECRET") {
			t.Errorf("ValidateResult(%s) = %+v", text, e)
		}
	}
	large := c.ValidateResult([]byte(`"` + strings.Repeat("x", MaxResultBytes) + `"`))
	if interlock.ReasonOf(large) != interlock.ReasonResultTooLarge {
		t.Errorf("too large: %v", large)
	}
}

// Whatever a result holds, its refusal shows none of it.
func TestRefusedResultShowsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	schema := `{"type":"object","properties":{"a":{"type":"integer","minimum":3},"b":{"enum":["x"]},"c":{"items":{"pattern":"^x"},"uniqueItems":true,"maxItems":2},"d":{"additionalProperties":{"type":"null"},"propertyNames":{"pattern":"^q"},"maxProperties":1}},"additionalProperties":false,"not":{"required":["a","b","c"]}}`
	c := compiled(t, "", schema)
	draft7 := compiled(t, "", `{"$schema":"http://json-schema.org/draft-07/schema#",`+schema[1:])
	secret := func() string { return fmt.Sprintf(`"S3CRET%d"`, r.IntN(9)) }
	refused := 0
	for range 2000 {
		var members []string
		for _, name := range []string{`"a"`, `"b"`, `"c"`, `"d"`, secret()} {
			value := []string{secret(), "[" + secret() + "," + secret() + "]", "{" + secret() + ":" + secret() + "}", "77777", "null"}[r.IntN(5)]
			if r.IntN(2) == 0 {
				members = append(members, name+":"+value)
			}
		}
		result := "{" + strings.Join(members, ",") + "}"
		for _, checked := range []*Compiled{c, draft7} {
			err := checked.ValidateResult([]byte(result))
			if err == nil {
				continue
			}
			refused++
			e := interlock.AsError(err)
			if shown := e.Error() + e.Pointer + string(e.Detail); strings.Contains(shown, "S3CRET") || strings.Contains(shown, "77777") {
				t.Fatalf("%s shows its content: %s at %q", result, shown, e.Pointer)
			}
		}
	}
	if refused < 1000 {
		t.Errorf("only %d refused", refused)
	}
}

func TestCompiledIsConcurrent(t *testing.T) {
	c := compiled(t, extract, extract)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				if err := c.ValidateArgs([]byte(`{"document":"d","fields":["a"],"target":{"kind":"group","name":"n"}}`)); err != nil {
					t.Error(err)
				}
				if err := c.ValidateResult([]byte(`{"document":"d"}`)); err == nil {
					t.Error("a result without fields passes")
				}
				c.Shape()
				c.Inputs()
			}
		})
	}
	wg.Wait()
}

// Format is an annotation in every dialect.
func TestFormatIsNotAsserted(t *testing.T) {
	for _, dialect := range []string{"http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema"} {
		c := compiled(t, `{"$schema":"`+dialect+`","properties":{"a":{"format":"date-time"},"b":{"format":"regex"}}}`, "")
		if err := c.ValidateArgs([]byte(`{"a":"tomorrow","b":"("}`)); err != nil {
			t.Errorf("%s: %v", dialect, err)
		}
	}
}

// Each dialect reads its own keywords.
func TestDialects(t *testing.T) {
	for _, tc := range []struct {
		dialect, schema, args string
		ok                    bool
	}{
		{"http://json-schema.org/draft-04/schema#", `"properties":{"a":{"maximum":1,"exclusiveMaximum":true}}`, `{"a":1}`, false},
		{"http://json-schema.org/draft-07/schema#", `"properties":{"a":{"items":[{"type":"string"}],"additionalItems":false}}`, `{"a":["x",1]}`, false},
		{"http://json-schema.org/draft-07/schema#", `"definitions":{"s":{}},"properties":{"a":{"$ref":"#/definitions/s","type":"string"}}`, `{"a":1}`, true},
		{"https://json-schema.org/draft/2019-09/schema", `"properties":{"a":{"items":[{"type":"string"}]}}`, `{"a":[1]}`, false},
		{"https://json-schema.org/draft/2020-12/schema", `"properties":{"a":{"prefixItems":[{"type":"string"}],"items":false}}`, `{"a":["x",1]}`, false},
		{"", `"properties":{"a":{"prefixItems":[{"type":"string"}]}}`, `{"a":[1]}`, false},
		{"", `"$defs":{"s":{}},"properties":{"a":{"$ref":"#/$defs/s","type":"string"}}`, `{"a":1}`, false},
	} {
		schema := "{" + tc.schema + "}"
		if tc.dialect != "" {
			schema = fmt.Sprintf(`{"$schema":%q,%s}`, tc.dialect, tc.schema)
		}
		if err := compiled(t, schema, "").ValidateArgs([]byte(tc.args)); (err == nil) != tc.ok {
			t.Errorf("%s with %s: %v", schema, tc.args, err)
		}
	}
}

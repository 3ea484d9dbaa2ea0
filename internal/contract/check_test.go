package contract

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

// Where a schema is flawed, and words of the reason.
func TestCheckFlaws(t *testing.T) {
	for _, tc := range []struct{ name, schema, pointer, reason string }{
		{"no JSON", `{"type":`, "/type", "one JSON value"},
		{"member twice", `{"type":"object","type":"object"}`, "/type", "already"},
		{"half a surrogate", `{"const":"\ud800"}`, "/const", "surrogate"},
		{"number", `[]`, "", ""},
		{"unknown type", `{"properties":{"a":{"type":"text"}}}`, "/properties/a/type", `"string"`},
		{"type of a keyword", `{"properties":{"a":{"minLength":"3"}}}`, "/properties/a/minLength", "expected an integer"},
		{"properties is a list", `{"properties":[]}`, "/properties", "expected an object"},
		{"pattern that looks ahead", `{"properties":{"a":{"pattern":"^(?=a)"}}}`, "/properties/a/pattern", "linear time"},
		{"pattern with a back reference", `{"properties":{"a":{"pattern":"(a)\\1"}}}`, "/properties/a/pattern", "linear time"},
		{"pattern of names", `{"patternProperties":{"(":{}}}`, "/patternProperties/(", "linear time"},
		{"reference to nothing", `{"properties":{"a":{"$ref":"#/$defs/b"}}}`, "/properties/a/$ref", "not there"},
		{"anchor to nothing", `{"properties":{"a":{"$ref":"#b"}}}`, "/properties/a/$ref", "not there"},
		{"remote reference", `{"properties":{"a":{"$ref":"https://example.com/s.json"}}}`, "/properties/a/$ref", "outside the schema"},
		{"relative reference", `{"properties":{"a":{"$ref":"other.json#/a"}}}`, "/properties/a/$ref", "outside the schema"},
		{"remote through $id", `{"$id":"https://example.com/a/b.json","properties":{"a":{"$ref":"c.json"}}}`, "/properties/a/$ref", "outside the schema"},
		{"metadata address", `{"properties":{"a":{"$ref":"http://169.254.169.254/latest"}}}`, "/properties/a/$ref", "outside the schema"},
		{"unknown dialect", `{"$schema":"https://example.com/dialect","type":"object"}`, "/$schema", "unknown dialect"},
		{"old dialect", `{"$schema":"http://json-schema.org/draft-03/schema#","type":"object"}`, "/$schema", "unknown dialect"},
		{"itself in place", `{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`, "/properties/a", "leads back to itself"},
		{"itself through allOf", `{"$defs":{"x":{"allOf":[{"$ref":"#/$defs/y"}]},"y":{"anyOf":[{},{"$ref":"#/$defs/x"}]}},"properties":{"q":{"$ref":"#/$defs/x"}}}`, "/$defs/x", "leads back to itself"},
		{"too deep", strings.Repeat(`{"not":`, 130) + `{}` + strings.Repeat(`}`, 130), strings.Repeat("/not", 128), "nested deeper"},
		{"too many outside", `{"allOf":[` + refsOutside(600) + `],"x":[` + strings.Repeat(`{},`, 600) + `{}]}`, "", "600 places"},
		{"too many", `{"allOf":[` + strings.Repeat(`{},`, MaxSubschemas) + `{}]}`, "", "subschemas"},
		{"too long", `{"description":"` + strings.Repeat("x", MaxSchemaBytes) + `"}`, "", "bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Check(operation(tc.schema, ""))
			if len(got) != 1 || got[0].Pointer != "/input_schema"+tc.pointer || !strings.Contains(got[0].Reason, tc.reason) || !got[0].Dropped {
				t.Errorf("input: %.300v", got)
			}
			got = Check(operation("", tc.schema))
			if len(got) != 1 || got[0].Pointer != "/output_schema"+tc.pointer || !strings.Contains(got[0].Reason, tc.reason) || got[0].Dropped {
				t.Errorf("output: %.300v", got)
			}
			if c, err := Compile(operation("", tc.schema)); err != nil || c.StatesOutput() || c.ValidateResult([]byte(`{"x":1}`)) != nil {
				t.Errorf("a flawed output schema states something: %v", err)
			}
			if c, err := Compile(operation(tc.schema, "")); err == nil {
				if err := c.ValidateArgs([]byte(`{}`)); interlock.CodeOf(err) != interlock.CodeInternal {
					t.Errorf("arguments pass a flawed schema: %v", err)
				}
			}
		})
	}
}

// refsOutside writes n references into a keyword that holds no schemas.
func refsOutside(n int) string {
	refs := make([]string, n)
	for i := range refs {
		refs[i] = fmt.Sprintf(`{"$ref":"#/x/%d"}`, i)
	}
	return strings.Join(refs, ",")
}

// The root of an input schema must let objects through.
func TestCheckRoot(t *testing.T) {
	for _, tc := range []struct {
		schema string
		ok     bool
	}{
		{`{"type":"object"}`, true},
		{`{}`, true},
		{`{"type":["object","null"]}`, true},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}`, true},
		{`{"anyOf":[{"type":"string"},{"type":"object"}]}`, true},
		{`{"type":"string"}`, false},
		{`{"type":"array","items":{}}`, false},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`, false},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, false},
		{`{"allOf":[{"type":"object"},{"type":"array"}]}`, false},
		{`{"const":1}`, false},
		{`true`, false},
		{`null`, false},
		{`"object"`, false},
	} {
		if got := Check(operation(tc.schema, "")); (got == nil) != tc.ok {
			t.Errorf("Check(%s) = %v", tc.schema, got)
		}
	}
	for _, output := range []string{`{"type":"array"}`, `true`, `{"type":"string"}`, ``} {
		if got := Check(operation("", output)); got != nil {
			t.Errorf("Check of the output %s = %v", output, got)
		}
	}
}

// What real schemas hold and some readers stumble over.
func TestCheckAccepts(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}`,
		`{"type":"object","properties":{"node":{"$ref":"#"}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"a b/c":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/a%20b~1c"}}}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"a":{"maximum":1,"exclusiveMaximum":true}}}`,
		`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object","properties":{"a":{"$recursiveRef":"#"}}}`,
		`{"$ref":"#/components/schemas/A","components":{"schemas":{"A":{"type":"object"}}}}`,
		`{"$id":"https://example.com/a.json","type":"object","properties":{"a":{"$ref":"https://example.com/a.json#/$defs/x"}},"$defs":{"x":{}}}`,
		`{"type":"object","properties":{"a":{"pattern":"^[\\u0041-\\u{5a}\\cJ\\w\\/-]+$"}}}`,
		`{"type":"object","properties":{"a":{"type":"integer","maximum":9223372036854775807,"format":"int64","x-order":1}}}`,
		`{"type":"object","properties":{"":{"type":"string"},"$ref":{"type":"string"},"format":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"format":"regex"},"b":{"format":"no-such"}}}`,
	} {
		if got := Check(operation(schema, schema)); got != nil {
			t.Errorf("Check(%s) = %v", schema, got)
		}
	}
}

// A reference to a file that is there is refused and not read.
func TestCheckReadsNoFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(file, []byte(`{"type":"object"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: file}).String()
	for _, schema := range []string{
		fmt.Sprintf(`{"properties":{"a":{"$ref":%q}}}`, address),
		fmt.Sprintf(`{"properties":{"a":{"$ref":%q}}}`, file),
		fmt.Sprintf(`{"$id":%q,"properties":{"a":{"$ref":"schema.json"}}}`, strings.TrimSuffix(address, "schema.json")),
		fmt.Sprintf(`{"$schema":%q,"type":"object"}`, address),
	} {
		if got := Check(operation(schema, "")); len(got) != 1 {
			t.Errorf("Check(%s) = %v", schema, got)
		}
	}
}

// Schemas made to cost much are judged in little time.
func TestCheckIsBounded(t *testing.T) {
	var chain, tree, wide, refs strings.Builder
	for i := range 60 {
		fmt.Fprintf(&chain, `"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
		fmt.Fprintf(&tree, `"a%d":{"anyOf":[{"properties":{"x":{"$ref":"#/$defs/a%d"}}},{"properties":{"x":{"$ref":"#/$defs/a%d"},"y":{}}}]},`, i, i+1, i+1)
	}
	for i := range 300 {
		fmt.Fprintf(&wide, `"p%d":{"$ref":"#/x/p%d"},`, i, i)
		fmt.Fprintf(&refs, `"p%d":{"type":"string"},`, i)
	}
	for i := range 4000 {
		fmt.Fprintf(&wide, `"q%d":{"$ref":"#/$defs/a"},`, i)
	}
	for name, schema := range map[string]string{
		"doubling in place": `{"$ref":"#/$defs/a0","$defs":{` + chain.String() + `"a60":{"type":"object"}}}`,
		"doubling by depth": `{"$ref":"#/$defs/a0","$defs":{` + tree.String() + `"a60":{"type":"object"}}}`,
		"many references":   `{"properties":{` + strings.TrimSuffix(wide.String(), ",") + `},"$defs":{"a":{"type":"object"}},"x":{` + strings.TrimSuffix(refs.String(), ",") + `}}`,
	} {
		start := time.Now()
		op := operation(schema, schema)
		Check(op)
		Terms(op)
		if c, err := Compile(op); err == nil {
			_ = c.ValidateArgs([]byte(`{"x":{"x":{"x":{}}}}`))
			_ = c.ValidateResult([]byte(`{"x":{"x":{"x":{}}}}`))
			c.Inputs()
			c.Outputs()
		}
		if took := time.Since(start); took > 60*time.Second {
			t.Errorf("%s took %v", name, took)
		} else {
			t.Logf("%s took %v", name, took)
		}
	}
}

func TestCheckIsDeterministic(t *testing.T) {
	schema := `{"properties":{"a":{"type":"x"},"b":{"type":"y"},"c":{"pattern":"("},"d":{"$ref":"#/q"}},"required":"a"}`
	want := Check(operation(schema, schema))
	for range 50 {
		if diff := cmp.Diff(want, Check(operation(schema, schema))); diff != "" {
			t.Fatal(diff)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"anyOf":[{"const":1},{"pattern":"^a"}]}}}`, `{"a":1}`)
	f.Add(wide, `{"description":"abc","n":2}`)
	f.Add(`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"dependencies":{"a":["b"]}}`, `{"a":[]}`)
	f.Add(`{"$dynamicRef":"#x","$defs":{"a":{"$dynamicAnchor":"x","not":{}}}}`, `{"":null}`)
	f.Fuzz(func(t *testing.T, schema, value string) {
		op := operation(schema, schema)
		findings := Check(op)
		Terms(op)
		c, err := Compile(op)
		if err != nil {
			return
		}
		c.Inputs()
		c.Outputs()
		err = c.ValidateArgs([]byte(value))
		for _, finding := range findings {
			if finding.Dropped && err == nil {
				t.Fatalf("%s passes a schema with the finding %v", value, finding)
			}
		}
		if c.ValidateResult([]byte(value)) == nil && len(findings) == 0 && schema != "" && !c.StatesOutput() {
			t.Fatalf("the schema %s has no finding and is not used", schema)
		}
		if _, err := Hash(op); err == nil {
			if _, err := Pin(op); err != nil {
				t.Fatalf("a hash and no pin: %v", err)
			}
		}
	})
}

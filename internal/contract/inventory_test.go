package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInputs(t *testing.T) {
	c := compiled(t, `{"type":"object","required":["city","days"],"properties":{
	 "zone":{"type":["string","null"],"default":"UTC","description":"Time zone"},
	 "city":{"$ref":"#/$defs/city"},
	 "days":{"type":"array","items":{"type":"integer"}},
	 "unit":{"enum":["C","F",null,1.0]},
	 "a/b":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},
	 "any":true},
	 "allOf":[{"properties":{"more":{"type":"object"},"city":{"type":"null"}},"required":["more"]}],
	 "anyOf":[{"properties":{"one":{"const":"x"}},"required":["one"]},{}],
	 "$defs":{"city":{"type":"string","description":"Where"}}}`, "")
	want := []Input{
		{Name: "zone", Pointer: "/zone", Type: "string or null", HasDefault: true, Description: "Time zone"},
		{Name: "city", Pointer: "/city", Type: "string", Required: true, Description: "Where"},
		{Name: "days", Pointer: "/days", Type: "list of integer", Required: true},
		{Name: "unit", Pointer: "/unit", Enum: []string{"C", "F", "null", "1"}},
		{Name: "a/b", Pointer: "/a~1b", Type: "string or list of string"},
		{Name: "any", Pointer: "/any"},
		{Name: "more", Pointer: "/more", Type: "object", Required: true},
		{Name: "one", Pointer: "/one", Enum: []string{"x"}},
	}
	if diff := cmp.Diff(want, c.Inputs()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestOutputs(t *testing.T) {
	c := compiled(t, "", `{"type":"object","properties":{
	 "temperature":{"type":"number","description":"Air"},
	 "hours":{"type":"array","items":{"type":"object","properties":{"at":{"type":"string"},"wind":{"$ref":"#/$defs/wind"}}}},
	 "tags":{"type":"array","items":{"type":"string"}},
	 "next":{"$ref":"#"},"blob":{"type":"object"}},
	 "$defs":{"wind":{"type":"object","properties":{"speed":{"type":"number"}}}}}`)
	want := []Field{
		{Pointer: "/temperature", Name: "temperature", Type: "number", Description: "Air"},
		{Pointer: "/hours/*/at", Name: "at", Type: "string"},
		{Pointer: "/hours/*/wind/speed", Name: "speed", Type: "number"},
		{Pointer: "/tags/*", Name: "tags", Type: "string"},
		{Pointer: "/blob", Name: "blob", Type: "object"},
	}
	got := c.Outputs()
	short := got[:0:0]
	for _, f := range got {
		if !strings.HasPrefix(f.Pointer, "/next") {
			short = append(short, f)
		}
	}
	if diff := cmp.Diff(want, short); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTerms(t *testing.T) {
	op := operation(`{"properties":{"outer":{"description":"The outer","properties":{"inner":{"enum":["red","blue"],"title":"Inner"}}},"list":{"items":{"properties":{"deep":{"const":"red"}}}}}}`,
		`{"properties":{"result":{"properties":{"value":{"enum":["not listed"]}}}}}`)
	want := SearchText{
		Params: []string{"outer", "list", "inner", "deep"}, Outputs: []string{"result", "value"},
		Enums: []string{"red", "blue"}, ParamDocs: "The outer\nInner",
	}
	if diff := cmp.Diff(want, Terms(op)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	c, err := Compile(op)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, c.Terms()); diff != "" {
		t.Errorf("compiled (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(SearchText{}, Terms(operation(`{`, `[`))); diff != "" {
		t.Errorf("unreadable (-want +got)\n%s", diff)
	}
}

func TestInventoryIsBounded(t *testing.T) {
	var many, enum strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&many, `"p%d":{"description":"%s"},`, i, strings.Repeat("word ", 20))
		fmt.Fprintf(&enum, `"v%d",`, i)
	}
	schema := `{"properties":{"first":{"enum":[` + enum.String() + `"` + strings.Repeat("x", 100) + `"]},` + strings.TrimSuffix(many.String(), ",") + `}}`
	c := compiled(t, schema, schema)
	terms := c.Terms()
	for what, n := range map[string][2]int{
		"inputs": {len(c.Inputs()), maxInputs}, "outputs": {len(c.Outputs()), maxOutputs}, "params": {len(terms.Params), maxTerms},
		"enums": {len(terms.Enums), maxEnums}, "values": {len(c.Inputs()[0].Enum), maxEnums},
	} {
		if n[0] != n[1] {
			t.Errorf("%s: %d, want %d", what, n[0], n[1])
		}
	}
	if len(terms.ParamDocs) > maxDocs {
		t.Errorf("%d bytes of descriptions", len(terms.ParamDocs))
	}
	deep := compiled(t, `{"properties":{"x":{"$ref":"#"},"v":{}}}`, `{"properties":{"x":{"$ref":"#"},"v":{}}}`)
	if n := len(deep.Outputs()); n > 20 {
		t.Errorf("a cycle lists %d fields", n)
	}
}

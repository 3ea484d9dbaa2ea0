package contract_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

func TestFields(t *testing.T) {
	op := interlock.Operation{InputSchema: json.RawMessage(`{"type":"object","properties":{"id":{},"opts":{"properties":{"deep":{}}}}}`),
		OutputSchema: json.RawMessage(`{"$defs":{"n":{"properties":{"v":{},"next":{"$ref":"#/$defs/n"}}}},"properties":{"list":{"type":"array","items":{"properties":{"price":{}}}},"n":{"$ref":"#/$defs/n"}},"additionalProperties":{"properties":{"x":{}}},"allOf":[{"properties":{"also":{}}}]}`),
		Fields:       []interlock.FieldMeaning{{At: "output:/n/v"}, {At: "output:/elsewhere"}}}
	want := []string{"input:/id", "input:/opts", "input:/opts/deep", "output:/list", "output:/list/*/price", "output:/n", "output:/n/v", "output:/n/next", "output:/n/next/v", "output:/n/next/next", "output:/also", "output:/*/x", "output:/elsewhere"}
	if diff := cmp.Diff(want, contract.Fields(op)); diff != "" {
		t.Error(diff)
	}
}

func TestMask(t *testing.T) {
	for _, c := range []struct{ name, schema, fields, want string }{
		{"a member", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number","minimum":1.50}},"required":["b","a"]}`, "/a", `{"type":"object","properties":{"b":{"type":"number","minimum":1.50}},"required":["b"]}`},
		{"the only one required", `{"properties":{"a":{},"b":{}},"required":["a"]}`, "/a", `{"properties":{"b":{}}}`},
		{"nested", `{"properties":{"o":{"properties":{"a":{},"b":{}}},"a":{}}}`, "/o/a", `{"properties":{"o":{"properties":{"b":{}}},"a":{}}}`},
		{"an object with all in it", `{"properties":{"o":{"properties":{"a":{},"b":{}}},"a":{}}}`, "/o", `{"properties":{"a":{}}}`},
		{"in a list", `{"properties":{"l":{"items":{"properties":{"a":{},"b":{}}}}}}`, "/l/*/a", `{"properties":{"l":{"items":{"properties":{"b":{}}}}}}`},
		{"all of a list", `{"properties":{"l":{"items":{}},"m":{}}}`, "/l/*", `{"properties":{"m":{}}}`},
		{"with its definition", `{"$defs":{"S":{"description":"secret","$ref":"#/$defs/T"},"T":{"type":"string"},"U":{}},"properties":{"a":{"$ref":"#/$defs/S"},"b":{}}}`, "/a", `{"$defs":{"U":{}},"properties":{"b":{}}}`},
		{"the last definition", `{"definitions":{"S":{}},"properties":{"a":{"$ref":"#/definitions/S"}}}`, "/a", `{"properties":{}}`},
		{"a definition that others use stays", `{"$defs":{"S":{}},"properties":{"a":{"$ref":"#/$defs/S"},"b":{"$ref":"#/$defs/S"}}}`, "/a", `{"$defs":{"S":{}},"properties":{"b":{"$ref":"#/$defs/S"}}}`},
		{"under no keyword", `{"components":{"S":{"type":"string"}},"properties":{"a":{"$ref":"#/components/S"}}}`, "/a", `{"properties":{}}`},
		{"shared by reference", `{"$defs":{"P":{"properties":{"a":{},"b":{}}}},"properties":{"x":{"$ref":"#/$defs/P"},"y":{"$ref":"#/$defs/P"}}}`, "/x/a", `{"$defs":{"P":{"properties":{"b":{}}}},"properties":{"x":{"$ref":"#/$defs/P"},"y":{"$ref":"#/$defs/P"}}}`},
		{"what leads back to itself", `{"properties":{"a":{},"next":{"$ref":"#"}}}`, "/a", `{"properties":{"next":{"$ref":"#"}}}`},
		{"beside", `{"properties":{"a":{}},"allOf":[{"properties":{"a":{"minLength":1}},"required":["a"]},{"not":{"required":["a","b"]}}],"dependentRequired":{"a":["b"],"b":["a","c"]},"propertyNames":{"enum":["a","b"]}}`, "/a",
			`{"properties":{},"allOf":[{"properties":{}},{"not":{"required":["b"]}}],"dependentRequired":{"b":["c"]},"propertyNames":{"enum":["b"]}}`},
		{"values", `{"properties":{"a":{},"o":{"properties":{"a":{}}}},"default":{"a":1,"b":1.0,"o":{"a":2}},"examples":[{"a":3},4],"const":{"a":5,"z":6}}`, "/a", `{"properties":{"o":{"properties":{"a":{}}}},"default":{"b":1.0,"o":{"a":2}},"examples":[{},4],"const":{"z":6}}`},
		{"escapes keep their spelling", `{"properties":{"\u00e9":{"description":"\u00e9"},"\u0061":{}}}`, "/a", `{"properties":{"\u00e9":{"description":"\u00e9"}}}`},
	} {
		var fields []string
		for _, f := range strings.Fields(c.fields) {
			fields = append(fields, "output:"+f)
		}
		m, err := contract.Mask(interlock.Operation{Name: "t", OutputSchema: json.RawMessage(c.schema)}, fields)
		if err != nil || string(m.Op.OutputSchema) != c.want || m.Unusable || !m.Output {
			t.Errorf("%s: %s\nwant %s (%v)", c.name, m.Op.OutputSchema, c.want, err)
		}
	}
}

func TestMaskedInput(t *testing.T) {
	for _, c := range []struct {
		schema, fields, want string
		unusable             bool
	}{
		{`{"properties":{"a":{},"b":{}},"required":["b"]}`, "/a", `{"properties":{"b":{}},"required":["b"]}`, false},
		{`{"properties":{"a":{},"b":{}},"required":["a"]}`, "/a", `{"properties":{"b":{}}}`, true},
		{`{"properties":{"o":{"properties":{"a":{}},"required":["a"]},"b":{}}}`, "/o/a", `{"properties":{"b":{}}}`, false},
		{`{"properties":{"o":{"properties":{"a":{}},"required":["a"]}},"required":["o"]}`, "/o/a", `{"properties":{}}`, true},
		{`{"properties":{"a":{},"b":{},"c":{}},"dependentRequired":{"b":["a"]}}`, "/a", `{"properties":{"c":{}},"dependentRequired":{}}`, false},
		{`{"properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "/a", `{"properties":{"b":{}},"anyOf":[{},{"required":["b"]}]}`, true},
	} {
		m, err := contract.Mask(interlock.Operation{InputSchema: json.RawMessage(c.schema)}, []string{"input:" + c.fields})
		if err != nil || m.Unusable != c.unusable || m.Output || string(m.Op.InputSchema) != c.want {
			t.Errorf("%s without %s: %s unusable %t, want %s %t (%v)", c.schema, c.fields, m.Op.InputSchema, m.Unusable, c.want, c.unusable, err)
		}
	}
}

func TestMaskedArgumentsAreUndeclared(t *testing.T) {
	op := interlock.Operation{InputSchema: json.RawMessage(`{"properties":{"id":{},"ssn":{},"o":{"properties":{"x":{},"y":{}}}},"additionalProperties":true}`)}
	m, err := contract.Mask(op, []string{"input:/ssn", "input:/o/x"})
	if err != nil {
		t.Fatal(err)
	}
	for args, pointer := range map[string]string{`{"id":1,"o":{"y":2},"more":3}`: "", `{"ssn":1}`: "/ssn", `{"s\u0073n":1}`: "/ssn", `{"o":{"y":1,"x":2}}`: "/o/x"} {
		err := m.Contract.ValidateArgs([]byte(args))
		if got := interlock.ReasonOf(err); (pointer == "") != (err == nil) || err != nil && (got != interlock.ReasonArgumentsInvalid || interlock.AsError(err).Pointer != pointer) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestMaskedResults(t *testing.T) {
	for _, c := range []struct{ name, schema, fields, result, want string }{
		{"member", `{"properties":{"a":{"type":"number"},"b":{}}}`, "/a", `{"b":1.10,"a":"odd","c":2}`, `{"b":1.10}`},
		{"closed", `{"properties":{"a":{},"b":{}},"additionalProperties":false}`, "/a", `{"a":1,"b":2}`, `{"b":2}`},
		{"open", `{"properties":{"a":{},"b":{}},"additionalProperties":true}`, "/a", `{"a":1,"b":2,"c":{"a":3}}`, `{"b":2,"c":{"a":3}}`},
		{"spelled otherwise", `{"properties":{"a":{},"b":{}},"additionalProperties":true}`, "/a", `{"\u0061":1,"b":2}`, `{"b":2}`},
		{"by pattern too", `{"properties":{"ab":{}},"patternProperties":{"^a":{"properties":{"x":{},"y":{}}}}}`, "/*/x", `{"ab":{"x":1,"y":2},"ac":{"x":3}}`, `{"ab":{"y":2},"ac":{}}`},
		{"all that an object has", `{"properties":{"o":{"properties":{"a":{}}}}}`, "/o/a", `{"o":{"a":1,"z":2}}`, `{"o":{}}`},
		{"in lists", `{"items":{"properties":{"a":{},"b":{}}}}`, "/*/a", `[{"a":1,"b":2},{"a":3}]`, `[{"b":2},{}]`},
		{"deep down", `{"properties":{"a":{},"b":{},"n":{"$ref":"#"}}}`, "/a", `{"n":{"n":{"a":1,"b":2}},"a":3}`, `{"n":{"n":{"b":2}}}`},
		{"a choice", `{"oneOf":[{"properties":{"k":{"const":1},"a":{}}},{"properties":{"k":{"const":2},"b":{}}}]}`, "/a", `{"k":1,"a":2}`, `{"k":1}`},
		{"no schema", ``, "/a /o/b", `{"a":1,"o":{"b":2,"c":3}}`, `{"o":{"c":3}}`},
	} {
		op := interlock.Operation{OutputSchema: json.RawMessage(c.schema)}
		var fields []string
		for _, f := range strings.Fields(c.fields) {
			fields = append(fields, "output:"+f)
			op.Fields = append(op.Fields, interlock.FieldMeaning{At: "output:" + f, SemanticID: "m"})
		}
		m, err := contract.Mask(op, fields)
		if err != nil {
			t.Fatal(c.name, err)
		}
		left := m.Contract.Unmasked([]byte(c.result))
		if err := m.Contract.ValidateResult(left); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got, dropped := rawjson.Project(nil, left, m.Contract.Shape())
		if string(got) != c.want || len(m.Op.Fields) != 0 {
			t.Errorf("%s: %s, want %s; meanings %v", c.name, got, c.want, m.Op.Fields)
		}
		if strings.Contains(fmt.Sprint(dropped.Pointers), "/a ") || strings.HasSuffix(fmt.Sprint(dropped.Pointers), "/a]") {
			t.Errorf("%s: the masked member is named among the dropped: %v", c.name, dropped.Pointers)
		}
	}
}

// randomObject writes a random object schema of depth, and the same without
// the members whose names are in out.
func randomObject(rng *rand.Rand, depth int, path string, mask map[string]bool) (whole, twin string, fields []string) {
	var w, t, req, reqTwin []string
	for i := range 1 + rng.IntN(4) {
		name := fmt.Sprintf("m%d", i)
		at := path + "/" + name
		sub, subTwin := `{"type":"string","description":"about `+at+`"}`, ""
		if depth > 0 && rng.IntN(2) == 0 {
			var inner []string
			sub, subTwin, inner = randomObject(rng, depth-1, at, mask)
			fields = append(fields, inner...)
		} else {
			subTwin = sub
		}
		masked := rng.IntN(3) == 0
		required := rng.IntN(2) == 0
		w = append(w, fmt.Sprintf("%q:%s", name, sub))
		if required {
			req = append(req, fmt.Sprintf("%q", name))
		}
		if masked {
			fields = append(fields, "output:"+at)
			mask[at] = true
			continue
		}
		t = append(t, fmt.Sprintf("%q:%s", name, subTwin))
		if required {
			reqTwin = append(reqTwin, fmt.Sprintf("%q", name))
		}
	}
	text := func(members, required []string) string {
		s := `{"type":"object","properties":{` + strings.Join(members, ",") + `}`
		if len(required) > 0 {
			s += `,"required":[` + strings.Join(required, ",") + `]`
		}
		return s + `}`
	}
	return text(w, req), text(t, reqTwin), fields
}

// TestMaskedIsNeverHad holds a masked operation against one that never had the
// fields: text, hashes and search terms.
func TestMaskedIsNeverHad(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		whole, twin, fields := randomObject(rng, 3, "", map[string]bool{})
		if len(fields) == 0 {
			continue
		}
		op := func(schema string) interlock.Operation {
			return interlock.Operation{Name: "t", Version: "1.0.0", Effect: interlock.EffectRead, OutputSchema: json.RawMessage(schema)}
		}
		m, err := contract.Mask(op(whole), fields)
		if err != nil {
			t.Fatal(err)
		}
		never := op(twin)
		hash, err1 := contract.Hash(never)
		pin, err2 := contract.Pin(never)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if string(m.Op.OutputSchema) != twin || m.Hash != hash || m.Pin != pin {
			t.Fatalf("%s\nwithout %v\n%s\nwant %s", whole, fields, m.Op.OutputSchema, twin)
		}
		if diff := cmp.Diff(contract.Terms(never), contract.Terms(m.Op)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add(`{"properties":{"a":{},"o":{"properties":{"a":{}},"required":["a"]}},"$defs":{"x":{"$ref":"#"}}}`, "/a", `{"a":1,"o":{"a":[{}]}}`)
	f.Add(`{"items":[{"$ref":"#/items/1"},true],"dependencies":{"a":["b"],"b":{}},"enum":[{"a":1}]}`, "/*/a", `[1,{"a":2}]`)
	f.Fuzz(func(t *testing.T, schema, field, value string) {
		for _, side := range []string{"input:", "output:"} {
			op := interlock.Operation{InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(schema)}
			m, err := contract.Mask(op, []string{side + field})
			if err != nil {
				continue
			}
			if len(m.Op.OutputSchema) > 0 && !json.Valid(m.Op.OutputSchema) || len(m.Op.InputSchema) > 0 && !json.Valid(m.Op.InputSchema) {
				t.Fatalf("%s without %s: %s %s", schema, field, m.Op.InputSchema, m.Op.OutputSchema)
			}
			for _, left := range contract.Fields(m.Op) {
				if left == side+field && !strings.HasSuffix(field, "/*") {
					t.Fatalf("%s without %s still has it: %s%s", schema, field, m.Op.InputSchema, m.Op.OutputSchema)
				}
			}
			out := m.Contract.Unmasked([]byte(value))
			if json.Valid([]byte(value)) && !json.Valid(out) {
				t.Fatalf("%s became %s", value, out)
			}
			if tokens, ok := rawjson.Split(field); ok && side == "output:" && len(tokens) == 1 && rawjson.Check([]byte(value), rawjson.Limits{Depth: 64}) == nil {
				if _, there := rawjson.Member(out, tokens[0]); there && tokens[0] != "*" {
					t.Fatalf("%s of %s with %s: still there in %s", field, value, schema, out)
				}
			}
		}
	})
}

package contract_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
)

func TestLists(t *testing.T) {
	const items = `{"type":"array","items":{"type":"object","properties":{"t":{"type":"string"},"o":{"$ref":"#/$defs/o"}}}}`
	op := interlock.Operation{OutputSchema: json.RawMessage(`{"type":"object","$defs":{"o":{"properties":{"t":{}}}},"properties":{"items":` + items + `,
		"choice":{"oneOf":[` + items + `,{"type":"object"}]},"maybe":{"anyOf":[` + items + `,{"type":"null"}]},"groups":{"type":"array","items":{"properties":{"items":` + items + `}}},
		"loose":{"items":{"properties":{"t":{}}}},"tuple":{"type":"array","prefixItems":[{"properties":{"t":{}}}]},"map":{"type":"object","additionalProperties":{"properties":{"t":{}}}}}}`)}
	for _, c := range []struct {
		at, members string
		want        bool
	}{
		{"output:/items", "/t", true}, {"output:/items", "/t /o/t", true}, {"output:/items", "/u", false}, {"output:/items", "/t /u", false}, {"output:/items", "", false},
		{"output:/items/*/t", "/t", false}, {"output:/none", "/t", false}, {"input:/items", "/t", false}, {"output:", "/t", false},
		{"output:/choice", "/t", false}, {"output:/maybe", "/t", true}, {"output:/groups/*/items", "/t", true}, {"output:/loose", "/t", false},
		{"output:/tuple", "/t", true}, {"output:/map", "/t", false},
	} {
		if got := contract.Lists(op, c.at, strings.Fields(c.members)); got != c.want {
			t.Errorf("%s by %q: %t", c.at, c.members, got)
		}
	}
	root := interlock.Operation{OutputSchema: json.RawMessage(items)}
	if !contract.Lists(root, "output:", []string{"/t"}) || contract.Lists(interlock.Operation{}, "output:/items", []string{"/t"}) {
		t.Error("a list at the root, or of no schema, is taken for what it is not")
	}
}

func TestNumbers(t *testing.T) {
	op := interlock.Operation{OutputSchema: json.RawMessage(`{"properties":{"total":{"type":"integer"},"any":{},"name":{"type":"string"},"page":{"type":"object","properties":{"n":{"type":["number","null"]}}},
		"items":{"type":"array","items":{"properties":{"id":{"type":"integer"}}}},"itemsize":{"type":"integer"},"facets":{"type":"array","items":{"properties":{"hits":{"type":"integer"}}}}}}`)}
	if got := strings.Join(contract.Numbers(op, "output:/items"), " "); got != "output:/total output:/any output:/page/n output:/itemsize output:/facets/*/hits" {
		t.Error(got)
	}
}

func TestBoundArguments(t *testing.T) {
	op := interlock.Operation{Name: "t", InputSchema: json.RawMessage(`{"type":"object","required":["tenant","id"],"properties":{"tenant":{"type":"string"},"id":{"type":"integer"},"n":{"type":["integer","null"]},"o":{"type":"object","properties":{"t":{"type":"string"}}},"b":{"type":"boolean"}},"dependentRequired":{"n":["tenant"]}}`)}
	for at, want := range map[string]string{"input:/tenant": "tenant text", "input:/n": "n number", "input:/o/t": "", "input:/b": "", "input:/none": "", "output:/tenant": ""} {
		name, text, ok := contract.Argument(op, at)
		got := ""
		if ok {
			got = name + " " + map[bool]string{true: "text", false: "number"}[text]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
	m, err := contract.Mask(op, nil, "input:/tenant")
	if err != nil || m.Unusable || m.Output {
		t.Fatalf("%+v %v", m, err)
	}
	if want := `{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"n":{"type":["integer","null"]},"o":{"type":"object","properties":{"t":{"type":"string"}}},"b":{"type":"boolean"}},"dependentRequired":{}}`; string(m.Op.InputSchema) != want {
		t.Errorf("%s", m.Op.InputSchema)
	}
	for args, ok := range map[string]bool{`{"id":1,"n":2}`: true, `{"id":1,"tenant":"x"}`: false, `{"id":1,"\u0074enant":"x"}`: false} {
		if err := m.Contract.ValidateArgs([]byte(args)); (err == nil) != ok {
			t.Errorf("%s: %v", args, err)
		}
	}
	if m, err := contract.Mask(op, []string{"input:/id"}, "input:/tenant"); err != nil || !m.Unusable {
		t.Errorf("what is masked and required beside what is bound: %+v %v", m, err)
	}
}

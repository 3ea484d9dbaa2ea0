package contract

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVerifier(t *testing.T) {
	remotes := func(uri string) ([]byte, bool) {
		return []byte(`{"$defs":{"day":{"type":"string","format":"date"}}}`), uri == "https://example.com/days.json"
	}
	for _, tc := range []struct {
		draft, schema, instance string
		remotes                 bool
		want                    bool
		says                    string // of the error
	}{
		{"", `{"type":"integer"}`, `1.0`, false, true, ""},
		{"", `{"prefixItems":[{"type":"string"}]}`, `[1]`, false, false, ""},
		{"draft7", `{"prefixItems":[{"type":"string"}]}`, `[1]`, false, true, ""},
		{"draft4", `{"maximum":1,"exclusiveMaximum":true}`, `1`, false, false, ""},
		{"draft6", `{"if":true,"then":false}`, `1`, false, true, ""},
		{"draft2019-09", `{"items":[{"type":"string"}]}`, `[1]`, false, false, ""},
		{"draft7", `{"format":"date"}`, `"x"`, false, true, ""},
		{"draft7", `{"multipleOf":0.1}`, `9007199254740993.1`, false, true, ""},
		{"draft7", `{"$ref":"https://example.com/days.json#/$defs/day"}`, `"x"`, true, true, ""},
		{"draft7", `{"$ref":"https://example.com/days.json#/$defs/day"}`, `1`, true, false, ""},
		{"draft7", `{"$ref":"https://example.com/days.json"}`, `1`, false, false, "outside the schema"},
		{"draft7", `{"$ref":"https://example.com/other.json"}`, `1`, true, false, "outside the schema"},
		{"draft9", `{}`, `1`, false, false, "no dialect"},
		{"", `{"type":"strnig"}`, `1`, false, false, "expected"},
		{"", `{"type":"string","pattern":"(?=a)"}`, `1`, false, false, "linear time"},
		{"", `{}`, `{"a":1,"a":2}`, false, false, "already"},
		{"", `{}`, `1e2000`, false, false, "exponent"},
	} {
		opts := VerifierOptions{Draft: tc.draft}
		if tc.remotes {
			opts.Remotes = remotes
		}
		v, err := NewVerifier([]byte(tc.schema), opts)
		var got bool
		if err == nil {
			got, err = v.Valid([]byte(tc.instance))
		}
		if got != tc.want || (err != nil) != (tc.says != "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %s with %s: %v, %v", tc.draft, tc.schema, tc.instance, got, err)
		}
	}
	_, err := NewVerifier([]byte(`{"properties":{"a":{"minLength":"3"}}}`), VerifierOptions{})
	var flaw *SchemaError
	if !errors.As(err, &flaw) || flaw.Pointer != "/properties/a/minLength" {
		t.Errorf("%#v", err)
	}
}

// Every required row of the JSON Schema test suite, with the documents that it
// refers to, where a copy lies beside the checkout.
func TestVerifierSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := filepath.Join("..", "..", "..", "shared", "data", "compat", "jsonschema-suite")
	remotes := func(uri string) ([]byte, bool) {
		path, ok := strings.CutPrefix(uri, "http://localhost:1234/")
		text, err := os.ReadFile(filepath.Join(dir, "remotes", filepath.FromSlash(path)))
		return text, ok && err == nil
	}
	for _, draft := range []string{"draft7", "draft2019-09", "draft2020-12"} {
		t.Run(draft, func(t *testing.T) {
			f, err := os.Open(filepath.Join(dir, draft+"-required.jsonl"))
			if err != nil {
				t.Skipf("the suite is not here: %v", err)
			}
			defer f.Close() //nolint:errcheck // read only
			ran := 0
			for lines := bufio.NewReader(f); ; {
				line, err := lines.ReadBytes('\n')
				if len(line) == 0 && err != nil {
					break
				}
				ran += verifierGroup(t, line, VerifierOptions{Draft: draft, Remotes: remotes})
			}
			t.Logf("%d tests right", ran)
			if ran < 600 {
				t.Errorf("only %d ran", ran)
			}
		})
	}
}

func verifierGroup(t *testing.T, line []byte, opts VerifierOptions) int {
	t.Helper()
	var group struct {
		Description string
		Schema      json.RawMessage
		Tests       []struct {
			Description string
			Data        json.RawMessage
			Valid       bool
		}
	}
	if err := json.Unmarshal(line, &group); err != nil {
		t.Fatal(err)
	}
	v, err := NewVerifier(group.Schema, opts)
	if err != nil {
		t.Errorf("%s: %v", group.Description, err)
		return 0
	}
	for _, tc := range group.Tests {
		if got, err := v.Valid(tc.Data); got != tc.Valid || err != nil {
			t.Errorf("%s, %s: %v, %v", group.Description, tc.Description, got, err)
		}
	}
	return len(group.Tests)
}

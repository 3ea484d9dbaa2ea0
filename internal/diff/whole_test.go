package diff_test

import (
	"encoding/json"
	"testing"

	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
	"github.com/seed-ae386458/interlock/internal/inclusion"
)

// The witness of a change under a nested place is a whole argument or result
// that the one schema lets through and the other does not, with the place.
func TestWitnessOfANestedPlace(t *testing.T) {
	wrap := func(leaf string) string {
		return `{"$ref":"#/$defs/q","$defs":{"q":{"type":"object","required":["kind","by"],"properties":{"kind":{"const":"q"},"by":{"type":"array","minItems":1,"items":{"type":"object","required":["field"],"properties":{"field":` + leaf + `}}},"map":{"type":"object","additionalProperties":{"type":"integer"}}}}}}`
	}
	for _, tc := range []struct {
		name, old, new string
		direction      rule.Direction
		at             string
	}{
		{"a member", `{"type":"object","required":["a"],"properties":{"a":{"type":"object","required":["b","c"],"properties":{"b":{"type":"string","maxLength":9},"c":{"const":1}}}}}`,
			`{"type":"object","required":["a"],"properties":{"a":{"type":"object","required":["b","c"],"properties":{"b":{"type":"string","maxLength":4},"c":{"const":1}}}}}`, rule.Input, "/a/b"},
		{"an element behind a reference", wrap(`{"enum":["x","y","z"]}`), wrap(`{"enum":["x","y"]}`), rule.Input, "/by/0/field"},
		{"a result", wrap(`{"enum":["x","y"]}`), wrap(`{"enum":["x","y","z"]}`), rule.Output, "/by/0/field"},
		{"a member of any name", `{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"integer"}}}}`,
			`{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"integer","minimum":0}}}}`, rule.Input, ""},
		{"an older dialect", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"array","items":[{"type":"integer"}]}}}`,
			`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"array","items":[{"type":"integer","maximum":3}]}}}`, rule.Input, "/a/0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := diff.Compare(diff.Schemas(json.RawMessage(tc.old), tc.direction), diff.Schemas(json.RawMessage(tc.new), tc.direction), diff.Options{})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, c := range r.Breaking() {
				if c.Witness == nil {
					continue
				}
				found = true
				if c.WitnessPart || c.WitnessAt == "" || tc.at != "" && c.WitnessAt != tc.at {
					t.Errorf("%s: witness %s at %q, part %v; want the place %q", c.Rule, c.Witness, c.WitnessAt, c.WitnessPart, tc.at)
				}
				small, big := tc.old, tc.new
				if tc.direction == rule.Output {
					small, big = big, small
				}
				only := []byte(`{"enum":[` + string(c.Witness) + `]}`)
				if in, err := inclusion.Decide(only, []byte(small), inclusion.Options{}); err != nil || in.Verdict != inclusion.Subset {
					t.Errorf("%s: the smaller side does not let %s through: %v %v", c.Rule, c.Witness, in.Verdict, err)
				}
				if in, err := inclusion.Decide(only, []byte(big), inclusion.Options{}); err != nil || in.Verdict != inclusion.NotSubset {
					t.Errorf("%s: the larger side lets %s through: %v %v", c.Rule, c.Witness, in.Verdict, err)
				}
			}
			if !found {
				t.Errorf("no change has a witness: %+v", r.Changes)
			}
		})
	}
}

package registry

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestOwn: a copy equals what it was made of, nil and empty told apart, and
// shares nothing with it.
func TestOwn(t *testing.T) {
	yes := true
	cat := interlock.Catalogue{Source: "s", Findings: []interlock.Finding{}, Operations: []interlock.Operation{{Name: "n", Tags: map[string]string{"a": "b"}, Idempotent: &yes,
		InputSchema: json.RawMessage(`{}`), Aliases: []string{"x"}, Fields: []interlock.FieldMeaning{{At: "output:/a", Qualifiers: map[string]string{"q": "r"}}}}},
		Overlays: []interlock.Overlay{{Tool: "t", Tags: map[string]string{}}}}
	got := own(cat)
	if !reflect.DeepEqual(got, cat) {
		t.Fatalf("%+v is no copy of %+v", got, cat)
	}
	op := &cat.Operations[0]
	op.Tags["a"], op.InputSchema[0], op.Aliases[0], *op.Idempotent, op.Fields[0].Qualifiers["q"] = "c", 'x', "y", false, "z"
	cat.Overlays[0].Tags["new"] = "v"
	kept := got.Operations[0]
	if kept.Tags["a"] != "b" || kept.InputSchema[0] != '{' || kept.Aliases[0] != "x" || !*kept.Idempotent || kept.Fields[0].Qualifiers["q"] != "r" || len(got.Overlays[0].Tags) != 0 {
		t.Errorf("a change of the original shows in the copy: %+v", got)
	}
}

package fit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

func TestMatchRefusesNothing(t *testing.T) {
	if r, err := Match(discover.List{}, interlock.Need{}); err == nil || r.Valid() {
		t.Error("a list that discover did not make was matched")
	}
}

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		name    string
		effect  interlock.Effect
		need    interlock.Need
		reasons string
		missing string
	}{
		{"nothing asked", "read", interlock.Need{}, "", "/city /user-name"},
		{"by name", "read", interlock.Need{Have: []string{"city", "user-name"}}, "", ""},
		{"by pointer", "read", interlock.Need{Have: []string{"/city", "/user-name"}}, "", ""},
		{"by another spelling", "read", interlock.Need{Have: []string{"City", "userName"}}, "", ""},
		{"one of two", "read", interlock.Need{Have: []string{"city"}}, "", "/user-name"},
		{"not a part of a name", "read", interlock.Need{Have: []string{"cit", "user"}}, "", "/city /user-name"},
		{"effect allowed", "write", interlock.Need{Effects: []interlock.Effect{"read", "write"}, Have: []string{"city", "username"}}, "", ""},
		{"effect not allowed", "write", interlock.Need{Effects: []interlock.Effect{"read"}, Have: []string{"city", "username"}}, "effect", ""},
		{"unknown is destructive", "unknown", interlock.Need{Effects: []interlock.Effect{"read", "write"}, Have: []string{"city", "username"}}, "effect", ""},
		{"unknown where destructive is allowed", "unknown", interlock.Need{Effects: []interlock.Effect{"destructive"}, Have: []string{"city", "username"}}, "", ""},
		{"output given", "read", interlock.Need{Want: []interlock.Want{{SemanticID: "air_temperature", Unit: "Cel"}}, Have: []string{"city", "username"}}, "", ""},
		{"one of two outputs", "read", interlock.Need{Want: []interlock.Want{{SemanticID: "air_temperature"}, {SemanticID: "wind_speed"}}, Have: []string{"city", "username"}}, "outputs", ""},
		{"both", "write", interlock.Need{Effects: []interlock.Effect{"read"}, Want: []interlock.Want{{SemanticID: "x"}}}, "effect outputs", "/city /user-name"},
	} {
		f := match(slot(t, tc.effect), &tc.need, &index.Query{})
		var missing []string
		for _, m := range f.Missing() {
			missing = append(missing, m.Pointer)
		}
		if got := strings.Join(f.Reasons, " "); got != tc.reasons || f.Fits() != (tc.reasons == "") {
			t.Errorf("%s: reasons %q, want %q", tc.name, got, tc.reasons)
		}
		if got := strings.Join(missing, " "); got != tc.missing {
			t.Errorf("%s: missing %q, want %q", tc.name, got, tc.missing)
		}
	}
}

// TestMissingSaysWhat: a missing input comes with its type and unit; one that
// has a default is not missing.
func TestMissingSaysWhat(t *testing.T) {
	got := match(slot(t, "read"), &interlock.Need{}, &index.Query{}).Missing()
	if len(got) != 2 || got[0].Type != "string" || got[0].Unit != "{city}" || got[0].Tool != "s/t" || got[0].SemanticID != "place" {
		t.Errorf("%+v", got)
	}
}

func slot(t *testing.T, effect interlock.Effect) discover.Slot {
	t.Helper()
	op := interlock.Operation{Name: "t", InputSchema: json.RawMessage(`{"type":"object","required":["city","user-name","limit"],
		"properties":{"city":{"type":"string"},"user-name":{"type":"string"},"limit":{"type":"integer","default":5},"more":{"type":"string"}}}`),
		Fields: []interlock.FieldMeaning{{At: "output:/t", SemanticID: "air_temperature", Unit: "Cel"}, {At: "input:/city", SemanticID: "place", Unit: "{city}"}}}
	c, err := contract.Compile(op)
	if err != nil {
		t.Fatal(err)
	}
	tool := &snapshot.Tool{ToolRecord: &interlock.ToolRecord{ID: "s/t", Effect: effect}, Op: &op, Contract: c}
	return discover.Slot{Entry: discover.Entry{Tool: tool}}
}

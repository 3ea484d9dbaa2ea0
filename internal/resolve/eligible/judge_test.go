package eligible

import (
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

func TestJudgeRefusesNothing(t *testing.T) {
	if _, err := Judge(snapshot.Frozen{}, interlock.Constraint{Family: "f"}); err == nil {
		t.Error("a view that snapshot did not take was judged")
	}
}

func TestRuleOf(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   interlock.Constraint
		none bool
		at   string // pointer of the fault; empty where there is none
	}{
		{"none", interlock.Constraint{Family: "f"}, true, ""},
		{"a range", interlock.Constraint{Family: "f", Range: "^1.0"}, false, ""},
		{"a base", interlock.Constraint{Family: "f", Range: "^1.0", BuiltAgainst: "1.2.3"}, false, ""},
		{"a base alone", interlock.Constraint{Family: "f", BuiltAgainst: "1.2.3"}, true, "/built_against"},
		{"no range", interlock.Constraint{Family: "f", Range: "^1.0 oops"}, true, "/range"},
		{"no version", interlock.Constraint{Family: "f", Range: "1", BuiltAgainst: "1.0"}, true, "/built_against"},
		{"no family", interlock.Constraint{Range: "1"}, true, "/family"},
	} {
		r, err := ruleOf(tc.in)
		if (r == nil) != tc.none || (err != nil) != (tc.at != "") {
			t.Errorf("%s: %v, %v", tc.name, r, err)
		}
		if e := interlock.AsError(err); e != nil && (e.Reason != interlock.ReasonRangeInvalid || e.Pointer != tc.at) {
			t.Errorf("%s: %v at %q, want %q", tc.name, err, e.Pointer, tc.at)
		}
	}
}

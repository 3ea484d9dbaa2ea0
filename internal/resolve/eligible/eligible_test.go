package eligible

import (
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

func TestPartRefusesNothing(t *testing.T) {
	if set, err := Part(snapshot.Frozen{}, interlock.Need{}); err == nil || set.Valid() {
		t.Error("a view that snapshot did not take was parted")
	}
}

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   []interlock.Constraint
		at   string // pointer of the fault; empty where there is none
	}{
		{"nothing", nil, ""},
		{"one", []interlock.Constraint{{Family: "f", Range: "^1.0"}}, ""},
		{"base", []interlock.Constraint{{Family: "f", Range: "^1.0", BuiltAgainst: "1.2.3-rc.1+build"}}, ""},
		{"no family", []interlock.Constraint{{Range: "^1.0"}}, "/constraints/0/family"},
		{"twice", []interlock.Constraint{{Family: "f", Range: "1"}, {Family: "g", Range: "1"}, {Family: "f", Range: "2"}}, "/constraints/2/family"},
		{"no range", []interlock.Constraint{{Family: "f", Range: "^1.0 oops"}}, "/constraints/0/range"},
		{"second range", []interlock.Constraint{{Family: "f", Range: "1"}, {Family: "*", Range: ">>1"}}, "/constraints/1/range"},
		{"base is a range", []interlock.Constraint{{Family: "f", Range: "1", BuiltAgainst: "^1.0"}}, "/constraints/0/built_against"},
		{"base is short", []interlock.Constraint{{Family: "f", Range: "1", BuiltAgainst: "1.0"}}, "/constraints/0/built_against"},
	} {
		rules, err := parse(tc.in)
		if tc.at == "" {
			if err != nil || len(rules) != len(tc.in) {
				t.Errorf("%s: %v, %d rules", tc.name, err, len(rules))
			}
			continue
		}
		e := interlock.AsError(err)
		if err == nil || e.Reason != interlock.ReasonRangeInvalid || e.Code != interlock.CodeInvalid || e.Pointer != tc.at {
			t.Errorf("%s: %v at %q, want range-invalid at %q", tc.name, err, e.Pointer, tc.at)
		}
	}
}

func TestInScope(t *testing.T) {
	named := []Requested{{Family: "f"}}
	for _, tc := range []struct {
		set    Set
		family string
		want   bool
	}{
		{Set{}, "g", true},
		{Set{requested: named}, "f", true},
		{Set{requested: named}, "g", false},
		{Set{requested: named, wildcard: true}, "g", true},
	} {
		if got := tc.set.InScope(tc.family); got != tc.want {
			t.Errorf("%+v: InScope(%s) = %t", tc.set, tc.family, got)
		}
	}
}

package lock

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

func TestTake(t *testing.T) {
	locked := entry()
	rows := []interlock.FamilyVersion{at("2.2.0", contract(hashB)), at("2.3.0", pin(pinB)), at("2.4.0", named("docs/v24"), effect(interlock.EffectWrite)), at("3.0.0", stopped("range", "", ""))}
	fresh := family(rows...)
	fresh.BuiltAgainst = ""
	for _, tc := range []struct {
		name string
		wish Wish
		have *Capability
		info interlock.FamilyInfo
		want Capability
	}{
		{"anew: what is chosen is what it was built against", Wish{}, nil, fresh,
			Capability{Family: "doc.extract", Range: "^2.0", BuiltAgainst: "2.4.0", Version: "2.4.0", Tool: "docs/v24", Effect: interlock.EffectWrite, Contract: hashA, Pin: pinA}},
		{"kept: version stays, wording is that of now", Wish{}, &locked, family(rows...),
			Capability{Family: "doc.extract", Range: "^2.0", BuiltAgainst: "2.3.0", Version: "2.3.0", Tool: "docs/v2", Effect: interlock.EffectRead, Contract: hashA, Pin: pinB}},
		{"updated: the base stays", Wish{Update: true}, &locked, family(rows...),
			Capability{Family: "doc.extract", Range: "^2.0", BuiltAgainst: "2.3.0", BuiltContract: hashA, Version: "2.4.0", Tool: "docs/v24", Effect: interlock.EffectWrite, Contract: hashA, Pin: pinA}},
		{"gone: the next one", Wish{}, &locked, family(at("2.3.0", past), at("2.4.0", contract(hashB))),
			Capability{Family: "doc.extract", Range: "^2.0", BuiltAgainst: "2.3.0", BuiltContract: hashA, Version: "2.4.0", Tool: "docs/v2", Effect: interlock.EffectRead, Contract: hashB, Pin: pinA}},
		{"down: locked all the same", Wish{}, nil, family(at("2.3.0", in(interlock.StateUnavailable))), entry()},
		{"down: what is up comes first", Wish{}, nil, family(at("2.3.0"), at("2.4.0", in(interlock.StateUnavailable))), entry()},
	} {
		got, err := Take(tc.wish, tc.have, tc.info)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		text, _ := New().With(got).Bytes()
		if _, err := Read(text); err != nil {
			t.Errorf("%s: what was taken does not read: %v", tc.name, err)
		}
	}
}

func TestTakeRefuses(t *testing.T) {
	for _, tc := range []struct {
		name   string
		rows   []interlock.FamilyVersion
		reason interlock.Reason
		says   string
	}{
		{"edge", []interlock.FamilyVersion{at("2.3.0", past), at("3.0.0", stopped("edge", "2.3.0", "none"))}, interlock.ReasonNoCompatibleContract, "2.3.0 is retired; 3.0.0 breaks the callers of 2.3.0"},
		{"base", []interlock.FamilyVersion{at("2.2.0", stopped("base-unknown", "", "")), at("2.4.0", stopped("base-unknown", "", ""))}, interlock.ReasonBaseUnknown, "built_against names is not in view."},
		{"pending", []interlock.FamilyVersion{at("2.3.0", in(interlock.StatePending))}, interlock.ReasonNoCompatibleContract, "is pending"},
		{"denied", []interlock.FamilyVersion{at("2.3.0", denied)}, interlock.ReasonDenied, "policy"},
	} {
		_, err := Take(Wish{}, nil, family(tc.rows...))
		e := interlock.AsError(err)
		var none *interlock.NoCompatibleContract
		typed := e != nil && e.Refusal != nil && errors.As(e.Refusal, &none)
		if err == nil || e.Reason != tc.reason || !strings.Contains(e.Public, tc.says) || typed == (tc.reason == interlock.ReasonDenied) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if typed && (len(none.StoppedBy) != len(tc.rows) || none.Rule != tc.reason) {
			t.Errorf("%s: %+v", tc.name, none)
		}
	}
}

func TestUnder(t *testing.T) {
	have := entry()
	for _, tc := range []struct {
		name string
		wish interlock.Constraint
		have *Capability
		want interlock.Constraint
	}{
		{"anew", interlock.Constraint{Family: "f", Range: "^1"}, nil, interlock.Constraint{Family: "f", Range: "^1"}},
		{"kept", interlock.Constraint{Family: "f"}, &have, interlock.Constraint{Family: "f", Range: "^2.0", BuiltAgainst: "2.3.0"}},
		{"the same range", interlock.Constraint{Family: "f", Range: "^2.0"}, &have, interlock.Constraint{Family: "f", Range: "^2.0", BuiltAgainst: "2.3.0"}},
		{"another range", interlock.Constraint{Family: "f", Range: "^3"}, &have, interlock.Constraint{Family: "f", Range: "^3"}},
		{"another base", interlock.Constraint{Family: "f", BuiltAgainst: "2.1.0"}, &have, interlock.Constraint{Family: "f", Range: "^2.0", BuiltAgainst: "2.1.0"}},
	} {
		if got := (Wish{Constraint: tc.wish}).Under(tc.have); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

func TestChanges(t *testing.T) {
	a, gone, added := entry(), entry(), entry()
	gone.Family, added.Family = "gone", "added"
	b := a
	b.Version, b.BuiltContract, b.Pin = "2.4.0", hashA, pinB
	c := b
	c.BuiltContract = hashB
	what := func(before, after File) (out []string) {
		for _, ch := range Changes(before, after) {
			out = append(out, ch.Family+" "+ch.What)
		}
		return out
	}
	if got, want := what(New().With(a).With(gone), New().With(b).With(added)), []string{"added added", "doc.extract version", "doc.extract wording", "gone dropped"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := what(New().With(b), New().With(c)), []string{"doc.extract built_contract"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := what(New().With(a), New().With(a)); len(got) > 0 {
		t.Errorf("nothing changed, and it says %v", got)
	}
}

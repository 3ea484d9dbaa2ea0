package eval

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// entry is an entry of a log.
func entry(t *testing.T, kind string, body any) interlock.LogEntry {
	t.Helper()
	text, err := interlock.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return interlock.LogEntry{Type: kind, Body: text}
}

// TestReadAccepted: a call counts for the latest need of its own principal that
// offered its tool, and only where it came to a good end.
func TestReadAccepted(t *testing.T) {
	asked := func(who, digest string, tools ...string) interlock.LogEntry {
		body := receipt.ResolveBody{Asker: receipt.Asker{Principal: who}, NeedDigest: digest}
		for _, tool := range tools {
			body.Offered = append(body.Offered, receipt.Offered{Tool: tool})
		}
		return entry(t, interlock.EntryResolve, body)
	}
	called := func(who, tool string, outcome interlock.Outcome) interlock.LogEntry {
		return entry(t, interlock.EntryCall, receipt.CallBody{Asker: receipt.Asker{Principal: who}, Target: receipt.Target{Tool: tool}, Outcome: outcome})
	}
	got, err := ReadAccepted([]interlock.LogEntry{
		asked("alice", "first", "a/x", "a/y"),
		asked("bob", "his", "a/x"),
		asked("alice", "refused"),
		asked("alice", "second", "a/y"),
		called("alice", "a/x", receipt.OutcomeOK),
		called("alice", "a/y", receipt.OutcomeOK),
		called("alice", "a/y", receipt.OutcomeOK),
		called("alice", "a/z", receipt.OutcomeOK),
		called("bob", "a/x", interlock.OutcomeFailed),
		called("carol", "a/x", receipt.OutcomeOK),
	}, Asked{})
	if err != nil {
		t.Fatal(err)
	}
	want := Accepted{Needs: 3, Followed: 3, Failed: 1, Tenants: map[string]int{"": 3}, By: map[string]map[string]int{"first": {"a/x": 1}, "second": {"a/y": 2}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := ReadAccepted([]interlock.LogEntry{{Type: interlock.EntryCall, Body: []byte(`[]`)}}, Asked{}); err == nil {
		t.Error("an entry that is none is read")
	}
}

// TestAskedAndMatches: only what was asked since, and of the tenant; one match
// for needs of the same words, and what makes none is counted.
func TestAskedAndMatches(t *testing.T) {
	asked := func(at, tenant, digest string) interlock.LogEntry {
		return entry(t, interlock.EntryResolve, receipt.ResolveBody{At: at, Asker: receipt.Asker{Principal: "bob", Tenant: tenant}, NeedDigest: digest, Offered: []receipt.Offered{{Tool: "a/" + digest}}})
	}
	called := func(tenant, tool string) interlock.LogEntry {
		return entry(t, interlock.EntryCall, receipt.CallBody{Asker: receipt.Asker{Principal: "bob", Tenant: tenant}, Target: receipt.Target{Tool: tool}, Outcome: receipt.OutcomeOK})
	}
	log := []interlock.LogEntry{
		asked("2026-01-01T00:00:00Z", "x", "old"), called("x", "a/old"),
		asked("2026-03-01T00:00:00Z", "x", "new"), called("x", "a/new"),
		asked("2026-03-02T00:00:00Z", "y", "his"), called("x", "a/his"), called("y", "a/his"),
	}
	for name, c := range map[string]struct {
		which Asked
		want  []string
	}{
		"all":    {Asked{}, []string{"his", "new", "old"}},
		"since":  {Asked{Since: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}, []string{"his", "new"}},
		"tenant": {Asked{Tenant: "x"}, []string{"new", "old"}},
	} {
		got, err := ReadAccepted(log, c.which)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, slices.Sorted(maps.Keys(got.By))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	a := Accepted{By: map[string]map[string]int{"1": {"a/y": 2, "a/x": 1}, "2": {"a/z": 1}, "3": {"a/x": 1}, "4": {"a/x": 1}, "5": {"a/x": 1}}}
	needs := []interlock.Need{{Text: "one"}, {Text: "one"}, {Text: " one ", K: 3}, {Context: []string{"before"}, Text: "and then"}, {Want: []interlock.Want{{SemanticID: "w"}}}, {Text: "not accepted"}}
	names := [][]string{{"9", "1"}, {"9", "1"}, {"2"}, {"3"}, {"4"}, {"8"}}
	i := -1
	got, left, err := a.Matches(needs, func(interlock.Need) ([]string, error) { i++; return names[i], nil })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Match{{Query: "one", Tools: []string{"a/x", "a/y", "a/z"}}}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(LeftOut{Unkept: 1, Wordless: 1, Continued: 1}, left); diff != "" {
		t.Error(diff)
	}
}

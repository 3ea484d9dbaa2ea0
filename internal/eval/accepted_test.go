package eval

import (
	"testing"

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
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Accepted{Needs: 3, Followed: 3, By: map[string]map[string]int{"first": {"a/x": 1}, "second": {"a/y": 2}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := ReadAccepted([]interlock.LogEntry{{Type: interlock.EntryCall, Body: []byte(`[]`)}}); err == nil {
		t.Error("an entry that is none is read")
	}
}

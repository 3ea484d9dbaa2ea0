package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-ae386458/interlock"
)

// Opener opens the store that is kept at a place, and makes it where there is
// none. The place is a directory of the test's own; a store that is not made of
// files takes it as a name. Opening a place again after Close gives what was
// kept there.
type Opener func(t *testing.T, place string) interlock.Store

// Run runs the whole suite, each behaviour on a store of its own.
func Run(t *testing.T, open Opener) {
	for _, each := range []struct {
		name string
		test func(*testing.T, *fixture)
	}{
		{"empty store is empty", emptyStore},
		{"commit counts generations", commitCounts},
		{"commit from another generation changes nothing", commitConflicts},
		{"racing commits have one winner", commitRace},
		{"commit that fails changes nothing", commitWhole},
		{"puts replace and drops remove", putsAndDrops},
		{"every member of a record survives reopening", recordsSurvive},
		{"raw JSON keeps its spelling", spellingSurvives},
		{"load sees one generation", loadSeesOneGeneration},
		{"vectors are kept by embedder and key", vectorsKept},
		{"behaviour is kept with its place in the log", behaviorKept},
		{"approvals are kept", approvalsKept},
		{"what is open of a principal", approvalsOpen},
		{"approvals that are over are dropped", approvalsPruned},
		{"asking again changes nothing", approvalAskedAgain},
		{"an approval moves once", approvalMoves},
		{"an approval raced by many is used once", approvalRace},
		{"policies are kept by digest and in order", policiesKept},
		{"racing changes of the policies each have a number", policyRace},
		{"the log reads back what was appended", logReadsBack},
		{"the log survives reopening", logSurvives},
		{"the log refuses gaps", logRefusesGaps},
		{"a missing hash is reported", logMissingHash},
		{"racing appends of one index have one winner", logRace},
		{"the front of the log is dropped and tiles kept", logPrunes},
		{"the floor of the log goes up alone", logPruneRefuses},
		{"witnessed checkpoints are kept", logWitnesses},
		{"a cancelled context does nothing", cancelledContext},
		{"concurrent use", concurrentUse},
		{"a closed store refuses", closedStore},
	} {
		t.Run(each.name, func(t *testing.T) {
			t.Parallel()
			f := &fixture{open: open, place: t.TempDir()}
			f.store = open(t, f.place)
			t.Cleanup(func() { _ = f.store.Close() })
			each.test(t, f)
		})
	}
}

// fixture is one test's store.
type fixture struct {
	store interlock.Store
	open  Opener
	place string
}

// reopen closes the store and opens it again.
func (f *fixture) reopen(t *testing.T) {
	t.Helper()
	if err := f.store.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	f.store = f.open(t, f.place)
}

// same compares what was read with what was wanted; nil and empty are alike.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// refused checks that an error has a reason.
func refused(t *testing.T, what string, err error, want interlock.Reason) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want %s", what, want)
	} else if got := interlock.ReasonOf(err); got != want {
		t.Errorf("%s: reason %s, want %s (%v)", what, got, want, err)
	}
}

// done stops the test at an error.
func done(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func emptyStore(t *testing.T, f *fixture) {
	ctx := t.Context()
	state, err := f.store.Load(ctx)
	done(t, "load", err)
	same(t, "state", state, interlock.RegistryState{})
	generation, err := f.store.Generation(ctx)
	done(t, "generation", err)
	same(t, "generation", generation, uint64(0))
	text, size, err := f.store.LogCheckpoint(ctx)
	done(t, "checkpoint", err)
	same(t, "checkpoint", text, "")
	same(t, "size", size, int64(0))
	approvals, err := f.store.Approvals(ctx)
	done(t, "approvals", err)
	same(t, "approvals", len(approvals), 0)
	_, err = f.store.Approval(ctx, "nothing")
	refused(t, "an approval that is not there", err, interlock.ReasonNotFound)
	done(t, "flush of an empty log", f.store.FlushLog(ctx))
}

func cancelledContext(t *testing.T, f *fixture) {
	_, err := f.store.Commit(t.Context(), 0, interlock.Change{PutTools: []interlock.ToolRecord{tool(1)}})
	done(t, "commit", err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range everyMethod(f.store) {
		if err := call(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
	state, err := f.store.Load(t.Context())
	done(t, "load", err)
	same(t, "generation after cancelled calls", state.Generation, uint64(1))
	_, size, err := f.store.LogCheckpoint(t.Context())
	done(t, "checkpoint", err)
	same(t, "log after cancelled calls", size, int64(0))
}

func closedStore(t *testing.T, f *fixture) {
	done(t, "close", f.store.Close())
	for name, call := range everyMethod(f.store) {
		if err := call(t.Context()); err == nil {
			t.Errorf("%s works on a closed store", name)
		}
	}
	done(t, "second close", f.store.Close())
}

// everyMethod gives one call of each method that may fail.
func everyMethod(s interlock.Store) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"Load":        func(ctx context.Context) error { _, err := s.Load(ctx); return err },
		"Generation":  func(ctx context.Context) error { _, err := s.Generation(ctx); return err },
		"Vectors":     func(ctx context.Context) error { _, err := s.Vectors(ctx, "e", []string{"k"}); return err },
		"PutVectors":  func(ctx context.Context) error { return s.PutVectors(ctx, "e", map[string][]byte{"k": {1}}) },
		"Behavior":    func(ctx context.Context) error { _, err := s.Behavior(ctx); return err },
		"PutBehavior": func(ctx context.Context) error { return s.PutBehavior(ctx, interlock.BehaviorState{Applied: 9}) },
		"PutApproval": func(ctx context.Context) error { return s.PutApproval(ctx, approval("cancelled")) },
		"Approval":    func(ctx context.Context) error { _, err := s.Approval(ctx, "a"); return err },
		"Approvals":   func(ctx context.Context) error { _, err := s.Approvals(ctx); return err },
		"PutPolicies": func(ctx context.Context) error {
			_, _, err := s.PutPolicies(ctx, interlock.PolicyVersion{Digest: "cancelled"}, nil)
			return err
		},
		"PolicyVersions": func(ctx context.Context) error { _, err := s.PolicyVersions(ctx); return err },
		"PolicySet":      func(ctx context.Context) error { _, err := s.PolicySet(ctx, "d"); return err },
		"AppendLog":      func(ctx context.Context) error { return s.AppendLog(ctx, batch(0, 1), false) },
		"FlushLog":       func(ctx context.Context) error { return s.FlushLog(ctx) },
		"LogEntries":     func(ctx context.Context) error { _, err := s.LogEntries(ctx, 0, 1); return err },
		"LogHashes":      func(ctx context.Context) error { _, err := s.LogHashes(ctx, []int64{0}); return err },
		"LogCheckpoint":  func(ctx context.Context) error { _, _, err := s.LogCheckpoint(ctx); return err },
		"LogFloor":       func(ctx context.Context) error { _, err := s.LogFloor(ctx); return err },
		"LogTile":        func(ctx context.Context) error { _, err := s.LogTile(ctx, 0, 0); return err },
		"LogWitnesses":   func(ctx context.Context) error { _, err := s.LogWitnesses(ctx, 1); return err },
		"PutLogWitness":  func(ctx context.Context) error { return s.PutLogWitness(ctx, 1, "w") },
		"PruneLog":       func(ctx context.Context) error { return s.PruneLog(ctx, interlock.LogPrune{Floor: 1}) },
		"Commit": func(ctx context.Context) error {
			_, err := s.Commit(ctx, 1, interlock.Change{DropTools: []string{"x"}})
			return err
		},
		"MoveApproval": func(ctx context.Context) error {
			_, err := s.MoveApproval(ctx, "a", interlock.ApprovalAsked, interlock.ApprovalGranted, "op")
			return err
		},
	}
}

package storetest_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/store/sqlite"
	"github.com/seed-ae386458/interlock/store/storetest"
)

// breakVar names the promise that TestBroken breaks.
const breakVar = "INTERLOCK_TEST_BREAK"

// breakages are stores that keep all promises but one, by the behaviour that
// has to notice.
func breakages() map[string]func(interlock.Store) interlock.Store {
	return map[string]func(interlock.Store) interlock.Store{
		"an_approval_raced_by_many_is_used_once":         func(s interlock.Store) interlock.Store { return everyoneWins{s} },
		"raw_JSON_keeps_its_spelling":                    func(s interlock.Store) interlock.Store { return respells{s} },
		"every_member_of_a_record_survives_reopening":    func(s interlock.Store) interlock.Store { return forgets{s} },
		"commit_from_another_generation_changes_nothing": func(s interlock.Store) interlock.Store { return neverConflicts{s} },
		"the_log_refuses_gaps":                           func(s interlock.Store) interlock.Store { return swallows{s} },
		"a_cancelled_context_does_nothing":               func(s interlock.Store) interlock.Store { return deaf{s} },
	}
}

type everyoneWins struct{ interlock.Store }

func (s everyoneWins) MoveApproval(ctx context.Context, id string, from, to interlock.ApprovalState, by string) (bool, error) {
	_, err := s.Store.MoveApproval(ctx, id, from, to, by)
	return true, err
}

type respells struct{ interlock.Store }

func (s respells) Commit(ctx context.Context, expect uint64, change interlock.Change) (uint64, error) {
	change.PutTools = slices.Clone(change.PutTools)
	for i := range change.PutTools {
		binding := change.PutTools[i].Operation.Binding
		if text, err := json.Marshal(binding); err == nil && len(binding) > 0 {
			change.PutTools[i].Operation.Binding = text // without white space, "<" escaped
		}
	}
	return s.Store.Commit(ctx, expect, change)
}

type forgets struct{ interlock.Store }

func (s forgets) Load(ctx context.Context) (interlock.RegistryState, error) {
	state, err := s.Store.Load(ctx)
	for i := range state.Tools {
		state.Tools[i].NoVersions = false
	}
	return state, err
}

type neverConflicts struct{ interlock.Store }

func (s neverConflicts) Commit(ctx context.Context, expect uint64, change interlock.Change) (uint64, error) {
	generation, err := s.Store.Commit(ctx, expect, change)
	if interlock.ReasonOf(asError(err)) == interlock.ReasonConflict {
		if expect, err = s.Generation(ctx); err == nil {
			return s.Store.Commit(ctx, expect, change)
		}
	}
	return generation, err
}

func asError(err error) error {
	if err == nil {
		return &interlock.Error{Reason: "none"}
	}
	return err
}

type swallows struct{ interlock.Store }

func (s swallows) AppendLog(ctx context.Context, batch interlock.LogBatch, flush bool) error {
	err := s.Store.AppendLog(ctx, batch, flush)
	if interlock.ReasonOf(asError(err)) == interlock.ReasonConflict {
		return nil
	}
	return err
}

type deaf struct{ interlock.Store }

func (s deaf) PutApproval(ctx context.Context, a interlock.Approval) error {
	return s.Store.PutApproval(context.WithoutCancel(ctx), a)
}

// TestBroken runs the suite on a store that breaks one promise; it is what
// TestNotices starts, and expects to fail.
func TestBroken(t *testing.T) {
	wrap := breakages()[os.Getenv(breakVar)]
	if wrap == nil {
		t.Skip("runs as a child of TestNotices")
	}
	storetest.Run(t, func(t *testing.T, place string) interlock.Store {
		store, err := sqlite.Open(context.Background(), filepath.Join(place, "store.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return wrap(store)
	})
}

// The suite fails at the behaviour that is broken.
func TestNotices(t *testing.T) {
	for name := range breakages() {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestBroken$/^"+name+"$", "-test.v")
			cmd.Env = append(os.Environ(), breakVar+"="+name)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "--- FAIL: TestBroken/"+name) {
				t.Errorf("the broken store passes (%v):\n%s", err, out)
			}
		})
	}
}

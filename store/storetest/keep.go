package storetest

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
)

func vectorsKept(t *testing.T, f *fixture) {
	ctx := t.Context()
	want := map[string][]byte{"k1": {0, 1, 2, 255}, "k2": bytes.Repeat([]byte{7}, 4096), "k3": {}, `odd "key', é`: {9}}
	done(t, "put", f.store.PutVectors(ctx, "model/1", want))
	done(t, "put", f.store.PutVectors(ctx, "model/2", map[string][]byte{"k1": {42}}))
	done(t, "put nothing", f.store.PutVectors(ctx, "model/3", nil))
	for range 2 {
		got, err := f.store.Vectors(ctx, "model/1", []string{"k1", "k2", "absent", "k3", `odd "key', é`, "k1"})
		done(t, "vectors", err)
		same(t, "vectors of the first embedder", got, want)
		got, err = f.store.Vectors(ctx, "model/2", []string{"k1", "k2"})
		done(t, "vectors", err)
		same(t, "vectors of the second embedder", got, map[string][]byte{"k1": {42}})
		got, err = f.store.Vectors(ctx, "model/3", []string{"k1"})
		done(t, "vectors", err)
		same(t, "vectors of an unknown embedder", len(got), 0)
		f.reopen(t)
	}
	done(t, "put again", f.store.PutVectors(ctx, "model/2", map[string][]byte{"k1": {43}}))
	got, err := f.store.Vectors(ctx, "model/2", []string{"k1"})
	done(t, "vectors", err)
	same(t, "a vector put again", got, map[string][]byte{"k1": {43}})
	manyVectors(t, f)
}

func manyVectors(t *testing.T, f *fixture) {
	many := map[string][]byte{}
	var keys []string
	for n := range 5000 {
		key := fmt.Sprintf("%064x", n)
		keys = append(keys, key)
		many[key] = []byte(key)
	}
	done(t, "put many", f.store.PutVectors(t.Context(), "many", many))
	got, err := f.store.Vectors(t.Context(), "many", keys)
	done(t, "vectors", err)
	same(t, "many vectors", got, many)
}

func behaviorKept(t *testing.T, f *fixture) {
	ctx := t.Context()
	empty, err := f.store.Behavior(ctx)
	done(t, "behavior", err)
	same(t, "behaviour of an empty store", empty, interlock.BehaviorState{Tools: map[string][]byte{}})
	done(t, "put", f.store.PutBehavior(ctx, interlock.BehaviorState{Applied: 3, Tools: map[string][]byte{"a/b": {1, 0, 255}, `odd "name', é`: {}, "a/c": {2}}}))
	done(t, "put again", f.store.PutBehavior(ctx, interlock.BehaviorState{Applied: 7, Tools: map[string][]byte{"a/b": {4}, "a/c": nil, "absent": nil}}))
	done(t, "put a place alone", f.store.PutBehavior(ctx, interlock.BehaviorState{Applied: 8}))
	for range 2 {
		got, err := f.store.Behavior(ctx)
		done(t, "behavior", err)
		same(t, "behaviour", got, interlock.BehaviorState{Applied: 8, Tools: map[string][]byte{"a/b": {4}, `odd "name', é`: {}}})
		f.reopen(t)
	}
}

// approval gives an approval that is asked for.
func approval(id string) interlock.Approval {
	asked := time.Date(2026, 3, 1, 9, 30, 0, 123456789, time.UTC)
	return interlock.Approval{ID: id, Digest: "d-" + id, Principal: "alice", Tool: "docs/delete", Effect: interlock.EffectDestructive,
		State: interlock.ApprovalAsked, Asked: asked, Expires: asked.Add(10 * time.Minute)}
}

func approvalsKept(t *testing.T, f *fixture) {
	ctx := t.Context()
	late, early, full := approval("a-late"), approval("z-early"), filled[interlock.Approval]()
	full.Expired, full.Decidable, full.Args = false, false, "" // said to whoever lists them, and kept by no store
	early.Asked = early.Asked.Truncate(time.Second)
	full.Asked = early.Asked.Add(100 * time.Millisecond)
	late.Asked = early.Asked.Add(120 * time.Millisecond)
	want := []interlock.Approval{early, full, late}
	for _, a := range []interlock.Approval{late, full, early} {
		done(t, "put", f.store.PutApproval(ctx, a))
	}
	for range 2 {
		got, err := f.store.Approvals(ctx)
		done(t, "approvals", err)
		same(t, "approvals by the time they were asked", got, want)
		for _, a := range want {
			one, err := f.store.Approval(ctx, a.ID)
			done(t, "approval", err)
			same(t, "one approval", one, a)
		}
		f.reopen(t)
	}
}

func approvalsOpen(t *testing.T, f *fixture) {
	ctx := t.Context()
	at := approval("").Asked.Add(5 * time.Minute)
	asked, granted, used, refusal, over, other := approval("asked"), approval("granted"), approval("used"), approval("refused"), approval("over"), approval("other")
	granted.Asked = granted.Asked.Add(time.Second)
	over.Expires, other.Principal = at, "bob"
	for _, a := range []interlock.Approval{asked, granted, used, refusal, over, other} {
		done(t, "put", f.store.PutApproval(ctx, a))
	}
	move(t, f, "granted", interlock.ApprovalAsked, interlock.ApprovalGranted, "boss", true)
	move(t, f, "used", interlock.ApprovalAsked, interlock.ApprovalGranted, "boss", true)
	move(t, f, "used", interlock.ApprovalGranted, interlock.ApprovalUsed, "", true)
	move(t, f, "refused", interlock.ApprovalAsked, interlock.ApprovalRefused, "boss", true)
	granted.State, granted.By = interlock.ApprovalGranted, "boss"
	got, err := f.store.OpenApprovals(ctx, "alice", at)
	done(t, "open approvals", err)
	same(t, "what alice has open", got, []interlock.Approval{asked, granted})
	got, err = f.store.OpenApprovals(ctx, "nobody", at)
	done(t, "open approvals", err)
	same(t, "what nobody has open", len(got), 0)
}

func approvalsPruned(t *testing.T, f *fixture) {
	ctx := t.Context()
	long, just, fresh := approval("long"), approval("just"), approval("fresh")
	just.Expires = just.Expires.Add(time.Minute)
	fresh.Expires = fresh.Expires.Add(time.Hour)
	for _, a := range []interlock.Approval{long, just, fresh} {
		done(t, "put", f.store.PutApproval(ctx, a))
	}
	move(t, f, "long", interlock.ApprovalAsked, interlock.ApprovalRefused, "boss", true)
	n, err := f.store.PruneApprovals(ctx, just.Expires)
	done(t, "prune", err)
	same(t, "dropped", n, 1)
	n, err = f.store.PruneApprovals(ctx, just.Expires)
	done(t, "prune again", err)
	same(t, "dropped again", n, 0)
	f.reopen(t)
	got, err := f.store.Approvals(ctx)
	done(t, "approvals", err)
	same(t, "what is left", got, []interlock.Approval{fresh, just})
}

func approvalAskedAgain(t *testing.T, f *fixture) {
	ctx := t.Context()
	first := approval("a")
	done(t, "put", f.store.PutApproval(ctx, first))
	move(t, f, "a", interlock.ApprovalAsked, interlock.ApprovalGranted, "boss", true)
	again := approval("a")
	again.Expires = again.Expires.Add(time.Hour)
	done(t, "put again", f.store.PutApproval(ctx, again))
	got, err := f.store.Approval(ctx, "a")
	done(t, "approval", err)
	first.State, first.By = interlock.ApprovalGranted, "boss"
	same(t, "the approval", got, first)
}

// move asks for a move and checks the answer.
func move(t *testing.T, f *fixture, id string, from, to interlock.ApprovalState, by string, want bool) {
	t.Helper()
	got, err := f.store.MoveApproval(t.Context(), id, from, to, by)
	done(t, "move", err)
	same(t, fmt.Sprintf("move of %s from %s to %s", id, from, to), got, want)
}

func approvalMoves(t *testing.T, f *fixture) {
	ctx := t.Context()
	for _, id := range []string{"a", "b"} {
		done(t, "put", f.store.PutApproval(ctx, approval(id)))
	}
	move(t, f, "a", interlock.ApprovalGranted, interlock.ApprovalUsed, "alice", false)
	move(t, f, "a", interlock.ApprovalAsked, interlock.ApprovalGranted, "boss", true)
	move(t, f, "a", interlock.ApprovalAsked, interlock.ApprovalRefused, "other", false)
	move(t, f, "a", interlock.ApprovalGranted, interlock.ApprovalUsed, "", true)
	move(t, f, "a", interlock.ApprovalGranted, interlock.ApprovalUsed, "", false)
	move(t, f, "b", interlock.ApprovalAsked, interlock.ApprovalRefused, "boss", true)
	for _, from := range []interlock.ApprovalState{interlock.ApprovalUsed, interlock.ApprovalRefused} {
		for _, id := range []string{"a", "b"} {
			moved, err := f.store.MoveApproval(ctx, id, from, interlock.ApprovalGranted, "thief")
			refused(t, fmt.Sprintf("leaving the end %s", from), err, interlock.ReasonApprovalInvalid)
			same(t, "moved", moved, false)
		}
	}
	_, err := f.store.MoveApproval(ctx, "nobody's", interlock.ApprovalAsked, interlock.ApprovalGranted, "boss")
	refused(t, "moving what is not there", err, interlock.ReasonNotFound)
	f.reopen(t)
	a, b := approval("a"), approval("b")
	a.State, a.By, b.State, b.By = interlock.ApprovalUsed, "boss", interlock.ApprovalRefused, "boss"
	got, err := f.store.Approvals(ctx)
	done(t, "approvals", err)
	same(t, "approvals: the name stands where none is given", got, []interlock.Approval{a, b})
}

func approvalRace(t *testing.T, f *fixture) {
	const racers = 32
	for round := range 5 {
		id := fmt.Sprintf("raced-%d", round)
		done(t, "put", f.store.PutApproval(t.Context(), approval(id)))
		move(t, f, id, interlock.ApprovalAsked, interlock.ApprovalGranted, "boss", true)
		won := make([]bool, racers)
		errs := race(racers, func(n int) (err error) {
			won[n], err = f.store.MoveApproval(t.Context(), id, interlock.ApprovalGranted, interlock.ApprovalUsed, fmt.Sprint("racer-", n))
			return err
		})
		for _, err := range errs {
			done(t, "move", err)
		}
		winner := slices.Index(won, true)
		if winner < 0 || slices.Index(won[winner+1:], true) >= 0 {
			t.Fatalf("not one winner but %v", won)
		}
		got, err := f.store.Approval(t.Context(), id)
		done(t, "approval", err)
		same(t, "who used it", got.By, fmt.Sprint("racer-", winner))
	}
}

package invoke_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/execute/invoke"
)

// TestEveryWritingIsLookedAt: a source asks each time before it writes a call.
// The first time the lease is still held; what comes later, a repeat or the
// first writing of a source that was slow to begin, is held against what is
// current then.
func TestEveryWritingIsLookedAt(t *testing.T) {
	change := func(r *rig) { r.publish("k", interlock.EffectRead, "y") } // returns once no lease is held
	for _, tc := range []struct {
		name   string
		during func(r *rig, ask func() error) error
		want   interlock.Reason
	}{
		{"nothing changes", func(_ *rig, ask func() error) error {
			for range 3 {
				if err := ask(); err != nil {
					return err
				}
			}
			return nil
		}, ""},
		{"a repeat after a change", func(r *rig, ask func() error) error {
			if err := ask(); err != nil {
				r.t.Errorf("the first writing: %v", err)
			}
			change(r)
			return ask()
		}, interlock.ReasonFingerprintChanged},
		{"slow to begin, and a change meanwhile", func(r *rig, ask func() error) error {
			change(r)
			return ask()
		}, interlock.ReasonFingerprintChanged},
		{"there and back meanwhile", func(r *rig, ask func() error) error {
			change(r)
			r.publish("k", interlock.EffectRead, "x")
			return ask()
		}, interlock.ReasonFingerprintChanged},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, interlock.EffectRead)
			r.script.answer = func(_ context.Context, call interlock.Outbound) (interlock.Reply, error) {
				if err := tc.during(r, call.Dispatched); err != nil {
					return interlock.Reply{}, err
				}
				return interlock.Reply{Result: json.RawMessage(`{}`)}, nil
			}
			_, err := invoke.Do(context.Background(), r.sender, r.clear(), r.intend)
			if e := interlock.AsError(err); interlock.ReasonOf(err) != tc.want || err != nil && e.Outcome != interlock.OutcomeNotSent {
				t.Errorf("%v, want %q and not sent", err, tc.want)
			}
		})
	}
}

// TestLeaseHoldsTheRegistry: from the look to the writing nothing changes.
func TestLeaseHoldsTheRegistry(t *testing.T) {
	r := newRig(t, interlock.EffectRead)
	r.script.answer = func(_ context.Context, call interlock.Outbound) (interlock.Reply, error) {
		changed := make(chan struct{})
		go func() {
			defer close(changed)
			r.publish("k", interlock.EffectRead, "y")
		}()
		select {
		case <-changed:
			t.Error("the registry changed between the look and the writing")
		case <-time.After(100 * time.Millisecond):
		}
		if err := call.Dispatched(); err != nil {
			t.Error(err)
		}
		<-changed
		return interlock.Reply{Result: json.RawMessage(`{}`)}, nil
	}
	if _, err := invoke.Do(context.Background(), r.sender, r.clear(), r.intend); err != nil {
		t.Error(err)
	}
}

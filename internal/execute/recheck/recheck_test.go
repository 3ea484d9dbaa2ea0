package recheck_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/approval"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
	"github.com/seed-ae386458/interlock/internal/offer"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// rig is a checker over a registry of one tool, which may be published anew.
type rig struct {
	t       *testing.T
	reg     *registry.Registry
	keeper  *snapshot.Keeper
	checker *recheck.Checker
	now     time.Time
}

func newRig(t *testing.T) *rig {
	t.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	r := &rig{t: t, now: start}
	if r.reg, err = registry.Open(ctx, store); err != nil {
		t.Fatal(err)
	}
	if r.keeper, err = snapshot.NewKeeper(ctx, r.reg, snapshot.Options{Logger: slog.New(slog.DiscardHandler)}); err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return r.now }
	desk, err := approval.NewDesk(store, approval.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	r.checker = &recheck.Checker{Keeper: r.keeper, Offers: offer.Keys{[]byte("new key"), []byte("old key")}, Desk: desk, Clock: clock}
	if err := r.checker.Validate(); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) publish(change func(*interlock.Operation)) {
	r.t.Helper()
	op := interlock.Operation{Name: "ring", Family: "bell.ring", Version: "1.0.0", Effect: interlock.EffectRead, Binding: json.RawMessage(`"x"`),
		InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}
	if change != nil {
		change(&op)
	}
	cfg := interlock.SourceConfig{Name: "s", Kind: interlock.KindManifest}
	if _, err := r.reg.Publish(context.Background(), cfg, interlock.Catalogue{Operations: []interlock.Operation{op}}, registry.ByOperator); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) offer(who interlock.Principal) string {
	return r.checker.Seal(who, snapshot.Take(r.keeper, who).View().Tool("s/ring"), r.now.Add(time.Minute))
}

func (r *rig) allow(who interlock.Principal, req interlock.CallRequest) (recheck.Clearance, error) {
	if req.Args == nil {
		req.Args = []byte(`{"n":1}`)
	}
	return recheck.Allow(context.Background(), r.checker, who, req)
}

func alice() interlock.Principal {
	return interlock.Principal{Name: "alice", Tenant: "a", Allow: []string{"*"}}
}

func TestCheckerIsWhole(t *testing.T) {
	whole := newRig(t).checker
	for name, c := range map[string]recheck.Checker{
		"nothing":   {},
		"no keys":   {Keeper: whole.Keeper, Desk: whole.Desk, Clock: whole.Clock},
		"no keeper": {Offers: whole.Offers, Desk: whole.Desk, Clock: whole.Clock},
		"no desk":   {Offers: whole.Offers, Keeper: whole.Keeper, Clock: whole.Clock},
		"no clock":  {Offers: whole.Offers, Keeper: whole.Keeper, Desk: whole.Desk},
	} {
		if c.Validate() == nil {
			t.Errorf("a checker with %s passes", name)
		}
	}
	if (recheck.Clearance{}).Valid() {
		t.Error("the zero clearance is valid")
	}
}

// TestAllow takes each part of a good call away in turn.
func TestAllow(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*interlock.Operation)
		who    func(*interlock.Principal)
		req    interlock.CallRequest
		after  func(*rig) // between offer and call
		want   interlock.Reason
	}{
		{name: "good", want: ""},
		{name: "an old key still holds", after: func(r *rig) { r.checker.Offers = offer.Keys{[]byte("newest"), []byte("new key")} }, want: ""},
		{name: "a key that is gone", after: func(r *rig) { r.checker.Offers = offer.Keys{[]byte("newest")} }, want: interlock.ReasonOfferInvalid},
		{name: "no offer and no tool", req: interlock.CallRequest{Offer: "none"}, want: interlock.ReasonOfferInvalid},
		{name: "expired", after: func(r *rig) { r.now = r.now.Add(time.Minute) }, want: interlock.ReasonOfferExpired},
		{name: "a second before", after: func(r *rig) { r.now = r.now.Add(time.Minute - time.Second) }, want: ""},
		{name: "another contract", after: func(r *rig) { r.publish(func(o *interlock.Operation) { o.InputSchema, o.Version = nil, "2.0.0" }) }, want: interlock.ReasonFingerprintChanged},
		{name: "another binding", after: func(r *rig) { r.publish(func(o *interlock.Operation) { o.Binding = json.RawMessage(`"y"`) }) }, want: interlock.ReasonFingerprintChanged},
		{name: "there and back", after: func(r *rig) {
			r.publish(func(o *interlock.Operation) { o.Binding = json.RawMessage(`"y"`) })
			r.publish(nil)
		}, want: interlock.ReasonFingerprintChanged},
		{name: "expired and changed", after: func(r *rig) {
			r.now = r.now.Add(time.Hour)
			r.publish(func(o *interlock.Operation) { o.Binding = json.RawMessage(`"y"`) })
		}, want: interlock.ReasonFingerprintChanged},
		{name: "other words", after: func(r *rig) { r.publish(func(o *interlock.Operation) { o.Title = "Other" }) }, want: ""},
		{name: "gone", after: func(r *rig) {
			if err := r.reg.Withdraw(context.Background(), "s"); err != nil {
				r.t.Fatal(err)
			}
		}, want: interlock.ReasonOfferInvalid},
		{name: "source down", after: func(r *rig) {
			if err := r.reg.SetDown(context.Background(), "s", "x"); err != nil {
				r.t.Fatal(err)
			}
		}, want: interlock.ReasonUnavailable},
		{name: "no binding", change: func(o *interlock.Operation) { o.Binding = nil }, want: interlock.ReasonUnavailable},
		{name: "not to be used", who: func(p *interlock.Principal) { p.Invoke = []string{} }, want: interlock.ReasonDenied},
		{name: "within the limit", req: interlock.CallRequest{Limit: interlock.EffectRead}, want: ""},
		{name: "over the limit", change: func(o *interlock.Operation) { o.Effect = interlock.EffectUnknown }, req: interlock.CallRequest{Limit: interlock.EffectWrite}, want: interlock.ReasonEffectTooStrong},
		{name: "arguments", req: interlock.CallRequest{Args: []byte(`{"n":1.5}`)}, want: interlock.ReasonArgumentsInvalid},
		{name: "write", change: func(o *interlock.Operation) { o.Effect = interlock.EffectWrite }, want: interlock.ReasonApprovalRequired},
		{name: "unknown effect", change: func(o *interlock.Operation) { o.Effect = "" }, want: interlock.ReasonApprovalRequired},
		{name: "write with leave", change: func(o *interlock.Operation) { o.Effect = interlock.EffectWrite }, req: interlock.CallRequest{Approve: true}, want: ""},
		{name: "arguments before leave", change: func(o *interlock.Operation) { o.Effect = interlock.EffectWrite }, req: interlock.CallRequest{Args: []byte(`[]`)}, want: interlock.ReasonArgumentsInvalid},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			r.publish(tc.change)
			who := alice()
			if tc.who != nil {
				tc.who(&who)
			}
			if tc.req.Offer == "" {
				tc.req.Offer = r.offer(who)
			}
			if tc.after != nil {
				tc.after(r)
			}
			clearance, err := r.allow(who, tc.req)
			if tc.want == "" && err != nil || tc.want != "" && interlock.ReasonOf(err) != tc.want {
				t.Fatalf("%v, want %q", err, tc.want)
			}
			if clearance.Valid() != (err == nil) {
				t.Fatal("a refused call has a clearance, or a cleared one has none")
			}
			if e := interlock.AsError(err); err != nil && (e.Stage != "recheck" || e.Outcome != interlock.OutcomeNotSent) {
				t.Errorf("stage %q, outcome %q", e.Stage, e.Outcome)
			}
		})
	}
}

// TestEffectIsSaidAsItIs: who is stopped by an effect that nobody stated reads
// that, and whoever called the wrong way reads which way is right.
func TestEffectIsSaidAsItIs(t *testing.T) {
	for _, tc := range []struct {
		effect interlock.Effect
		limit  interlock.Effect
		want   []string
	}{
		{"", interlock.EffectWrite, []string{"no stated effect, which counts as destructive", "call_tool_destructive"}},
		{interlock.EffectWrite, interlock.EffectRead, []string{"the effect write", "call_tool_write"}},
		{"", "", []string{"no stated effect, which counts as destructive", "approve"}},
		{interlock.EffectDestructive, "", []string{"the effect destructive", "approve"}},
	} {
		r := newRig(t)
		r.publish(func(o *interlock.Operation) { o.Effect = tc.effect })
		_, err := r.allow(alice(), interlock.CallRequest{Offer: r.offer(alice()), Limit: tc.limit})
		for _, part := range tc.want {
			if err == nil || !strings.Contains(interlock.AsError(err).Public, part) {
				t.Errorf("%q within %q: %v, want %q in it", tc.effect, tc.limit, err, part)
			}
		}
	}
}

// TestStill: a clearance ends with whatever it was made from.
func TestStill(t *testing.T) {
	r := newRig(t)
	r.publish(nil)
	cleared, err := r.allow(alice(), interlock.CallRequest{Tool: "s/ring"})
	if err != nil || !cleared.Still() {
		t.Fatalf("%v", err)
	}
	r.publish(func(o *interlock.Operation) { o.Title = "Other" })
	if !cleared.Still() {
		t.Error("another wording ends a clearance")
	}
	r.publish(func(o *interlock.Operation) { o.Binding = json.RawMessage(`"y"`) })
	r.publish(nil)
	if cleared.Still() {
		t.Error("there and back does not end a clearance")
	}
	again, err := r.allow(alice(), interlock.CallRequest{Tool: "s/ring"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.reg.SetDown(context.Background(), "s", "x"); err != nil || again.Still() {
		t.Errorf("a source that is down does not end a clearance: %v", err)
	}
}

// TestForged: no change of a genuine offer holds, whatever the change is.
func TestForged(t *testing.T) {
	r := newRig(t)
	r.publish(nil)
	genuine := r.offer(alice())
	rnd := rand.New(rand.NewPCG(1, 6))
	for i := range 3000 {
		b := []byte(genuine)
		switch i % 4 {
		case 0:
			b[rnd.IntN(len(b))] ^= 1 << rnd.IntN(7)
		case 1:
			at := rnd.IntN(len(b))
			b = append(b[:at:at], b[at+1:]...)
		case 2:
			at := rnd.IntN(len(b) + 1)
			b = []byte(genuine[:at] + string(rune('A'+rnd.IntN(26))) + genuine[at:])
		case 3:
			x, y := rnd.IntN(len(b)), rnd.IntN(len(b))
			b[x], b[y] = b[y], b[x]
		}
		if string(b) == genuine {
			continue
		}
		if _, err := r.allow(alice(), interlock.CallRequest{Offer: string(b)}); interlock.ReasonOf(err) != interlock.ReasonOfferInvalid {
			t.Fatalf("%q of %q: %v", b, genuine, err)
		}
	}
	if _, err := r.allow(alice(), interlock.CallRequest{Offer: genuine}); err != nil {
		t.Error(err)
	}
}

// TestSpendOnce: of many callers with one approval, one spends it.
func TestSpendOnce(t *testing.T) {
	r := newRig(t)
	r.publish(func(o *interlock.Operation) { o.Effect = interlock.EffectWrite })
	_, err := r.allow(alice(), interlock.CallRequest{Tool: "s/ring"})
	id := interlock.AsError(err).Approval
	if _, err := r.checker.Desk.Decide(context.Background(), id, "eve", true); err != nil {
		t.Fatal(err)
	}
	cleared, err := r.allow(alice(), interlock.CallRequest{Tool: "s/ring", Approval: id})
	if err != nil || cleared.Approval() != id {
		t.Fatalf("%v, approval %q", err, cleared.Approval())
	}
	var spent atomic.Int32
	done := make(chan error)
	for range 8 {
		go func() {
			err := cleared.Spend(context.Background())
			if err == nil {
				spent.Add(1)
			}
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil && interlock.ReasonOf(err) != interlock.ReasonApprovalInvalid {
			t.Error(err)
		}
	}
	if spent.Load() != 1 {
		t.Errorf("one approval was spent %d times", spent.Load())
	}
}

// TestRefusalsNameNothingHidden: a tool that is hidden and one that is not
// there are refused in the same words, but for the name that was asked.
func TestRefusalsNameNothingHidden(t *testing.T) {
	r := newRig(t)
	r.publish(nil)
	blind := interlock.Principal{Name: "blind", Tenant: "a", Allow: []string{"other/*"}}
	_, hidden := r.allow(blind, interlock.CallRequest{Tool: "s/ring"})
	_, absent := r.allow(blind, interlock.CallRequest{Tool: "s/gone"})
	x, y := fmt.Sprintf("%+v", *interlock.AsError(hidden)), fmt.Sprintf("%+v", *interlock.AsError(absent))
	if x != strings.ReplaceAll(y, "s/gone", "s/ring") {
		t.Errorf("hidden: %s\nabsent: %s", x, y)
	}
}

package invoke_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/approval"
	"github.com/seed-ae386458/interlock/internal/execute/invoke"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
	"github.com/seed-ae386458/interlock/internal/offer"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// scripted is an opener of sources whose answer is a function. It keeps what
// happened, in order.
type scripted struct {
	mu     sync.Mutex // guards happened
	events []string
	answer func(context.Context, interlock.Outbound) (interlock.Reply, error)
}

func (s *scripted) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, fmt.Sprintf(format, args...))
}

func (s *scripted) happened() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

func (s *scripted) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	if cfg.Kind == "unopened" {
		return nil, errors.New("cannot be opened")
	}
	s.note("open %s %s", cfg.Name, cfg.URL)
	return source{s, cfg}, nil
}

type source struct {
	script *scripted
	cfg    interlock.SourceConfig
}

func (s source) Catalogue(context.Context) (interlock.Catalogue, error) {
	return interlock.Catalogue{Source: s.cfg.Name}, nil
}

func (s source) Close() error {
	s.script.note("close %s %s", s.cfg.Name, s.cfg.URL)
	return nil
}

func (s source) Call(ctx context.Context, call interlock.Outbound) (interlock.Reply, error) {
	s.script.note("call %s %s", call.Operation, call.Args)
	if s.script.answer == nil {
		return interlock.Reply{Result: json.RawMessage(`{}`)}, nil
	}
	return s.script.answer(ctx, call)
}

// rig is a registry of one tool, a checker and a sender.
type rig struct {
	t       *testing.T
	reg     *registry.Registry
	checker *recheck.Checker
	sender  *invoke.Sender
	script  *scripted
}

func newRig(t *testing.T, effect interlock.Effect) *rig {
	t.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	r := &rig{t: t, script: &scripted{}}
	if r.reg, err = registry.Open(ctx, store); err != nil {
		t.Fatal(err)
	}
	keeper, err := snapshot.NewKeeper(ctx, r.reg, snapshot.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	desk, err := approval.NewDesk(store, approval.Options{Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	r.checker = &recheck.Checker{Keeper: keeper, Offers: offer.Keys{[]byte("key")}, Desk: desk, Clock: time.Now}
	pool := invoke.NewPool(map[string]interlock.Opener{"k": r.script, "unopened": r.script}, nil, nil)
	t.Cleanup(func() { pool.Close() })
	r.sender = &invoke.Sender{Pool: pool, Config: func(name string) (interlock.SourceConfig, bool) {
		src := r.reg.State().Source(name)
		if src == nil {
			return interlock.SourceConfig{}, false
		}
		return src.Config, true
	}}
	r.publish("k", effect, "x")
	return r
}

func (r *rig) publish(kind string, effect interlock.Effect, binding string) {
	r.t.Helper()
	op := interlock.Operation{Name: "ring", Version: "1.0.0", Effect: effect, Binding: json.RawMessage(fmt.Sprintf("%q", binding)), Timeout: "50ms"}
	_, err := r.reg.Publish(context.Background(), interlock.SourceConfig{Name: "s", Kind: kind}, interlock.Catalogue{Operations: []interlock.Operation{op}}, registry.ByOperator)
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) clear() recheck.Clearance {
	r.t.Helper()
	c, err := recheck.Allow(context.Background(), r.checker, interlock.Local(), interlock.CallRequest{Tool: "s/ring", Args: []byte(`{ "n" : 1.10 }`), Approve: true})
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

func (r *rig) intend(context.Context, recheck.Clearance) error {
	r.script.note("intent")
	return nil
}

func TestRefusesNothing(t *testing.T) {
	r := newRig(t, interlock.EffectRead)
	if _, err := invoke.Do(context.Background(), r.sender, recheck.Clearance{}, r.intend); err == nil {
		t.Error("a call without a clearance was sent")
	}
	if _, err := invoke.Do(context.Background(), r.sender, r.clear(), nil); err == nil {
		t.Error("a call with nothing to note its intent was sent")
	}
	if got := r.script.happened(); len(got) != 0 {
		t.Errorf("happened: %v", got)
	}
	if (invoke.Sender{}).Validate() == nil || (invoke.Sent{}).Valid() {
		t.Error("a zero value passes")
	}
}

// TestOrder: a read is sent; anything stronger is noted first.
func TestOrder(t *testing.T) {
	for effect, want := range map[interlock.Effect][]string{
		interlock.EffectRead:        {"open s ", `call ring { "n" : 1.10 }`},
		interlock.EffectWrite:       {"open s ", "intent", `call ring { "n" : 1.10 }`},
		interlock.EffectDestructive: {"open s ", "intent", `call ring { "n" : 1.10 }`},
		interlock.EffectUnknown:     {"open s ", "intent", `call ring { "n" : 1.10 }`},
	} {
		r := newRig(t, effect)
		sent, err := invoke.Do(context.Background(), r.sender, r.clear(), r.intend)
		if err != nil || !sent.Valid() || string(sent.Reply().Result) != `{}` {
			t.Errorf("%s: %v", effect, err)
		}
		if got := r.script.happened(); !slices.Equal(got, want) {
			t.Errorf("%s: happened %v, want %v", effect, got, want)
		}
	}
}

// TestNotSent: what keeps a cleared call from being sent, after all.
func TestNotSent(t *testing.T) {
	for _, tc := range []struct {
		name   string
		before func(r *rig)       // between check and send
		during func(r *rig) error // while the intent is noted
		want   interlock.Reason
	}{
		{"the tool moved", func(r *rig) { r.publish("k", interlock.EffectWrite, "y") }, nil, interlock.ReasonFingerprintChanged},
		{"there and back", func(r *rig) { r.publish("k", interlock.EffectWrite, "y"); r.publish("k", interlock.EffectWrite, "x") }, nil, interlock.ReasonFingerprintChanged},
		{"the tool moved while its intent was noted", nil, func(r *rig) error { r.publish("k", interlock.EffectWrite, "y"); return nil }, interlock.ReasonFingerprintChanged},
		{"the source is gone", func(r *rig) { _ = r.reg.Withdraw(context.Background(), "s") }, nil, interlock.ReasonFingerprintChanged},
		{"the intent cannot be noted", nil, func(*rig) error {
			return &interlock.Error{Code: interlock.CodeExhausted, Reason: interlock.ReasonStoreFull}
		}, interlock.ReasonStoreFull},
		{"the source does not open", func(r *rig) { r.publish("unopened", interlock.EffectWrite, "x") }, nil, interlock.ReasonInternal},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t, interlock.EffectWrite)
			c := r.clear()
			if tc.before != nil {
				tc.before(r)
			}
			_, err := invoke.Do(context.Background(), r.sender, c, func(context.Context, recheck.Clearance) error {
				if tc.during != nil {
					return tc.during(r)
				}
				return nil
			})
			e := interlock.AsError(err)
			if err == nil || e.Reason != tc.want || e.Outcome != interlock.OutcomeNotSent {
				t.Errorf("%v, outcome %q; want %s, not sent", err, e.Outcome, tc.want)
			}
			for _, event := range r.script.happened() {
				if event[:4] == "call" {
					t.Errorf("happened: %s", event)
				}
			}
		})
	}
}

// TestTold: every failure of a source comes out with a stage and an outcome,
// and a write of which nobody knows is indeterminate, whatever the source says.
func TestTold(t *testing.T) {
	lost := &interlock.Error{Code: interlock.CodeTimeout, Reason: interlock.ReasonTimeout, Outcome: interlock.OutcomeUnknown}
	for _, tc := range []struct {
		name    string
		effect  interlock.Effect
		fail    error
		want    interlock.Reason
		outcome interlock.Outcome
	}{
		{"a read's timeout", interlock.EffectRead, lost, interlock.ReasonTimeout, interlock.OutcomeUnknown},
		{"a write's timeout", interlock.EffectWrite, lost, interlock.ReasonIndeterminate, interlock.OutcomeUnknown},
		{"an unknown effect's timeout", interlock.EffectUnknown, lost, interlock.ReasonIndeterminate, interlock.OutcomeUnknown},
		{"a bare error of a read", interlock.EffectRead, errors.New("boom"), interlock.ReasonInternal, interlock.OutcomeUnknown},
		{"a bare error of a write", interlock.EffectWrite, errors.New("boom"), interlock.ReasonIndeterminate, interlock.OutcomeUnknown},
		{"a write that failed for sure", interlock.EffectWrite, &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonSourceFailed, Outcome: interlock.OutcomeFailed}, interlock.ReasonSourceFailed, interlock.OutcomeFailed},
		{"a write that never left", interlock.EffectWrite, &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonSourceUnreachable, Outcome: interlock.OutcomeNotSent}, interlock.ReasonSourceUnreachable, interlock.OutcomeNotSent},
		{"a wrapped error keeps its reason", interlock.EffectRead, fmt.Errorf("call: %w", lost), interlock.ReasonTimeout, interlock.OutcomeUnknown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t, tc.effect)
			r.script.answer = func(context.Context, interlock.Outbound) (interlock.Reply, error) { return interlock.Reply{}, tc.fail }
			sent, err := invoke.Do(context.Background(), r.sender, r.clear(), r.intend)
			e := interlock.AsError(err)
			if err == nil || e.Reason != tc.want || e.Outcome != tc.outcome || e.Stage == "" {
				t.Errorf("%v, outcome %q, stage %q; want %s, %s", err, e.Outcome, e.Stage, tc.want, tc.outcome)
			}
			if !sent.Clearance().Valid() {
				t.Error("the failure has no clearance, so no receipt")
			}
		})
	}
}

// TestSourceThatHangs: a source that heeds nothing but its context is told to
// stop at the tool's own timeout.
func TestSourceThatHangs(t *testing.T) {
	r := newRig(t, interlock.EffectRead)
	r.script.answer = func(ctx context.Context, call interlock.Outbound) (interlock.Reply, error) {
		if call.Timeout != 50*time.Millisecond || call.MaxResult != interlock.DefaultMaxResult {
			t.Errorf("timeout %v, result %d", call.Timeout, call.MaxResult)
		}
		<-ctx.Done()
		return interlock.Reply{}, ctx.Err()
	}
	_, err := invoke.Do(context.Background(), r.sender, r.clear(), r.intend)
	if interlock.ReasonOf(err) != interlock.ReasonTimeout || interlock.AsError(err).Outcome != interlock.OutcomeUnknown {
		t.Errorf("%v", err)
	}
}

// TestPool: a source is opened once, opened anew when its configuration moves,
// and closed when it is dropped or the pool ends.
func TestPool(t *testing.T) {
	script := &scripted{}
	pool := invoke.NewPool(map[string]interlock.Opener{"k": script}, nil, nil)
	open := func(name, url string) {
		t.Helper()
		if _, err := pool.Source(interlock.SourceConfig{Name: name, Kind: "k", URL: url}, ""); err != nil {
			t.Fatal(err)
		}
	}
	open("a", "1")
	open("a", "1")
	open("b", "1")
	if err := errors.Join(pool.Drop("b"), pool.Drop("b"), pool.Drop("c")); err != nil {
		t.Error(err)
	}
	want := []string{"open a 1", "open b 1", "close b 1"}
	if got := script.happened(); !slices.Equal(got, want) {
		t.Errorf("happened %v, want %v", got, want)
	}
	open("a", "2")
	for i := 0; !slices.Contains(script.happened(), "close a 1"); i++ {
		if i > 10_000 {
			t.Fatal("the source with the old configuration stays open")
		}
		time.Sleep(time.Millisecond)
	}
	if err := pool.Close(); err != nil || !slices.Contains(script.happened(), "close a 2") {
		t.Errorf("%v, happened %v", err, script.happened())
	}
	if _, err := pool.Source(interlock.SourceConfig{Name: "a", Kind: "k"}, ""); err == nil {
		t.Error("a closed pool opens sources")
	}
	if _, err := invoke.NewPool(nil, nil, nil).Source(interlock.SourceConfig{Kind: "k"}, ""); interlock.ReasonOf(err) != interlock.ReasonSourceInvalid {
		t.Errorf("a kind without an opener: %v", err)
	}
}

// TestSessionsOfPrincipals: where each principal has a session of his own, none
// is handed the source that was opened for another; they end together, and there
// are not ever more of them.
func TestSessionsOfPrincipals(t *testing.T) {
	script := &scripted{}
	pool := invoke.NewPool(map[string]interlock.Opener{"k": script}, nil, nil)
	cfg := interlock.SourceConfig{Name: "a", Kind: "k", Sessions: interlock.SessionsPrincipal}
	get := func(cfg interlock.SourceConfig, who string) error {
		_, err := pool.Source(cfg, who)
		return err
	}
	for _, who := range []string{"", "kim", "lee", "kim", ""} {
		if err := get(cfg, who); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(script.happened()); got != 3 {
		t.Errorf("%d sessions for two principals and the reader: %v", got, script.happened())
	}
	shared := interlock.SourceConfig{Name: "ab", Kind: "k"}
	if err := errors.Join(get(shared, "kim"), get(shared, "lee")); err != nil || len(script.happened()) != 4 {
		t.Errorf("a shared source: %v %v", script.happened(), err)
	}
	var refused error
	for n := range 100 {
		refused = errors.Join(refused, get(cfg, fmt.Sprint("p", n)))
	}
	if interlock.ReasonOf(refused) != interlock.ReasonUnavailable || len(script.happened()) > 70 {
		t.Errorf("%d notes, %v", len(script.happened()), refused)
	}
	if err := get(cfg, "kim"); err != nil {
		t.Errorf("who has a session keeps it: %v", err)
	}
	if err := pool.Drop("a"); err != nil {
		t.Fatal(err)
	}
	closed := 0
	for _, note := range script.happened() {
		if strings.HasPrefix(note, "close a ") {
			closed++
		}
	}
	if closed != 65 {
		t.Errorf("%d of 65 are closed", closed)
	}
}

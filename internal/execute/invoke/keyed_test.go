package invoke_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/execute/invoke"
)

// vault holds secrets; a command's is kept until it is asked for again.
type vault struct {
	mu     sync.Mutex // guards the rest
	now    string
	kept   string
	reread int
}

func (v *vault) Secret(ref string) (interlock.Secret, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if strings.HasPrefix(ref, "command:") && v.kept != "" {
		return interlock.Secret(v.kept), nil
	}
	v.kept = v.now
	return interlock.Secret(v.now), nil
}

func (v *vault) Again(ref string) (interlock.Secret, error) {
	v.mu.Lock()
	v.kept = ""
	v.reread++
	v.mu.Unlock()
	return v.Secret(ref)
}

func (v *vault) put(secret string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.now = secret
}

// wary is a source that takes one secret, and notes what happened.
type wary struct {
	mu     sync.Mutex // guards the rest
	takes  string
	vault  *vault
	events []string
	opened int
	hold   chan struct{} // a call of this source waits for it; nil: none does
}

func (w *wary) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, fmt.Sprintf(format, args...))
}

func (w *wary) since() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	got := w.events
	w.events = nil
	return got
}

// Open starts a child with the secret of the moment, as one over stdio has it.
func (w *wary) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	secret, err := w.vault.Secret(cfg.Env["KEY"])
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.opened++
	n := w.opened
	w.mu.Unlock()
	w.note("open %d", n)
	return child{w, n, secret.Reveal()}, nil
}

type child struct {
	wary   *wary
	number int
	secret string
}

func (c child) Catalogue(ctx context.Context) (interlock.Catalogue, error) {
	_, err := c.Call(ctx, interlock.Outbound{Operation: "list"})
	return interlock.Catalogue{}, err
}

func (c child) Close() error {
	c.wary.note("close %d", c.number)
	return nil
}

func (c child) Call(_ context.Context, call interlock.Outbound) (interlock.Reply, error) {
	c.wary.note("call %d", c.number)
	c.wary.mu.Lock()
	hold, takes := c.wary.hold, c.wary.takes
	c.wary.mu.Unlock()
	if hold != nil && call.Operation == "slow" {
		<-hold
	}
	if c.secret != takes {
		return interlock.Reply{}, &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonNeedsAuth, Outcome: interlock.OutcomeFailed}
	}
	return interlock.Reply{Result: []byte("{}")}, nil
}

// TestCredentials: a source whose credential ran out is asked once more with the
// secret read again, then left alone for ever longer, and is asked at once where
// the secret changed; a child that holds an old secret is replaced, and its
// calls end with it.
func TestCredentials(t *testing.T) {
	v := &vault{now: "old"}
	w := &wary{takes: "old", vault: v}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	wait := func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
	pool := invoke.NewPool(map[string]interlock.Opener{interlock.KindMCP: w}, v, clock)
	t.Cleanup(func() { _ = pool.Close() })
	cfg := interlock.SourceConfig{Name: "s", Kind: interlock.KindMCP, Env: map[string]string{"KEY": "command:vault read", "PLAIN": "x"}}
	call := func(op string, effect interlock.Effect) (interlock.Reason, interlock.Outcome) {
		src, err := pool.Source(cfg, "")
		if err == nil {
			_, err = src.Call(context.Background(), interlock.Outbound{Operation: op, Effect: effect})
		}
		if err == nil {
			return "", ""
		}
		return interlock.ReasonOf(err), interlock.AsError(err).Outcome
	}
	expect := func(step string, effect interlock.Effect, reason interlock.Reason, outcome interlock.Outcome, needs bool, events ...string) {
		t.Helper()
		r, o := call("op", effect)
		for until := time.Now().Add(2 * time.Second); len(events) > 0 && time.Now().Before(until) && !w.saw(events[len(events)-1]); time.Sleep(time.Millisecond) {
		}
		all := func(string) bool { return true }
		got := w.since()
		slices.SortStableFunc(got, func(a, b string) int { // what is replaced closes beside the calls that follow
			return strings.Count(a, "close") - strings.Count(b, "close")
		})
		if r != reason || o != outcome || pool.NeedsAuth("s", "", all) != needs || !slices.Equal(got, events) {
			t.Errorf("%s: %q %q, needs %t, happened %v; want %q %q %t %v", step, r, o, pool.NeedsAuth("s", "", all), got, reason, outcome, needs, events)
		}
	}
	read, write := interlock.EffectRead, interlock.EffectWrite
	expect("good", read, "", "", false, "open 1", "call 1")
	w.accept("new")
	expect("expired", read, interlock.ReasonNeedsAuth, interlock.OutcomeFailed, true, "call 1")
	if v.reread != 1 {
		t.Errorf("the secret was read again %d times, want once", v.reread)
	}
	for range 50 { // no loop
		expect("at rest", read, interlock.ReasonNeedsAuth, interlock.OutcomeNotSent, true)
	}
	wait(59 * time.Second)
	expect("still at rest", write, interlock.ReasonNeedsAuth, interlock.OutcomeNotSent, true)
	wait(2 * time.Second)
	expect("once more", read, interlock.ReasonNeedsAuth, interlock.OutcomeFailed, true, "call 1")
	wait(90 * time.Second)
	expect("twice as long", read, interlock.ReasonNeedsAuth, interlock.OutcomeNotSent, true)
	v.put("new")
	v.mu.Lock()
	v.kept = "" // the half minute is over
	v.mu.Unlock()
	wait(2 * time.Second)
	expect("renewed", write, "", "", false, "open 2", "call 2", "close 1")
	w.accept("newer")
	v.put("newer")
	expect("renewed behind a kept secret", read, "", "", false, "call 2", "open 3", "call 3", "close 2")
	w.accept("newest")
	v.put("newest")
	expect("a write is not sent twice", write, interlock.ReasonNeedsAuth, interlock.OutcomeFailed, true, "call 3")
}

// TestRotationEndsNoCall: a call under way ends with the source that it began
// with, and everything after goes over the new one.
func TestRotationEndsNoCall(t *testing.T) {
	v := &vault{now: "one"}
	w := &wary{takes: "one", vault: v, hold: make(chan struct{})}
	now := time.Now()
	pool := invoke.NewPool(map[string]interlock.Opener{"k": w}, v, func() time.Time { return now })
	cfg := interlock.SourceConfig{Name: "s", Kind: "k", Env: map[string]string{"KEY": "file:/run/key"}}
	src, err := pool.Source(cfg, "")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := src.Call(context.Background(), interlock.Outbound{Operation: "slow", Effect: interlock.EffectWrite})
		ended <- err
	}()
	for !w.saw("call 1") {
		time.Sleep(time.Millisecond)
	}
	v.put("two")
	now = now.Add(2 * time.Second)
	if _, err := src.Call(context.Background(), interlock.Outbound{Operation: "op"}); interlock.ReasonOf(err) != interlock.ReasonNeedsAuth {
		t.Errorf("the new secret is not the one that is used: %v", err)
	}
	if !w.saw("open 2") || w.saw("close 1") {
		t.Errorf("happened %v", w.since())
	}
	close(w.hold)
	if err := <-ended; err != nil {
		t.Errorf("the call under way: %v", err)
	}
	if err := pool.Close(); err != nil || !w.saw("close 1") || !w.saw("close 2") {
		t.Errorf("%v, happened %v", err, w.since())
	}
}

func (w *wary) accept(secret string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.takes = secret
}

func (w *wary) saw(event string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.events, event)
}

// TestRefusedForOne: arguments of one caller that an HTTP source answers with a
// refused credential make him wait, and nobody else; where a second is refused
// as well, it is the credential, and everyone waits.
func TestRefusedForOne(t *testing.T) {
	w := &wary{takes: "good", vault: &vault{now: "good"}}
	now := time.Now()
	pool := invoke.NewPool(map[string]interlock.Opener{"k": w}, w.vault, func() time.Time { return now })
	t.Cleanup(func() { _ = pool.Close() })
	call := func(caller string) interlock.Outcome {
		src, err := pool.Source(interlock.SourceConfig{Name: "s", Kind: "k", Env: map[string]string{"KEY": "file:/run/key"}}, "")
		if err == nil {
			_, err = src.Call(t.Context(), interlock.Outbound{Operation: "op", Effect: interlock.EffectWrite, Caller: caller})
		}
		if err == nil {
			return "ok"
		}
		return interlock.AsError(err).Outcome
	}
	expect := func(step, caller string, want interlock.Outcome) {
		t.Helper()
		if got := call(caller); got != want {
			t.Errorf("%s: %s has %q, want %q", step, caller, got, want)
		}
	}
	const sent, kept, ok = interlock.OutcomeFailed, interlock.OutcomeNotSent, interlock.Outcome("ok")
	w.accept("other")
	expect("refused", "mallory", sent)
	expect("he waits", "mallory", kept)
	w.accept("good")
	expect("she does not", "alice", ok)
	w.accept("other")
	expect("refused again", "mallory", sent)
	expect("she is refused, too", "alice", sent)
	expect("so it is the credential", "bob", kept)
	expect("so it is the credential", "mallory", kept)
	now = now.Add(3 * time.Minute)
	expect("one asks after the rest", "bob", sent)
	expect("and all wait longer", "alice", kept)
	now = now.Add(5 * time.Minute)
	w.accept("good")
	expect("until it holds", "mallory", ok)
	expect("for everyone", "alice", ok)
}

package approval_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"testing/iotest"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/approval"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// rig is a desk whose clock the test moves.
type rig struct {
	*approval.Desk
	now time.Time
}

func openStore(t *testing.T) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func newRig(t *testing.T) *rig {
	t.Helper()
	store := openStore(t)
	r := &rig{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	var err error
	if r.Desk, err = approval.NewDesk(store, approval.Options{Clock: func() time.Time { return r.now }}); err != nil {
		t.Fatal(err)
	}
	return r
}

func call() approval.Call {
	return approval.Call{Principal: "alice", Tool: "s/t", Contract: "c", Binding: "b", Effect: interlock.EffectWrite, Args: []byte(`{"n":1}`)}
}

func TestNewDesk(t *testing.T) {
	if _, err := approval.NewDesk(nil, approval.Options{Clock: time.Now}); err == nil {
		t.Error("a desk without a store")
	}
	store, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "store.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := approval.NewDesk(store, approval.Options{}); err == nil {
		t.Error("a desk without a clock")
	}
	desk, err := approval.NewDesk(store, approval.Options{Clock: time.Now, Random: iotest.ErrReader(errors.New("no chance"))})
	if err != nil {
		t.Fatal(err)
	}
	if id, err := desk.Ask(context.Background(), call()); err == nil {
		t.Errorf("an approval %q without chance", id)
	}
}

// TestLife walks through an approval's life, a step a line. A step is what is
// done and what comes of it.
func TestLife(t *testing.T) {
	type step struct {
		do string // grant, refuse, use, check, ask, wait
		ok bool
	}
	for _, tc := range []struct {
		name  string
		steps []step
	}{
		{"granted and used once", []step{{"check", false}, {"grant", true}, {"check", true}, {"use", true}, {"use", false}, {"check", false}}},
		{"refused", []step{{"refuse", true}, {"use", false}, {"grant", false}}},
		{"not decided", []step{{"use", false}}},
		{"granted twice", []step{{"grant", true}, {"grant", false}, {"refuse", false}, {"use", true}}},
		{"too late to grant", []step{{"wait", true}, {"grant", false}, {"use", false}}},
		{"too late to use", []step{{"grant", true}, {"wait", true}, {"use", false}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, ctx := newRig(t), context.Background()
			id, err := r.Ask(ctx, call())
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range tc.steps {
				switch s.do {
				case "grant", "refuse":
					_, err = r.Decide(ctx, id, "eve", s.do == "grant")
				case "use":
					err = r.Use(ctx, id, call())
				case "check":
					err = r.Check(ctx, id, call())
				case "wait":
					r.now, err = r.now.Add(approval.DefaultLife), nil
				}
				if (err == nil) != s.ok {
					t.Fatalf("step %d, %s: %v", i+1, s.do, err)
				}
				if err != nil && (interlock.ReasonOf(err) != interlock.ReasonApprovalInvalid || interlock.CodeOf(err) != interlock.CodeApproval) {
					t.Fatalf("step %d, %s: %v", i+1, s.do, err)
				}
			}
		})
	}
}

// TestAskAgain: the same call has one open approval; one that is over makes
// room for another.
func TestAskAgain(t *testing.T) {
	r, ctx := newRig(t), context.Background()
	ask := func() string {
		t.Helper()
		id, err := r.Ask(ctx, call())
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := ask()
	if ask() != first {
		t.Error("asking twice makes two")
	}
	if _, err := r.Decide(ctx, first, "eve", true); err != nil || ask() != first {
		t.Errorf("a granted one is not the open one: %v", err)
	}
	if err := r.Use(ctx, first, call()); err != nil {
		t.Fatal(err)
	}
	second := ask()
	r.now = r.now.Add(approval.DefaultLife)
	if third := ask(); second == first || third == second {
		t.Errorf("used %s, then %s, then expired and %s", first, second, third)
	}
	all, err := r.List(ctx)
	if err != nil || len(all) != 3 {
		t.Errorf("%d approvals, %v", len(all), err)
	}
}

// TestBound: an approval is for its own call. Everything that a call is made of
// moves its digest, also where one part ends a letter later.
func TestBound(t *testing.T) {
	r, ctx := newRig(t), context.Background()
	id, err := r.Ask(ctx, call())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Decide(ctx, id, "eve", true); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*approval.Call){
		"principal": func(c *approval.Call) { c.Principal = "bob" },
		"tool":      func(c *approval.Call) { c.Tool = "s/u" },
		"contract":  func(c *approval.Call) { c.Contract = "d" },
		"binding":   func(c *approval.Call) { c.Binding = "d" },
		"arguments": func(c *approval.Call) { c.Args = []byte(`{"n":2}`) },
		"spelling":  func(c *approval.Call) { c.Args = []byte(`{"n": 1}`) },
		"border":    func(c *approval.Call) { c.Contract, c.Binding = "cb", "" },
	} {
		other := call()
		change(&other)
		if other.Digest() == call().Digest() {
			t.Errorf("%s: the digest is the same", name)
		}
		if err := r.Use(ctx, id, other); interlock.ReasonOf(err) != interlock.ReasonApprovalInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := r.Use(ctx, id, call()); err != nil {
		t.Error(err)
	}
	if err := r.Use(ctx, "a0", call()); interlock.ReasonOf(err) != interlock.ReasonApprovalInvalid {
		t.Errorf("an unknown approval: %v", err)
	}
	if _, err := r.Decide(ctx, "a0", "eve", true); interlock.ReasonOf(err) != interlock.ReasonNotFound {
		t.Errorf("deciding an unknown approval: %v", err)
	}
}

// TestOpenAreBounded: who varies a call does not get ever more approvals; the
// ones that are there, and other callers, go on as before.
func TestOpenAreBounded(t *testing.T) {
	d := newRig(t)
	ask := func(who string, n int) (string, error) {
		return d.Ask(t.Context(), approval.Call{Principal: who, Tool: "s/t", Effect: interlock.EffectWrite, Args: fmt.Appendf(nil, `{"n":%d}`, n)})
	}
	first, err := ask("eve", 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < approval.MaxOpen; n++ {
		if _, err := ask("eve", n); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ask("eve", approval.MaxOpen); interlock.ReasonOf(err) != interlock.ReasonApprovalInvalid {
		t.Errorf("one more: %v", err)
	}
	if again, err := ask("eve", 0); err != nil || again != first {
		t.Errorf("one that is asked for: %s %v", again, err)
	}
	if _, err := ask("kim", 0); err != nil {
		t.Errorf("another: %v", err)
	}
	d.now = d.now.Add(approval.DefaultLife)
	if _, err := ask("eve", approval.MaxOpen); err != nil {
		t.Errorf("when they are over: %v", err)
	}
}

// TestOldOnesGo: a day after it was over an approval is dropped, whatever became
// of it; what it was used for cannot be done again.
func TestOldOnesGo(t *testing.T) {
	r, ctx := newRig(t), context.Background()
	used, err := r.Ask(ctx, call())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Decide(ctx, used, "boss", true); err != nil {
		t.Fatal(err)
	}
	if err := r.Use(ctx, used, call()); err != nil {
		t.Fatal(err)
	}
	kept := func() int {
		t.Helper()
		list, err := r.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for _, step := range []struct {
		after time.Duration
		left  int // with the one that is asked for
	}{{approval.DefaultLife + time.Hour, 2}, {approval.Keep - 2*time.Hour, 3}, {time.Hour + time.Minute, 3}} {
		r.now = r.now.Add(step.after)
		c := call()
		c.Args = fmt.Appendf(nil, `{"n":%q}`, step.after)
		if _, err := r.Ask(ctx, c); err != nil {
			t.Fatal(err)
		}
		if n := kept(); n != step.left {
			t.Errorf("%s later %d approvals are kept, want %d", step.after, n, step.left)
		}
	}
	if err := r.Use(ctx, used, call()); interlock.ReasonOf(err) != interlock.ReasonApprovalInvalid {
		t.Errorf("a used approval that was dropped: %v", err)
	}
}

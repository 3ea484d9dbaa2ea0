package approval_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock/internal/approval"
)

// TestHeld: what a call would be made with is at hand until its approval is
// over, whole or not at all.
func TestHeld(t *testing.T) {
	r, ctx := newRig(t), context.Background()
	c := call()
	id, err := r.Ask(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	c.Args[1] = 'x' // what the caller does with his bytes later changes nothing
	if args, contract, ok := r.Held(id); !ok || string(args) != `{"n":1}` || contract != "c" {
		t.Errorf("%q %q %t", args, contract, ok)
	}
	r.now = r.now.Add(10 * time.Minute)
	if _, _, ok := r.Held(id); ok {
		t.Error("arguments outlive their approval")
	}
	long := call()
	long.Args = []byte(`{"n":"` + strings.Repeat("a", 64<<10) + `"}`)
	if id, err = r.Ask(ctx, long); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := r.Held(id); ok {
		t.Error("long arguments are kept")
	}
}

// TestAskingAgainBringsBack: what is not at hand any more is again once its
// caller repeats the call.
func TestAskingAgainBringsBack(t *testing.T) {
	ctx := context.Background()
	store, now := openStore(t), time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var ids [2]string
	for i := range ids { // the second desk is that of a process started later
		desk, err := approval.NewDesk(store, approval.Options{Clock: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			if _, _, ok := desk.Held(ids[0]); ok {
				t.Fatal("arguments outlive their process")
			}
		}
		if ids[i], err = desk.Ask(ctx, call()); err != nil {
			t.Fatal(err)
		}
		if args, _, ok := desk.Held(ids[i]); !ok || string(args) != `{"n":1}` {
			t.Errorf("asked %d times: %q %t", i+1, args, ok)
		}
	}
	if ids[0] != ids[1] {
		t.Error("asking again is another approval")
	}
}

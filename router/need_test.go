package router

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
)

// TestNewRefuses: nothing that is missing has a default that allows.
func TestNewRefuses(t *testing.T) {
	for name, opts := range map[string]Options{
		"nothing":  {},
		"no store": {Openers: map[string]interlock.Opener{"k": nil}, Logger: slog.New(slog.DiscardHandler), Clock: time.Now, Random: strings.NewReader(""), Tokens: func(string) int { return 0 }},
	} {
		if _, err := New(context.Background(), opts); err == nil {
			t.Errorf("a router with %s opened", name)
		}
	}
}

// counting embeds by counting.
type counting struct{ n *int }

func (counting) Name() string { return "counting/1" }

func (c counting) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	*c.n++
	if texts[0] == "wait" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if texts[0] == "fail" {
		return nil, errors.New("no vector")
	}
	return [][]float32{{1, 0, 0}}, nil
}

// TestNeedsAreKeptPerTenant: a need seen before is prepared once a tenant, and
// no tenant finds what another has asked.
func TestNeedsAreKeptPerTenant(t *testing.T) {
	n := 0
	needs := newNeedVectors(Options{Embedder: counting{n: &n}})
	ask := func(tenant, text string) {
		t.Helper()
		if _, err := needs.query(context.Background(), tenant, interlock.Need{Text: text}, true); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		ask("a", "ring a bell")
	}
	if n != 1 {
		t.Errorf("one need of one tenant was embedded %d times", n)
	}
	ask("b", "ring a bell")
	if n != 2 {
		t.Error("tenant b found what tenant a asked")
	}
}

// TestNeedsWithoutVector: a need whose vector cannot be had, or not in time, is
// searched for by its words, and the next one asks for its vector again.
func TestNeedsWithoutVector(t *testing.T) {
	n := 0
	needs := newNeedVectors(Options{Embedder: counting{n: &n}, NeedWait: time.Millisecond})
	for _, text := range []string{"fail", "wait"} {
		for range 2 {
			q, err := needs.query(context.Background(), "a", interlock.Need{Text: text}, true)
			if err != nil || q.Directed() || q.Wordless() {
				t.Errorf("%s: %v, directed %t, wordless %t", text, err, q.Directed(), q.Wordless())
			}
		}
	}
	if n != 4 {
		t.Errorf("vectors were asked for %d times", n)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := needs.query(gone, "a", interlock.Need{Text: "wait"}, true); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who is gone was answered: %v", err)
	}
	n = 0
	if q, err := needs.query(context.Background(), "a", interlock.Need{Text: "bell"}, false); err != nil || q.Directed() || n != 0 {
		t.Errorf("a view without vectors: %v, directed %t, asked %d times", err, q.Directed(), n)
	}
}

// TestNeedsAreBounded: what is kept of one tenant is bounded, and the last ones
// are kept.
func TestNeedsAreBounded(t *testing.T) {
	n := 0
	needs := newNeedVectors(Options{Embedder: counting{n: &n}})
	for i := range 5 * maxKept {
		if _, err := needs.query(context.Background(), "a", interlock.Need{Text: fmt.Sprint(i)}, true); err != nil {
			t.Fatal(err)
		}
	}
	k := needs.tenants["a"]
	if got := len(k.young) + len(k.old); got > 2*maxKept {
		t.Errorf("%d needs are kept", got)
	}
	before := n
	if _, err := needs.query(context.Background(), "a", interlock.Need{Text: fmt.Sprint(5*maxKept - 1)}, true); err != nil || n != before {
		t.Errorf("the last need was embedded again: %v", err)
	}
}

// TestLongNeedsAreNotKept: what is kept is bounded in bytes, not in number alone.
func TestLongNeedsAreNotKept(t *testing.T) {
	n := 0
	needs := newNeedVectors(Options{Embedder: counting{n: &n}})
	for _, text := range []string{strings.Repeat("x", maxKeptText), strings.Repeat("x", maxKeptText+1)} {
		for range 2 {
			if _, err := needs.query(context.Background(), "acme", interlock.Need{Text: text}, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n != 3 {
		t.Errorf("prepared %d times: want once for the short need and twice for the long one", n)
	}
}

func TestTextOf(t *testing.T) {
	for _, tc := range []struct {
		need interlock.Need
		want string
	}{
		{interlock.Need{Text: "ring"}, "ring"},
		{interlock.Need{Text: "  ", Want: []interlock.Want{{SemanticID: "air_temperature"}, {SemanticID: "wind_speed"}}}, "air temperature, wind speed"},
		{interlock.Need{Text: "ring", Want: []interlock.Want{{SemanticID: "x"}}}, "ring"},
	} {
		if got := textOf(tc.need); got != tc.want {
			t.Errorf("textOf(%+v) = %q", tc.need, got)
		}
	}
}

// TestNeedKey: a need after other turns is another need.
func TestNeedKey(t *testing.T) {
	a, b := keyOf(interlock.Need{Text: "x"}), keyOf(interlock.Need{Text: "x", Context: []string{"y"}})
	if a != "x" || a == b || b == keyOf(interlock.Need{Text: "x", Context: []string{"z"}}) {
		t.Errorf("%q, %q", a, b)
	}
}

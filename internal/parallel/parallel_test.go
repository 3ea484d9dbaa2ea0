package parallel

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
)

func TestEachWorksOnEachThingOnce(t *testing.T) {
	for _, c := range []struct{ n, chunk int }{{0, 4}, {1, 4}, {4, 4}, {5, 4}, {1000, 1}, {1000, 7}, {1000, 4096}} {
		seen := make([]atomic.Int32, c.n)
		Each(c.n, c.chunk, func(from, to int) {
			if to-from > c.chunk || to <= from {
				t.Errorf("%d things by %d: a stretch from %d to %d", c.n, c.chunk, from, to)
			}
			for i := from; i < to; i++ {
				seen[i].Add(1)
			}
		})
		for i := range seen {
			if got := seen[i].Load(); got != 1 {
				t.Errorf("%d things by %d: thing %d was worked on %d times", c.n, c.chunk, i, got)
			}
		}
	}
}

// A panic must meet the one who asked, wherever the work was done, and after
// all other work is over.
func TestPanicIsRaisedWhereItWasAskedFor(t *testing.T) {
	for bad := range 8 {
		var under, over atomic.Int32
		caught := func() (cause any) {
			defer func() { cause = recover() }()
			Each(8, 1, func(from, _ int) {
				under.Add(1)
				defer over.Add(1)
				if from == bad {
					panic("a bad tool")
				}
			})
			return nil
		}()
		p, ok := caught.(*Panic)
		if !ok || p.Cause != "a bad tool" || !strings.Contains(p.Error(), "parallel_test.go") {
			t.Errorf("thing %d: raised %v", bad, caught)
		}
		if under.Load() != over.Load() {
			t.Errorf("thing %d: %d begun and %d over", bad, under.Load(), over.Load())
		}
	}
}

func TestCaught(t *testing.T) {
	one := errors.New("one")
	if err := Caught(func() error { return one }); !errors.Is(err, one) {
		t.Errorf("%v", err)
	}
	err := Caught(func() error {
		Each(8, 1, func(int, int) { panic("deep") })
		return nil
	})
	var p *Panic
	if !errors.As(err, &p) || p.Cause != "deep" {
		t.Errorf("%v", err)
	}
}

package router

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-ae386458/interlock"
)

// TestCaughtUp: whoever waits for what was put in waits for that alone, and for
// all of it.
func TestCaughtUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b inbox
		b.init()
		ended := make(chan struct{})
		var rounds atomic.Int32
		go func() {
			defer close(ended)
			for {
				if _, _, more := b.take(); !more {
					return
				}
				time.Sleep(time.Second)
				n := rounds.Add(1)
				if n < 50 {
					b.put([]interlock.LogEntry{{}}) // there is always something more
				}
			}
		}()
		b.put([]interlock.LogEntry{{}})
		synctest.Wait()
		b.nudge()
		if err := b.caughtUp(t.Context()); err != nil || rounds.Load() != 2 {
			t.Errorf("after %d rounds: %v", rounds.Load(), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		b.nudge()
		if b.caughtUp(ctx) == nil {
			t.Error("the end of the context did not end the wait")
		}
		if err := b.idle(t.Context()); err != nil || rounds.Load() < 50 {
			t.Errorf("idle after %d rounds: %v", rounds.Load(), err)
		}
		b.close()
		<-ended
	})
}

// TestMore: what is taken on the way counts as done with the work at hand, but
// for what moved meanwhile, which is taken afterwards.
func TestMore(t *testing.T) {
	var b inbox
	b.init()
	b.nudge()
	b.take()
	b.put([]interlock.LogEntry{{}})
	if got := b.more(); len(got) != 1 || len(b.more()) != 0 || b.taken != b.in {
		t.Errorf("%d entries, and %d of %d are taken", len(got), b.taken, b.in)
	}
	b.put([]interlock.LogEntry{{}})
	b.nudge()
	if got := b.more(); len(got) != 1 || b.taken == b.in {
		t.Errorf("%d entries, and %d of %d are taken while something moved", len(got), b.taken, b.in)
	}
	if _, _, more := b.take(); !more || b.taken != b.in || b.done != 2 {
		t.Errorf("afterwards %d of %d are taken and %d done", b.taken, b.in, b.done)
	}
}

package router

import (
	"testing"
	"time"
)

// TestSampler: a burst is observed whole, then so many a second; each tool has
// its own measure, and rest gives the burst back.
func TestSampler(t *testing.T) {
	var s sampler
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	count := func(tool string, calls int, every time.Duration) (taken int) {
		for range calls {
			now = now.Add(every)
			if s.takes(tool, now) {
				taken++
			}
		}
		return taken
	}
	if got := count("a/b", observedBurst, 0); got != observedBurst {
		t.Errorf("%d of the burst", got)
	}
	if got := count("a/b", 1000, 0); got != 0 {
		t.Errorf("%d past the burst", got)
	}
	if got := count("a/b", 5000, time.Millisecond); got != 1000 {
		t.Errorf("%d of five seconds under load", got)
	}
	if got := count("a/c", 10, 0); got != 10 {
		t.Errorf("%d of another tool", got)
	}
	now = now.Add(time.Minute)
	if got := count("a/b", observedBurst, 0); got != observedBurst {
		t.Errorf("%d after a rest", got)
	}
}

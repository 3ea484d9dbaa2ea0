package router

import (
	"sync"
	"sync/atomic"
	"time"
)

// Under load the calls of one tool say the same over and over: of its successes
// a burst is observed whole, and from then on so many a second. What is left out
// has a receipt without `observed`, live as in a replay. Failures and probes are
// observed always.
const (
	observedBurst = 2000
	observedEvery = 5 * time.Millisecond
)

// sampler says which calls are observed. It takes no lock that a call could
// wait for.
type sampler struct {
	tools sync.Map // whole name → *atomic.Int64: the moment up to which calls were let in, in ns
}

// takes reports whether a success of the tool is observed now.
func (s *sampler) takes(tool string, now time.Time) bool {
	found, ok := s.tools.Load(tool)
	if !ok {
		found, _ = s.tools.LoadOrStore(tool, new(atomic.Int64))
	}
	spent := found.(*atomic.Int64)
	for {
		was := spent.Load()
		next := max(was, now.UnixNano()) + int64(observedEvery)
		if next-now.UnixNano() > observedBurst*int64(observedEvery) {
			return false
		}
		if spent.CompareAndSwap(was, next) {
			return true
		}
	}
}

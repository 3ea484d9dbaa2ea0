package endpoint

import (
	"errors"
	"sync"
	"time"
)

// circuit keeps requests from an address that fails: after a few failures in a
// row it is left alone for a while, then asked by one request, and by all again
// once that one succeeds.
type circuit struct {
	mu     sync.Mutex // guards the rest
	failed int        // in a row
	rest   time.Duration
	until  time.Time
	trial  bool   // one request is out to see
	why    string // the last one failed
}

const (
	failures  = 3 // in a row open the circuit
	firstRest = time.Second
	lastRest  = 30 * time.Second
)

// turn is what a result did to a circuit.
type turn int

const (
	unturned turn = iota
	opened
	closed
)

// enter reports whether a request may go.
func (c *circuit) enter(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed < failures {
		return true
	}
	if c.trial || now.Before(c.until) {
		return false
	}
	c.trial = true
	return true
}

// last says why the last request failed.
func (c *circuit) last() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}

// leave notes how a request went.
func (c *circuit) leave(now time.Time, err error) turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.failed
	c.trial = false
	var f *fault
	if err == nil || errors.As(err, &f) && f.itself {
		c.failed, c.rest = 0, 0
		if was >= failures {
			return closed
		}
		return unturned
	}
	c.failed++
	c.why = err.Error()
	if f != nil && (f.wrong || f.rest > 0) {
		c.failed = max(c.failed, failures)
	}
	if c.failed < failures {
		return unturned
	}
	c.rest = min(max(2*c.rest, firstRest), lastRest)
	wait := c.rest
	if f != nil {
		wait = max(wait, f.rest)
	}
	c.until = now.Add(wait)
	if was < failures {
		return opened
	}
	return unturned
}

// forget takes a request back that says nothing.
func (c *circuit) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trial = false
}

package mcp

import (
	"errors"
	"time"
)

// The backoff between starts of a server that keeps failing. The first failure
// in a row costs no wait: servers may be restarted on purpose.
const (
	firstRest = 250 * time.Millisecond
	longRest  = 30 * time.Second
	healthy   = 10 * time.Second // a session this old ended for its own reasons
)

var errEnded = errors.New("the session ended by itself")

// rest spaces out the starts of a server that fails in a row.
type rest struct {
	failures int
	until    time.Time
	cause    error
}

// left is how long the server rests still.
func (r *rest) left(now time.Time) time.Duration { return max(0, r.until.Sub(now)) }

// failed counts a start that brought no session.
func (r *rest) failed(now time.Time, cause error) {
	r.failures++
	r.cause = cause
	wait := time.Duration(0)
	if r.failures > 1 {
		wait = min(longRest, firstRest<<min(r.failures-2, 10))
	}
	r.until = now.Add(wait)
}

// ended counts a session that ended by itself after some age.
func (r *rest) ended(now time.Time, age time.Duration, cause error) {
	if age >= healthy {
		*r = rest{}
	}
	r.failed(now, cause)
}

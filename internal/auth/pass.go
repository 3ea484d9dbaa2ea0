package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"sync"
	"time"
)

// What bounds the passes that hold at once.
const (
	passPrefix = "interlock-console-"
	passLife   = 12 * time.Hour
	maxPasses  = 16
)

// Passes are the operator's leave for a browser on his machine. He gets one
// through his own socket, so who holds it is he, wherever the browser's request
// comes in. They are kept in memory alone, as digests, and end with the process.
type Passes struct {
	clock func() time.Time
	mu    sync.Mutex             // guards until
	until map[[32]byte]time.Time // by SHA-256 of the pass
}

// NewPasses makes an empty set; a nil clock is the system's.
func NewPasses(clock func() time.Time) *Passes {
	if clock == nil {
		clock = time.Now
	}
	return &Passes{clock: clock, until: map[[32]byte]time.Time{}}
}

// Make gives a new pass, and until when it holds. Where too many hold, the one
// that ends first ends now.
func (p *Passes) Make() (pass string, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock()
	for len(p.until) >= maxPasses {
		var first [32]byte
		for d, end := range p.until {
			if old, ok := p.until[first]; !ok || end.Before(old) {
				first = d
			}
		}
		delete(p.until, first)
	}
	pass, until = passPrefix+rand.Text(), now.Add(passLife)
	p.until[sha256.Sum256([]byte(pass))] = until
	return pass, until
}

// Shown reports whether the Authorization headers of a request carry a pass and
// nothing else. One that does not hold is an error: nobody falls back from it to
// what he would be without it.
func (p *Passes) Shown(headers []string) (bool, error) {
	if p == nil {
		return false, nil
	}
	token, err := bearer(headers)
	if err != nil || !strings.HasPrefix(token, passPrefix) {
		return false, nil //nolint:nilerr // whatever it is, it is no pass, and judged as what it is
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	until, known := p.until[sha256.Sum256([]byte(token))]
	switch {
	case !known:
		return false, unauthenticated(FaultUnknown, "This link to the console is not known here: the server was started since, or it is altered. `interlock console` gives a new one.")
	case !p.clock().Before(until):
		return false, unauthenticated(FaultExpired, "This link to the console has expired. `interlock console` gives a new one.")
	}
	return true, nil
}

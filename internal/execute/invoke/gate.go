package invoke

import (
	"sync"
	"time"

	"github.com/seed-ae386458/interlock/internal/execute/recheck"
)

// maxLease bounds how long a source that is slow to begin keeps the registry
// from changing. What it sends later is looked at anew.
const maxLease = time.Second

// gate is what a call passes each time that it is about to be written. From the
// look at what is current to that moment the registry and the policies are held
// as they are.
type gate struct {
	clearance recheck.Clearance
	mu        sync.Mutex // guards release
	release   func()     // gives the lease back; nil where none is held
}

// open takes the lease and looks.
func (g *gate) open() error {
	release := g.clearance.Lease()
	if !g.clearance.Still() {
		release()
		return moved(g.clearance.Tool().ID)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.release = release
	return nil
}

// leave gives the lease back, where it is held.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.release != nil {
		g.release()
		g.release = nil
	}
}

// through lets one writing of the call pass: under the lease that is held, or,
// where it was given back since, after another look.
func (g *gate) through() error {
	g.mu.Lock()
	held := g.release
	g.release = nil
	g.mu.Unlock()
	if held != nil {
		held()
		return nil
	}
	if err := g.open(); err != nil {
		return err
	}
	g.leave()
	return nil
}

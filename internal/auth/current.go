package auth

import (
	"net/http"
	"sync/atomic"

	"github.com/seed-ae386458/interlock"
)

// Current is the authenticator in force. A reload swaps it for another; a
// request is judged by one of them, whole.
type Current struct{ now atomic.Pointer[Authenticator] }

// NewCurrent begins with an authenticator.
func NewCurrent(a *Authenticator) *Current {
	c := &Current{}
	c.Swap(a)
	return c
}

// Swap puts another in force.
func (c *Current) Swap(next *Authenticator) { c.now.Store(next) }

// Open is Authenticator.Open of the one in force.
func (c *Current) Open() bool { return c.now.Load().Open() }

// Authenticate is Authenticator.Authenticate of the one in force.
func (c *Current) Authenticate(r *http.Request) (interlock.Principal, error) {
	return c.now.Load().Authenticate(r)
}

// ByName is Authenticator.ByName of the one in force.
func (c *Current) ByName(name string) (interlock.Principal, error) { return c.now.Load().ByName(name) }

// Claimed is Authenticator.Claimed of the one in force.
func (c *Current) Claimed(claims []byte) (interlock.Principal, error) {
	return c.now.Load().Claimed(claims)
}

// Login is Authenticator.Login of the one in force.
func (c *Current) Login() (Login, bool) { return c.now.Load().Login() }

package httpapi

import (
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// The headers of Interlock's own.
const (
	headerRequestID = "X-Request-Id"
	// HeaderPrincipal names the token that the operator acts as.
	HeaderPrincipal = "Interlock-Principal"
	// HeaderClaims are the claims of a token of the issuer, as base64url of
	// JSON, in whose place the operator acts.
	HeaderClaims = "Interlock-Claims"
	// HeaderApprove is "1" where the operator gives his own leave for a call.
	HeaderApprove = "Interlock-Approve"
	// HeaderLimit is the strongest effect that a call may have.
	HeaderLimit = "Interlock-Limit"
	// HeaderContent is "1" where the answer to a call shall carry the tool's
	// content blocks too.
	HeaderContent = "Interlock-Content"
)

// caller is who asks, and what the door lets him add to a call.
type caller struct {
	who     interlock.Principal
	approve bool
	content bool
	passed  bool // the operator, by a pass: he decides on approvals, and reads what he needs for it
}

// admit decides who a request is from. Order matters: a request that comes
// from elsewhere to the single-user mode, or without a credential, learns
// nothing more.
func (s *server) admit(r *http.Request, private bool) (caller, error) {
	if s.local {
		return s.admitOperator(r)
	}
	if s.guard.Open() {
		if err := fromHere(r); err != nil {
			return caller{}, err
		}
	}
	var c caller
	if private {
		var err error
		if c, err = s.identify(r); err != nil {
			return caller{}, err
		}
	}
	if err := s.origin.Check(r); err != nil {
		return caller{}, &interlock.Error{Code: interlock.CodeDenied, Reason: interlock.ReasonDenied, Stage: stageSurface,
			Public: "A page of another origin may not send this request.", Err: err}
	}
	for _, name := range [...]string{HeaderPrincipal, HeaderClaims, HeaderApprove, HeaderContent} {
		if len(r.Header.Values(name)) > 0 {
			return caller{}, errOperator("The header " + name + " is for the local socket alone.")
		}
	}
	return c, nil
}

// identify reads the credential of a request.
func (s *server) identify(r *http.Request) (caller, error) {
	passed, err := s.opts.Passes.Shown(r.Header.Values("Authorization"))
	if passed || err != nil {
		return caller{who: interlock.Local(), passed: passed}, err
	}
	who, err := s.guard.Authenticate(r)
	return caller{who: who}, err
}

// admitOperator reads what the operator asks for on his own socket.
func (s *server) admitOperator(r *http.Request) (caller, error) {
	c := caller{who: interlock.Local()}
	names, claims := r.Header.Values(HeaderPrincipal), r.Header.Values(HeaderClaims)
	if len(names)+len(claims) > 1 {
		return caller{}, wire.Invalid("", "The headers %s and %s are given twice, or both: name one principal.", HeaderPrincipal, HeaderClaims)
	}
	if len(names)+len(claims) == 1 {
		who, err := s.named(strings.Join(names, ""), strings.Join(claims, ""))
		if err != nil {
			return caller{}, err
		}
		c.who = who
	}
	c.approve = r.Header.Get(HeaderApprove) == "1"
	c.content = r.Header.Get(HeaderContent) == "1"
	return c, nil
}

// named gives a principal by the name of his token, or by the claims of one.
func (s *server) named(name, claims string) (interlock.Principal, error) {
	if claims == "" {
		return s.guard.ByName(name)
	}
	text, err := base64.RawURLEncoding.DecodeString(claims)
	if err != nil {
		return interlock.Principal{}, wire.Invalid("/claims", "The claims are no base64url.")
	}
	return s.guard.Claimed(text)
}

// fromHere refuses what reaches the single-user mode from elsewhere: another
// machine, by its address, or a page in this machine's browser whose name was
// pointed here (DNS rebinding), by the name it asks for.
func fromHere(r *http.Request) error {
	if addr, err := netip.ParseAddrPort(r.RemoteAddr); err == nil && !addr.Addr().Unmap().IsLoopback() {
		return errOperator("Without tokens Interlock serves its own machine alone; set auth.mode to bearer to serve others.")
	}
	if !loopbackName(r.Host) {
		return errOperator("Without tokens Interlock answers to a loopback name or address alone, such as 127.0.0.1 or localhost.")
	}
	return nil
}

// loopbackName reports whether a Host header names this machine.
func loopbackName(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Unmap().IsLoopback()
}

// requestID takes the caller's own id for a request where it is fit to be
// logged, and makes one otherwise.
func (s *server) requestID(r *http.Request) string {
	id := r.Header.Get(headerRequestID)
	if id == "" || len(id) > 64 || strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
		return s.opts.NewID()
	}
	return id
}

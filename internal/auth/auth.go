// Package auth turns credentials into principals and principals into what they
// may see, and resolves secrets by reference.
//
// It promises that a token is kept as its SHA-256 alone and compared in
// constant time, that a request with two different credentials is an error
// rather than a choice, and that what is not allowed is not visible. It issues
// no identities and stores no secrets.
//
//	guard, err := auth.New(cfg, auth.Options{Secrets: secrets})
//	who, err := guard.Authenticate(r.Header)
//	sees := auth.NewMatcher(who).Sees(tool.Tenant, tool.ID)
package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// Authenticator knows the configured tokens. It is safe for concurrent use and
// never changes; a reload makes a new one.
type Authenticator struct {
	open   bool // mode none
	tokens []known
}

// known is one configured token.
type known struct {
	digest    [sha256.Size]byte
	principal interlock.Principal
}

// Open reports the single-user mode, in which everyone is the local operator.
func (a *Authenticator) Open() bool { return a.open }

// Authenticate gives the principal whose credential a request carries. Without
// a known one it gives CodeUnauthenticated; two that differ are a request that
// cannot be meant.
func (a *Authenticator) Authenticate(h http.Header) (interlock.Principal, error) {
	if a.open {
		return interlock.Local(), nil
	}
	token, err := bearer(h.Values("Authorization"))
	if err != nil {
		return interlock.Principal{}, err
	}
	digest := sha256.Sum256([]byte(token))
	found := -1
	for i := range a.tokens { // all of them, whichever matches
		if subtle.ConstantTimeCompare(digest[:], a.tokens[i].digest[:]) == 1 {
			found = i
		}
	}
	if found < 0 {
		return interlock.Principal{}, unauthenticated("The bearer token is not known.")
	}
	return a.tokens[found].principal, nil
}

// ByName gives the principal of a named token, for the operator who acts as
// one. The name of the operator himself gives the operator.
func (a *Authenticator) ByName(name string) (interlock.Principal, error) {
	if name == interlock.Local().Name {
		return interlock.Local(), nil
	}
	for _, t := range a.tokens {
		if t.principal.Name == name {
			return t.principal, nil
		}
	}
	return interlock.Principal{}, &interlock.Error{
		Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "surface",
		Public: "No token of the configuration has that name.",
	}
}

// bearer takes the one token out of the Authorization headers.
func bearer(values []string) (string, error) {
	token := ""
	for _, v := range values {
		scheme, rest, _ := strings.Cut(strings.TrimSpace(v), " ")
		rest = strings.TrimSpace(rest)
		if !strings.EqualFold(scheme, "Bearer") || rest == "" || strings.ContainsAny(rest, " \t,") {
			return "", unauthenticated("Send the token as Authorization: Bearer TOKEN.")
		}
		if token != "" && token != rest {
			return "", &interlock.Error{
				Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "surface",
				Public: "The request carries two different credentials; send one.",
			}
		}
		token = rest
	}
	if token == "" {
		return "", unauthenticated("Send a bearer token that the configuration knows.")
	}
	return token, nil
}

// unauthenticated is the error of a request without a known credential.
func unauthenticated(text string) *interlock.Error {
	return &interlock.Error{
		Code: interlock.CodeUnauthenticated, Reason: interlock.ReasonUnauthenticated, Stage: "surface", Public: text,
	}
}

// Package auth turns credentials into principals and principals into what they
// may see, and resolves secrets by reference. A credential is an API key of the
// configuration, a JSON Web Token of the configured issuer, or a client
// certificate that the TLS layer has verified.
//
// It promises that a key is kept as its SHA-256 alone and compared in constant
// time, that a token is believed only where its signature, algorithm, issuer,
// audience and times hold at that moment, that a request with two credentials
// that disagree is an error rather than a choice, that a credential which fails
// is not made good by another, and that what is not allowed is not visible. It
// issues no identities, stores no secrets, and fetches nothing but the keys of
// the configured issuer.
//
//	guard, err := auth.New(cfg, auth.Options{Secrets: secrets, Clock: time.Now})
//	who, err := guard.Authenticate(r)
//	sees := auth.NewMatcher(who).Sees(tool.Tenant, tool.ID)
package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
)

// MaxToken is the most bytes that a bearer token may have.
const MaxToken = 16 << 10

// Authenticator knows the configured credentials. It is safe for concurrent
// use; apart from the keys of an issuer, which it fetches when they are needed,
// it never changes: a reload makes a new one, and Current swaps them.
type Authenticator struct {
	open    bool // mode none
	clock   func() time.Time
	named   []interlock.Principal
	secrets []secret
	certs   map[string]int // certificate name → its principal's place in named
	jwt     *verifier      // nil: no issuer is believed
}

// secret is one configured key.
type secret struct {
	digest  [sha256.Size]byte
	expires time.Time // zero: never
	of      int       // place in named
}

// Open reports the single-user mode, in which everyone is the local operator.
func (a *Authenticator) Open() bool { return a.open }

// Authenticate gives the principal whose credential a request carries. Without
// a known one it gives CodeUnauthenticated; two that disagree are a request
// that cannot be meant. A bearer token that fails is not made good by a
// certificate.
func (a *Authenticator) Authenticate(r *http.Request) (interlock.Principal, error) {
	if a.open {
		return interlock.Local(), nil
	}
	token, err := bearer(r.Header.Values("Authorization"))
	if err != nil {
		return interlock.Principal{}, err
	}
	shown, known, err := a.certified(r.TLS)
	if err != nil || token == "" {
		if err == nil && !known {
			err = unauthenticated(FaultMissing, "Send a bearer token that the configuration knows.")
		}
		return shown, err
	}
	who, err := a.bearing(r.Context(), token)
	if err != nil {
		return interlock.Principal{}, err
	}
	if known && shown.Name != who.Name {
		return interlock.Principal{}, disagree("The token and the client certificate are of two principals; send one.")
	}
	return who, nil
}

// bearing gives the principal of a bearer token: a configured key, or else a
// token of the issuer.
func (a *Authenticator) bearing(ctx context.Context, token string) (interlock.Principal, error) {
	if len(token) > MaxToken {
		return interlock.Principal{}, unauthenticated(FaultTooLong, fmt.Sprintf("The bearer token is too long, over %d bytes; ask for one with fewer or smaller claims.", MaxToken))
	}
	digest := sha256.Sum256([]byte(token))
	found := -1
	for i := range a.secrets { // all of them, whichever matches
		if subtle.ConstantTimeCompare(digest[:], a.secrets[i].digest[:]) == 1 {
			found = i
		}
	}
	switch {
	case found >= 0 && a.secrets[found].expired(a.clock):
		return interlock.Principal{}, unauthenticated(FaultExpired, "The bearer token has expired.")
	case found >= 0:
		who := a.named[a.secrets[found].of]
		who.Until = a.secrets[found].expires
		return who, nil
	case a.jwt == nil:
		return interlock.Principal{}, unauthenticated(FaultUnknown, "The bearer token is not known.")
	}
	who, err := a.jwt.principal(ctx, token)
	if err != nil {
		return interlock.Principal{}, err
	}
	if _, taken := a.find(who.Name); taken || who.Name == interlock.Local().Name {
		return interlock.Principal{}, unauthenticated(FaultName, "The token's name is that of another principal.")
	}
	return who, nil
}

func (s secret) expired(clock func() time.Time) bool {
	return !s.expires.IsZero() && !clock().Before(s.expires)
}

// ByName gives the principal of a named token, for the operator who acts as
// one. The name of the operator himself gives the operator.
func (a *Authenticator) ByName(name string) (interlock.Principal, error) {
	if name == interlock.Local().Name {
		return interlock.Local(), nil
	}
	if i, ok := a.find(name); ok {
		return a.named[i], nil
	}
	return interlock.Principal{}, &interlock.Error{
		Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "surface",
		Public: fmt.Sprintf("No token of the configuration is named %q.", name),
	}
}

// Claimed gives the principal whom a token of the issuer with those claims, a
// JSON object, would be of. Nothing is proved by it: it is for the operator, who
// acts as somebody or asks what he may do.
func (a *Authenticator) Claimed(claims []byte) (interlock.Principal, error) {
	if a.jwt == nil {
		return interlock.Principal{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "surface",
			Public: "No issuer is configured (auth.jwt), so claims make nobody."}
	}
	who, err := a.jwt.read.principal(claims)
	if err != nil {
		return who, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "surface", Public: "The claims do not give a principal: " + err.Error() + "."}
	}
	if _, taken := a.find(who.Name); taken || who.Name == interlock.Local().Name {
		return interlock.Principal{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "surface",
			Public: "The name that the claims give is that of another principal."}
	}
	return who, nil
}

func (a *Authenticator) find(name string) (int, bool) {
	for i := range a.named {
		if a.named[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// bearer takes the one token out of the Authorization headers; "" where there
// is no such header.
func bearer(values []string) (string, error) {
	token := ""
	for _, v := range values {
		scheme, rest, _ := strings.Cut(strings.TrimSpace(v), " ")
		rest = strings.TrimSpace(rest)
		if !strings.EqualFold(scheme, "Bearer") || rest == "" || strings.ContainsAny(rest, " \t,") {
			return "", unauthenticated(FaultMalformed, "Send the token as Authorization: Bearer TOKEN.")
		}
		if token != "" && token != rest {
			return "", disagree("The request carries two different credentials; send one.")
		}
		token = rest
	}
	return token, nil
}

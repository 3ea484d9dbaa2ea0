package mcp

import (
	"errors"
	"fmt"
)

// fault is why an exchange brought no answer.
type fault struct {
	kind faultKind
	sent bool // the server may have seen the request
	slow bool // of a handshake: the server was late, and a second try may find it warm
	gate bool // of a refusal: it was for want of the right credentials
	err  error
}

type faultKind int

const (
	faultUnreachable  faultKind = iota // no server to speak to
	faultHandshake                     // a server that cannot be brought to speak
	faultCredential                    // a reference could not be read
	faultExpired                       // the server no longer knows the session
	faultRefused                       // the transport refused the request: HTTP 4xx, a redirect
	faultUnauthorised                  // the transport refused the credential: HTTP 401
	faultFailed                        // the transport failed it and did nothing: HTTP 429, 503
	faultUncertain                     // the transport failed it, perhaps after the server did it: HTTP 500, 502, 504
	faultBroken                        // the connection ended before an answer
	faultMalformed                     // the answer is no JSON-RPC
	faultTooLarge                      // the answer is over the limit
	faultGivenUp                       // the caller's time ran out, or the caller left
)

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

func faultf(kind faultKind, sent bool, format string, args ...any) *fault {
	return &fault{kind: kind, sent: sent, err: fmt.Errorf(format, args...)}
}

// asFault reads any error of an exchange or a handshake; an unknown one counts
// as a connection that broke after the send.
func asFault(err error) *fault {
	var f *fault
	if errors.As(err, &f) {
		return f
	}
	return &fault{kind: faultBroken, sent: true, err: err}
}

// again tells whether a second try may bring what this one did not. What may
// have been sent is repeated only where repeating is harmless.
func (f *fault) again(harmless bool) bool {
	return (f.kind == faultExpired || f.kind == faultBroken) && (harmless || !f.sent)
}

package interlock

import (
	"context"
	"errors"
	"strings"
)

// Code is the class of a failure. It alone decides the HTTP status, the MCP
// error and the exit code; each surface keeps one table over this closed set.
type Code string

// The codes.
const (
	CodeInvalid         Code = "invalid"         // the request is malformed or breaks a schema
	CodeUnauthenticated Code = "unauthenticated" // no known credential
	CodeDenied          Code = "denied"          // policy says no
	CodeNotFound        Code = "not_found"       // nothing of that name in the caller's view
	CodeConflict        Code = "conflict"        // the state moved: offer, fingerprint, version, lock
	CodeApproval        Code = "approval"        // a person has to say yes first
	CodeUnavailable     Code = "unavailable"     // cannot be reached now; nothing was done
	CodeTooLarge        Code = "too_large"       // over a stated limit
	CodeUpstream        Code = "upstream"        // the source answered, and the answer is a failure or invalid
	CodeTimeout         Code = "timeout"         // no answer in time
	CodeIndeterminate   Code = "indeterminate"   // sent, and nobody knows what came of it
	CodeExhausted       Code = "exhausted"       // disk, memory or a quota is used up
	CodeInternal        Code = "internal"        // our own fault
)

// Codes lists every code, for surfaces that must map them all.
var codes = [...]Code{CodeInvalid, CodeUnauthenticated, CodeDenied, CodeNotFound, CodeConflict, CodeApproval,
	CodeUnavailable, CodeTooLarge, CodeUpstream, CodeTimeout, CodeIndeterminate, CodeExhausted, CodeInternal}

// Codes gives every code, in the order of their declaration.
func Codes() []Code { return append([]Code(nil), codes[:]...) }

// Outcome says what a failed call may have done at its source.
type Outcome string

// The outcomes of a failed call.
const (
	OutcomeNotSent Outcome = "not_sent" // nothing reached the source
	OutcomeFailed  Outcome = "failed"   // the source answered, and the answer says or shows failure
	OutcomeUnknown Outcome = "unknown"  // sent; the answer never came or was lost
)

// Error is the one error type of Interlock. Public and Pointer are for the
// caller and never name what he may not see; Err is for the operator's log
// alone and is shown to nobody else.
type Error struct {
	Code     Code
	Reason   Reason
	Stage    string  // the stage that refused: "eligible", "recheck", "invoke", …
	Public   string  // what, where, and what to do
	Pointer  string  // RFC 6901 pointer to the value at fault, if one is
	Approval string  // the approval to ask for, where one would help
	Outcome  Outcome // of a call: what may have happened at the source; empty for anything else
	Refusal  Refusal // the typed refusal, where one exists
	Detail   []byte  // a failed tool's own words to its caller, or the documented failure that it is, as JSON text; untrusted
	Err      error   // the cause
}

// Error gives the operator's reading, cause included.
func (e *Error) Error() string {
	text := string(e.Reason)
	if e.Stage != "" {
		text = e.Stage + ": " + text
	}
	if e.Public != "" {
		text += ": " + e.Public
	}
	if e.Err == nil {
		return text
	}
	if cause := e.Err.Error(); !strings.Contains(e.Public, cause) {
		text = strings.TrimSuffix(text, ".") + ": " + cause
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// internalText is what a caller reads of a failure that is not his business.
const internalText = "Interlock failed to handle this; the operator's log has the cause."

// AsError reads any error as an *Error: itself where one is in the chain, a
// timeout for an expired deadline, and otherwise an internal failure whose
// public text is a fixed sentence.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{Code: CodeTimeout, Reason: ReasonTimeout, Public: "No answer within the time allowed.", Err: err}
	}
	return &Error{Code: CodeInternal, Reason: ReasonInternal, Public: internalText, Err: err}
}

// CodeOf reads the code of any error; an unknown one is CodeInternal, and no
// error has none.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return AsError(err).Code
}

// ReasonOf reads the reason of any error; an unknown one is ReasonInternal, and
// no error has none.
func ReasonOf(err error) Reason {
	if err == nil {
		return ""
	}
	return AsError(err).Reason
}

package auth

import (
	"errors"

	"github.com/seed-ae386458/interlock"
)

// Fault is the rule by which a credential was refused. The set is closed: each
// is counted in the log.
type Fault string

// The faults.
const (
	FaultMissing     Fault = "missing"
	FaultMalformed   Fault = "malformed" // no token, or one whose claims do not read
	FaultTooLong     Fault = "too-long"
	FaultUnknown     Fault = "unknown" // no key of the configuration, and no token
	FaultExpired     Fault = "expired"
	FaultEarly       Fault = "not-yet-valid"
	FaultSignature   Fault = "signature" // it does not hold, or is by no key of the issuer
	FaultIssuer      Fault = "issuer"
	FaultAudience    Fault = "audience"
	FaultClaims      Fault = "claims" // they give no principal
	FaultName        Fault = "name-taken"
	FaultTwo         Fault = "two-credentials"
	FaultCertificate Fault = "certificate"
	FaultKeys        Fault = "keys-unavailable" // nothing to check a token with
	FaultOther       Fault = "other"
)

// faulted is the cause of an error that refuses a credential.
type faulted struct {
	fault Fault
	cause error // may be nil
}

// Error names the fault and what is behind it; neither holds a credential.
func (f *faulted) Error() string {
	if f.cause == nil {
		return string(f.fault)
	}
	return string(f.fault) + ": " + f.cause.Error()
}

// Unwrap gives what is behind the fault.
func (f *faulted) Unwrap() error { return f.cause }

// FaultOf gives the rule by which Authenticate refused a request.
func FaultOf(err error) Fault {
	var f *faulted
	if errors.As(err, &f) {
		return f.fault
	}
	return FaultOther
}

// unauthenticated is the error of a request without a known credential.
func unauthenticated(fault Fault, text string) *interlock.Error {
	return &interlock.Error{Code: interlock.CodeUnauthenticated, Reason: interlock.ReasonUnauthenticated, Stage: "surface", Public: text, Err: &faulted{fault: fault}}
}

// disagree is the error of a request whose credentials contradict each other.
func disagree(text string) *interlock.Error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "surface", Public: text, Err: &faulted{fault: FaultTwo}}
}

// refused is the error of a token that is not believed; the cause is for the
// operator's log and holds nothing of the token but its header.
func refused(fault Fault, text string, cause error) error {
	e := unauthenticated(fault, text)
	e.Err = &faulted{fault, cause}
	return e
}

// keyless is the error of a token that cannot be judged: nothing is wrong with
// it that is known, so it is not called invalid, and a client keeps it.
func keyless(cause error) error {
	return &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonUnavailable, Stage: "surface",
		Public: "The keys that tokens are checked with cannot be had now, so nobody is let in by one; try again in a moment.", Err: &faulted{FaultKeys, cause}}
}

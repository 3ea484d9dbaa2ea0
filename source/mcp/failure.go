package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-ae386458/interlock"
)

const stageInvoke = "invoke"

// callFailure says what a failed exchange means to the caller of a tool. For a
// tool that may change the world everything that leaves open whether it did
// ends as indeterminate.
func callFailure(f *fault, call interlock.Outbound, caller error) *interlock.Error {
	e := failures(f)
	e.Stage, e.Err = stageInvoke, f
	if f.kind == faultGivenUp {
		e = givenUp(f, caller)
	}
	if e.Outcome == interlock.OutcomeUnknown && call.Effect != interlock.EffectRead {
		switch f.kind {
		case faultGivenUp, faultBroken, faultUncertain:
			e.Code, e.Reason = interlock.CodeIndeterminate, interlock.ReasonIndeterminate
			e.Public = "The call was sent and no answer came; whether it was done is not known. Find out at the source before calling again."
		}
	}
	if e.Outcome == interlock.OutcomeUnknown && call.Effect == interlock.EffectRead && f.kind != faultGivenUp && f.kind != faultBroken {
		e.Outcome = interlock.OutcomeFailed
	}
	return e
}

// failures is the table from a fault to what is told of it.
func failures(f *fault) *interlock.Error {
	row := func(code interlock.Code, reason interlock.Reason, outcome interlock.Outcome, public string) *interlock.Error {
		return &interlock.Error{Code: code, Reason: reason, Outcome: outcome, Public: public}
	}
	switch f.kind {
	case faultUnreachable, faultHandshake:
		return row(interlock.CodeUnavailable, interlock.ReasonSourceUnreachable, interlock.OutcomeNotSent,
			"The source could not be reached; nothing was sent. Try later.")
	case faultCredential:
		return row(interlock.CodeUnavailable, interlock.ReasonCredential, interlock.OutcomeNotSent,
			"A credential of the source could not be read; nothing was sent. Set the variable or file that the configuration names.")
	case faultExpired:
		return row(interlock.CodeUnavailable, interlock.ReasonSourceRefused, interlock.OutcomeFailed,
			"The source had ended the session and did nothing. Repeat the call.")
	case faultRefused:
		about := "address"
		if f.gate {
			about = "credentials"
		}
		return row(interlock.CodeUpstream, interlock.ReasonSourceRefused, interlock.OutcomeFailed,
			fmt.Sprintf("The source refused the request. Check the source's %s.", about))
	case faultUnauthorised:
		return row(interlock.CodeUpstream, interlock.ReasonNeedsAuth, interlock.OutcomeFailed,
			"The source did not accept its credential; the operator renews it.")
	case faultFailed:
		return row(interlock.CodeUpstream, interlock.ReasonSourceFailed, interlock.OutcomeFailed,
			"The source is overloaded or failing and did not take the request. Try later.")
	case faultUncertain:
		return row(interlock.CodeUpstream, interlock.ReasonSourceFailed, interlock.OutcomeUnknown,
			"The source failed while it had the request. Try later.")
	case faultMalformed:
		return row(interlock.CodeUpstream, interlock.ReasonResultMalformed, interlock.OutcomeUnknown,
			"The source's answer is not a well-formed MCP message. Tell the owner of the tool.")
	case faultTooLarge:
		return row(interlock.CodeTooLarge, interlock.ReasonResultTooLarge, interlock.OutcomeUnknown,
			"The answer is over the size limit and was not released. Ask for less, or raise the limit.")
	}
	return row(interlock.CodeUpstream, interlock.ReasonSourceFailed, interlock.OutcomeUnknown,
		"The connection to the source ended before the answer came. Try later.")
}

// givenUp tells a caller that left from time that ran out. Before anything was
// sent the latter only means that the source could not be reached in time.
func givenUp(f *fault, caller error) *interlock.Error {
	e := &interlock.Error{Code: interlock.CodeTimeout, Stage: stageInvoke, Outcome: interlock.OutcomeUnknown, Err: f}
	if !f.sent {
		e.Outcome = interlock.OutcomeNotSent
	}
	switch {
	case errors.Is(caller, context.Canceled):
		e.Reason, e.Public = interlock.ReasonCancelled, "The call was cancelled before the answer came."
	case !f.sent:
		e.Code, e.Reason = interlock.CodeUnavailable, interlock.ReasonSourceUnreachable
		e.Public = "The source could not be reached in the time allowed; nothing was sent. Try later, or raise the timeout."
	default:
		e.Reason, e.Public = interlock.ReasonTimeout, "The source gave no answer in the time allowed. Try later, or raise the timeout."
	}
	return e
}

// catalogueFailure says to the operator why nothing could be read; unlike a
// caller he may see the cause.
func catalogueFailure(f *fault, caller error) *interlock.Error {
	e := failures(f)
	if f.kind == faultGivenUp {
		e = givenUp(f, caller)
	}
	e.Stage, e.Outcome, e.Err = "ingest", "", f
	switch f.kind {
	case faultUnreachable, faultHandshake, faultCredential, faultBroken, faultRefused, faultUnauthorised, faultFailed, faultUncertain:
		e.Public = fmt.Sprintf("The MCP server gave no list of tools: %v.", f)
	}
	return e
}

// invalid refuses a configuration.
func invalid(name, format string, args ...any) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest",
		Public: fmt.Sprintf("source %q: ", name) + fmt.Sprintf(format, args...)}
}

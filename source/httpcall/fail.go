package httpcall

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

const stage = "invoke"

// failure is an error of a call, ready for its caller. The cause never holds
// an address, whose query may carry a credential.
func failure(code interlock.Code, reason interlock.Reason, outcome interlock.Outcome, public string, cause error) *interlock.Error {
	return &interlock.Error{Code: code, Reason: reason, Stage: stage, Public: public, Outcome: outcome, Err: bare(cause)}
}

// bare takes the address off a transport error.
func bare(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func badArgument(arg, what string) *interlock.Error {
	e := failure(interlock.CodeInvalid, interlock.ReasonArgumentsInvalid, interlock.OutcomeNotSent,
		fmt.Sprintf("The argument %q cannot be sent: %s.", arg, what), nil)
	e.Pointer = rawjson.Join("", arg)
	return e
}

func badBinding(err error) *interlock.Error {
	return failure(interlock.CodeUnavailable, interlock.ReasonUnavailable, interlock.OutcomeNotSent,
		"The tool has nothing to call; its source must be registered again.", err)
}

func noCredential(scheme string, err error) *interlock.Error {
	return failure(interlock.CodeUnavailable, interlock.ReasonCredential, interlock.OutcomeNotSent,
		fmt.Sprintf("The source needs a credential (%s) that is missing or cannot be read; the operator sets its reference.", scheme), err)
}

// refusedStatus turns a status that is no success into the call's failure.
func refusedStatus(status int) *interlock.Error {
	name := http.StatusText(status)
	if name == "" {
		name = "a status of no known name"
	}
	cause := fmt.Errorf("status %d", status)
	switch {
	case status < 300:
		return nil
	case status < 400:
		return failure(interlock.CodeUpstream, interlock.ReasonSourceFailed, interlock.OutcomeFailed,
			fmt.Sprintf("The source answered with a redirect (%d %s), which is not followed; the operator registers the new address.", status, name), cause)
	case status == http.StatusUnauthorized:
		return failure(interlock.CodeUpstream, interlock.ReasonNeedsAuth, interlock.OutcomeFailed,
			fmt.Sprintf("The source did not accept its credential (%d %s); the operator renews it.", status, name), cause)
	case status == http.StatusForbidden:
		return failure(interlock.CodeUpstream, interlock.ReasonSourceRefused, interlock.OutcomeFailed,
			fmt.Sprintf("The source did not allow this with its credential (%d %s).", status, name), cause)
	case status < 500:
		return failure(interlock.CodeUpstream, interlock.ReasonSourceRefused, interlock.OutcomeFailed,
			fmt.Sprintf("The source refused the request (%d %s).", status, name), cause)
	}
	return failure(interlock.CodeUpstream, interlock.ReasonSourceFailed, interlock.OutcomeFailed,
		fmt.Sprintf("The source failed (%d %s).", status, name), cause)
}

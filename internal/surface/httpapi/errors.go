package httpapi

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// stageSurface is the stage of errors made at the door.
const stageSurface = "surface"

// protocolError is a failure that only HTTP knows: a method, a content type.
type protocolError struct {
	status int
	err    *interlock.Error
}

// Error is the inner error's text.
func (p *protocolError) Error() string { return p.err.Error() }

// Unwrap gives the inner error.
func (p *protocolError) Unwrap() error { return p.err }

// problemOf writes an error as problem details.
func problemOf(err error) (int, []byte) {
	var p *protocolError
	if errors.As(err, &p) {
		return p.status, wire.ProblemAs(p.status, http.StatusText(p.status), p.err)
	}
	return wire.Problem(err)
}

// errNotFound is the error of a path that nothing answers.
func errNotFound() error {
	return &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: stageSurface,
		Public: "Nothing answers at this path; /openapi.json lists the paths."}
}

// errOperator is the error of a request that is the operator's alone.
func errOperator(text string) error {
	return &interlock.Error{Code: interlock.CodeDenied, Reason: interlock.ReasonOperatorOnly, Stage: stageSurface, Public: text}
}

// errMethod is the error of a method that a path does not have.
func errMethod(method string) error {
	return &protocolError{http.StatusMethodNotAllowed, wire.Invalid("", "This path does not answer %s; the Allow header lists what it does.", method)}
}

// errHeaders is the error of headers over the limit.
func errHeaders() error {
	return &protocolError{http.StatusRequestHeaderFieldsTooLarge, &interlock.Error{Code: interlock.CodeTooLarge, Reason: interlock.ReasonTooLarge, Stage: stageSurface,
		Public: fmt.Sprintf("The headers are over %d bytes; send what is long in the body, and fewer or smaller cookies.", MaxHeaders)}}
}

// errMedia is the error of a body that is not declared as JSON.
func errMedia() error {
	return &protocolError{http.StatusUnsupportedMediaType, wire.Invalid("", "Send the body as Content-Type: application/json.")}
}

// allowed lists the methods of a path for the Allow header.
func allowed(methods map[string]answerer) string {
	names := slices.Collect(maps.Keys(methods))
	if slices.Contains(names, http.MethodGet) {
		names = append(names, http.MethodHead)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

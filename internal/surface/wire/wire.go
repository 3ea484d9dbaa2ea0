// Package wire reads and writes the JSON that Interlock's faces share: needs,
// calls, resolutions, results, problems and error objects. HTTP, MCP and the
// command line all go through it, so equal answers are equal bytes on each.
//
// It promises that arguments and results keep their spelling (numbers,
// strings, order and repetition of members), that an envelope with an unknown
// or repeated member is refused by name and pointer, and that what an error
// says to a caller is its public part alone: a cause is never written.
//
//	need, err := wire.ReadNeed(body)
//	if err != nil {
//		status, problem := wire.Problem(err)
//	}
//
// It does no I/O and holds no state.
package wire

import (
	"fmt"

	"github.com/seed-ae386458/interlock"
)

// The limits of a body, in bytes.
const (
	// MaxCall is the most that the body of a call may have: arguments at their
	// own limit, and room for the envelope.
	MaxCall = interlock.DefaultMaxArgs + MaxEnvelope
	// MaxEnvelope bounds what stands around the arguments, and every body that
	// carries none.
	MaxEnvelope = 64 << 10
)

// stageSurface is the stage of errors made before the pipeline starts.
const stageSurface = "surface"

// Encode writes v as JSON on one line without HTML escaping.
func Encode(v any) ([]byte, error) { return interlock.Marshal(v) }

// Invalid is the error of a malformed request: what is wrong, at the pointer.
func Invalid(pointer, format string, args ...any) *interlock.Error {
	return &interlock.Error{
		Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: stageSurface,
		Pointer: pointer, Public: fmt.Sprintf(format, args...),
	}
}

// TooLarge is the error of a body over its limit.
func TooLarge(limit int64) *interlock.Error {
	return &interlock.Error{
		Code: interlock.CodeTooLarge, Reason: interlock.ReasonTooLarge, Stage: stageSurface,
		Public: fmt.Sprintf("The body is over the limit of %d bytes.", limit),
	}
}

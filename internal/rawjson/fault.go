package rawjson

import (
	"fmt"
	"slices"
)

// Fault is the rule that a text breaks.
type Fault string

// The rules of Check.
const (
	FaultSyntax    Fault = "syntax"    // not JSON, or more than one value
	FaultDuplicate Fault = "duplicate" // a member name given twice in one object
	FaultDepth     Fault = "depth"     // nested deeper than the limit
	FaultSize      Fault = "size"      // longer than the limit
	FaultNumber    Fault = "number"    // a number with more digits or a larger exponent than the limit
	FaultUTF8      Fault = "utf8"      // bytes that are no UTF-8, or half a surrogate pair
)

// Error says which rule a text breaks, and where. It quotes names of members
// but no values.
type Error struct {
	Kind    Fault
	Pointer string // RFC 6901, to the innermost value or member at fault
	Offset  int    // the byte at fault, from the start of the text
	Message string
}

// Error is one line with the rule, the place and what is wrong there.
func (e *Error) Error() string {
	const shown = 200
	pointer := e.Pointer
	if len(pointer) > shown {
		pointer = pointer[:shown] + "…"
	}
	return fmt.Sprintf("json %s at %q, offset %d: %s", e.Kind, pointer, e.Offset, e.Message)
}

// fault is an Error under way outward; each container that it leaves adds the
// token of its own.
type fault struct {
	kind    Fault
	offset  int
	message string
	path    []string // from the inside out
}

func (f *fault) within(token string) *fault {
	f.path = append(f.path, token)
	return f
}

func (f *fault) asError() *Error {
	slices.Reverse(f.path)
	return &Error{Kind: f.kind, Pointer: Join("", f.path...), Offset: f.offset, Message: f.message}
}

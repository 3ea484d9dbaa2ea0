// Package inclusion decides whether every value that one JSON Schema accepts
// is accepted by another.
//
// It promises three answers and no guess. Subset is proved: the values that
// the smaller schema accepts and the larger one refuses were shown to be none,
// and values drawn from the smaller schema agree. NotSubset has a witness that
// the schema library, which knows nothing of the proof, accepts on one side
// and refuses on the other. Undecided names the construct that stopped it.
// Work is bounded, and the same schemas give the same answer.
//
// The question is turned into one of emptiness: is there a value of the one
// that is none of the other? A search over the kinds of value takes the
// schemas apart (references, allOf, the choices, not, conditionals), holds
// what is left as bounds on numbers, languages of strings, members and
// elements, and either builds a value or shows that nothing fits. Choices are
// only split where the value in hand breaks them. A schema that leads back to
// itself is taken to be empty inside its own search: the smallest value never
// needs itself.
//
// It refuses to follow references out of the schema and what is no schema;
// both are a [*Fault] with the place. Drafts 4 to 2020-12 are read; format and
// content keywords are annotations.
//
//	result, err := inclusion.Decide(old, new, inclusion.Options{})
package inclusion

import (
	"encoding/json"
	"fmt"
)

// Verdict is the answer to one question.
type Verdict string

// The verdicts.
const (
	Subset    Verdict = "subset"
	NotSubset Verdict = "not_subset"
	Undecided Verdict = "undecided"
)

// Mode is what is enforced around the schemas.
type Mode int

// The modes.
const (
	// Strict compares the sets of values as the schemas have them.
	Strict Mode = iota
	// ToolInput compares arguments: those that the smaller schema does not
	// declare at its root are refused before it is asked.
	ToolInput
	// ToolOutput compares results: members that the larger schema does not
	// declare never reach the caller, so closing it to them asks for nothing.
	ToolOutput
)

// Options say how schemas are read and how hard to try.
type Options struct {
	// Draft is the dialect of a schema that names none: draft4, draft6, draft7,
	// draft2019-09 or draft2020-12; empty is draft2020-12.
	Draft string
	Mode  Mode
	// Work is the number of steps after which the search ends Undecided; 0 is
	// DefaultWork. Checking an answer may take half as many again.
	Work int
	// Remotes gives the documents that references may lead to, by address. Nil
	// refuses every reference that leaves its schema.
	Remotes func(uri string) ([]byte, bool)
}

// DefaultWork ends a decision within a quarter of a second on a present-day
// core. A step is a look at one thing: a keyword, a member, an element, an
// alternative, four characters. What builds tables or runs automata is charged
// by what it looks at.
const DefaultWork = 1_500_000

// Rule names one way in which the larger schema refuses a value of the
// smaller, by a stable id and its place in the larger schema.
type Rule struct {
	ID      string `json:"rule"`
	Pointer string `json:"pointer"`
}

// Stop is what kept a question from being decided.
type Stop struct {
	Pointer   string `json:"pointer"`
	Construct string `json:"construct"`
}

// Result is the answer to one question. Witness and Rules belong to NotSubset,
// Stopped to Undecided.
type Result struct {
	Verdict        Verdict
	Witness        json.RawMessage // a value of the smaller schema that the larger refuses
	WitnessOmitted bool            // the witness was found and is too long to show
	Rules          []Rule
	Stopped        *Stop
	Steps          int // what it took
}

// Fault is a schema that cannot be read, with the place.
type Fault struct {
	Reason  string // not-json, not-a-schema, unknown-dialect, remote-reference, dangling-reference, reference-loop, too-deep, too-large
	Pointer string
	Message string
	Larger  bool // the larger of the two schemas is at fault
}

// on says which of the two schemas is at fault.
func (f *Fault) on(i int) *Fault {
	f.Larger = i == 1
	return f
}

// Error is one line with the reason, the place and what is wrong there.
func (f *Fault) Error() string { return fmt.Sprintf("%s at %q: %s", f.Reason, f.Pointer, f.Message) }

func faultf(reason, pointer, format string, args ...any) *Fault {
	return &Fault{Reason: reason, Pointer: pointer, Message: fmt.Sprintf(format, args...)}
}

// Package diff compares two contracts and says what the newer one does to the
// callers of the older.
//
// It promises that a verdict on schemas comes from an inclusion proof: what
// callers may send stays accepted (old within new), what they may receive stays
// known (new within old). Rules name and explain the changes; where they see
// nothing and the proof fails, the proof's own witness stands. Equivalent
// spellings (a reference in place of its target, allOf cut differently, another
// order, other prose) are no change. What no schema says (effect, scopes,
// failures, units, formats, defaults) is compared by rules alone.
//
// It refuses to guess: what cannot be decided is Undecided, with the construct
// that stopped it, and an output that no value fits is a break.
//
// It is pure: no input or output, no clock.
//
//	report, err := diff.Compare(diff.Of(old), diff.Of(new), diff.Options{})
package diff

import (
	"encoding/json"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// Verdict is the outcome of a comparison.
type Verdict string

// The verdicts, best first. Undecided counts as None.
const (
	Identical Verdict = "identical"
	Full      Verdict = "full"
	Backward  Verdict = "backward"
	Undecided Verdict = "undecided"
	None      Verdict = "none"
)

// rank orders the verdicts, best first.
func (v Verdict) rank() int {
	switch v {
	case Identical:
		return 0
	case Full:
		return 1
	case Backward:
		return 2
	case Undecided:
		return 3
	}
	return 4
}

// Worse gives the worse of two verdicts.
func Worse(a, b Verdict) Verdict {
	if a.rank() >= b.rank() {
		return a
	}
	return b
}

// Serves reports whether callers of the old contract are served by the new.
func (v Verdict) Serves() bool { return v.rank() <= Backward.rank() }

// Mode says what is enforced around the schemas.
type Mode string

// The modes. Tool is sound only while undeclared arguments are refused and
// results are projected; Strict needs nothing.
const (
	Strict Mode = "strict"
	Tool   Mode = "tool"
)

// Bump is the version step that a change asks for.
type Bump string

// The steps.
const (
	Major Bump = "major"
	Minor Bump = "minor"
	Patch Bump = "patch"
)

// Options of a comparison; the zero value compares in tool mode.
type Options struct {
	Mode Mode // default Tool
	// Draft is the dialect of schemas that name none; empty is draft2020-12.
	Draft string
	// Work bounds each proof, in steps; 0 is the default of the prover.
	Work int
	// Prover decides inclusion; nil is the project's own.
	Prover Prover
}

func (o Options) withDefaults() Options {
	if o.Mode == "" {
		o.Mode = Tool
	}
	if o.Prover == nil {
		o.Prover = inclusionProver{draft: o.Draft, work: o.Work}
	}
	return o
}

// Change is one difference, named by its rule.
type Change struct {
	Rule       string         `json:"rule"`
	Pointer    string         `json:"pointer"`     // in the old contract
	PointerNew string         `json:"pointer_new"` // in the new one
	Section    string         `json:"section,omitempty"`
	Direction  rule.Direction `json:"direction"`
	Strict     rule.Verdict   `json:"strict"` // ok or break, or undecided
	Tool       rule.Verdict   `json:"tool"`
	Breaking   bool           `json:"breaking"` // in the mode of the report
	// Enforcement is what makes a break of strict mode safe in tool mode.
	Enforcement string `json:"enforcement,omitempty"`
	Message     string `json:"message"`
	Harm        string `json:"harm,omitempty"`
	Remedy      string `json:"remedy,omitempty"`
	Renamed     string `json:"renamed,omitempty"`
	// Witness is a value that one side lets through and the other does not: a
	// whole argument or result, with WitnessAt the place in it that is to blame;
	// or, with WitnessPart, the value at that place alone.
	Witness     json.RawMessage `json:"witness,omitempty"`
	WitnessAt   string          `json:"witness_at,omitempty"`
	WitnessPart bool            `json:"witness_part,omitempty"`
	Stopped     string          `json:"stopped,omitempty"` // the construct that kept the proof from an answer
}

// UndecidedChange is the verdict of a change that no proof settled.
const UndecidedChange rule.Verdict = "undecided"

// Report is the outcome of comparing two contracts.
type Report struct {
	Verdict Verdict  `json:"verdict"`
	Mode    Mode     `json:"mode"`
	Strict  Verdict  `json:"strict"` // the verdict in strict mode: what edges that compose need
	Bump    Bump     `json:"bump"`
	Changes []Change `json:"changes"`
}

// Breaking gives the changes that break callers.
func (r Report) Breaking() []Change {
	var out []Change
	for _, c := range r.Changes {
		if c.Breaking {
			out = append(out, c)
		}
	}
	return out
}

// Side is one contract in the form that is compared: what is promised around
// the schemas, and the schemas by name.
type Side struct {
	rule.Contract
	At       string // pointer of the contract in its document
	Sections []Section
}

// Section is one schema of a contract. Sections are compared by name.
type Section struct {
	Name      string
	Direction rule.Direction
	Schema    json.RawMessage
	// Places maps pointers into the schema to pointers into the document that
	// it was read from, by prefix; the longest prefix counts. Nil maps to the
	// pointer itself after At.
	Places map[string]string
	At     string // pointer of the schema in the contract
	// Nested says that the values are no arguments of their own, so undeclared
	// members are not refused by name.
	Nested bool
	// Text says that scalars are written as text, as in a query.
	Text bool
}

// Of prepares an operation for comparison.
func Of(op interlock.Operation) Side {
	s := Side{Contract: rule.Contract{Operation: op}}
	if stated(op.InputSchema) {
		s.Sections = append(s.Sections, Section{Name: "input", Direction: rule.Input, Schema: op.InputSchema, At: "/input_schema"})
	}
	if stated(op.OutputSchema) {
		s.Sections = append(s.Sections, Section{Name: "output", Direction: rule.Output, Schema: op.OutputSchema, At: "/output_schema"})
	}
	return s
}

func stated(schema []byte) bool { return len(schema) > 0 && string(schema) != "null" }

// Schemas prepares one schema alone for comparison.
func Schemas(schema json.RawMessage, direction rule.Direction) Side {
	return Side{Sections: []Section{{Name: string(direction), Direction: direction, Schema: schema}}}
}

// place translates a pointer into the schema.
func (s *Section) place(pointer string) string {
	best := -1
	out := s.At + pointer
	for prefix, at := range s.Places {
		if len(prefix) > best && within(pointer, prefix) {
			best, out = len(prefix), at+pointer[len(prefix):]
		}
	}
	return out
}

// within reports whether a pointer is a prefix's own or leads on from it.
func within(pointer, prefix string) bool {
	return len(pointer) >= len(prefix) && pointer[:len(prefix)] == prefix && (len(pointer) == len(prefix) || pointer[len(prefix)] == '/')
}

// Package rule is the vocabulary of change rules: what a rule is, what it
// finds, and the reading of schemas that rules share.
//
// It promises that a schema reads the same however it is cut into references
// and allOf, that reading always ends, and that numbers are compared at their
// full precision. It refuses to decide: a rule names and explains a change;
// whether old callers survive a change of the schema is for the proof.
//
//	hits := r.Schema(&rule.Pair{Old: old.Root(), New: new.Root(), Direction: rule.Input})
package rule

import (
	"github.com/seed-ae386458/interlock"
)

// Direction says which side of a contract a change is on.
type Direction string

// The directions: what callers send, what they receive, and what is promised
// around both.
const (
	Input    Direction = "input"
	Output   Direction = "output"
	Promises Direction = "contract"
)

// Other is the opposite direction, for schemas under "not".
func (d Direction) Other() Direction {
	switch d {
	case Input:
		return Output
	case Output:
		return Input
	}
	return d
}

// Verdict says what a change does to callers of the old contract.
type Verdict string

// The verdicts of the table. Proof breaks exactly where the inclusion proof
// fails; Break breaks whatever the schemas say, because the meaning moved.
const (
	OK    Verdict = "ok"
	Proof Verdict = "proof"
	Break Verdict = "break"
)

// Modes holds a verdict for strict and one for tool mode.
type Modes struct{ Strict, Tool Verdict }

// Same is one verdict for both modes.
func Same(v Verdict) Modes { return Modes{v, v} }

// The enforcements that make a break of strict mode safe in tool mode.
const (
	UndeclaredRefused = "undeclared_refused" // arguments that the caller's contract does not declare are refused
	Projected         = "projected"          // results are cut to what both contracts declare
	DefaultFilled     = "default_filled"     // a missing argument takes the stated default
)

// Rule is one row of the table. Exactly one of Schema and Contract is set,
// unless the rule is one that only the comparison itself can find.
type Rule struct {
	ID      string
	Subject string // the folder it lives in
	When    string // the change, in one sentence
	In, Out Modes  // verdicts on input and output; a promise has both alike
	// SafeIn and SafeOut name the enforcement that saves callers in tool mode.
	SafeIn, SafeOut string
	// HarmIn and HarmOut say whom a break hits, and how.
	HarmIn, HarmOut string
	Remedy          string
	Schema          func(*Pair) []Hit
	Contract        func(old, new *Contract) []Hit
}

// Verdicts gives the columns of a direction.
func (r *Rule) Verdicts(d Direction) Modes {
	if d == Output {
		return r.Out
	}
	return r.In
}

// Harm gives the sentence of a direction.
func (r *Rule) Harm(d Direction) string {
	if d == Output {
		return r.HarmOut
	}
	return r.HarmIn
}

// Enforcement gives the enforcement of a direction.
func (r *Rule) Enforcement(d Direction) string {
	if d == Output {
		return r.SafeOut
	}
	return r.SafeIn
}

// Hit is one change that a rule found.
type Hit struct {
	Old, New string // pointers into the two sides
	What     string // the change in words: "maximum went from 10 to 5"
	// Direction is set by rules over contracts that know it.
	Direction Direction
	// Focus narrows the place for its proof to one aspect of an object.
	Focus Focus
	// Inert says that no value feels the change as the schemas stand: a bound
	// of numbers beside the type string. The author meant something by it all
	// the same, and no proof can tell what.
	Inert bool
	// Renamed is the name that a removed property seems to have now.
	Renamed string
}

// Pair is one place of two schemas that describe the same value.
type Pair struct {
	Old, New  *Schema
	Direction Direction // of the values here: turned round under "not"
	Depth     int
	Text      bool // values are written as text, so that "5" is also 5
	Inert     bool // no value ever gets here as the schemas stand
	// Way leads from the root of the values to those here; Lost says that no
	// way does, as under "not".
	Way  []Step
	Lost bool
}

// Step is one step into a value: to a member by name, to some member, or to
// some element.
type Step struct {
	Kind Types // Object or Array
	Name string
	Any  bool // some member
}

// Hit reports a change of the keywords named. Where a side does not state any
// of them, its pointer is the schema itself.
func (p *Pair) Hit(what string, keywords ...string) Hit {
	return Hit{Old: p.Old.Place(keywords...), New: p.New.Place(keywords...), What: what}
}

// One is the list of one hit.
func (p *Pair) One(what string, keywords ...string) []Hit { return []Hit{p.Hit(what, keywords...)} }

// Contract is one side of a comparison: an operation and, for one of an
// OpenAPI document, what HTTP adds to it.
type Contract struct {
	interlock.Operation
	Web *Web
}

// Web is what an HTTP operation promises beyond its schemas.
type Web struct {
	Pointer  string     // of the operation in its document
	Bodies   []string   // media types of the request
	Streams  []Stream   // contents that are sequences of items
	Answers  []Answer   // documented successes
	Headers  []Header   // of those answers
	Security [][]Scheme // alternatives; an empty one needs nothing; nil is unsecured
}

// Stream is a content that states a schema for its items.
type Stream struct {
	Direction Direction
	Name      string // status and media type
	Pointer   string
	Typed     bool // items have a schema
}

// Answer is one documented success.
type Answer struct {
	Status  string
	Pointer string
	Media   []string
}

// Header is one header of an answer.
type Header struct {
	Status, Name, Pointer string
	Text                  string // canonical text of what it states
}

// Scheme is one security scheme that a call has to satisfy.
type Scheme struct {
	Name   string
	Stated string // kind and place of the credential
	Scopes []string
}

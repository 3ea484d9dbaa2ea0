package diff

import (
	"encoding/json"
	"errors"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/inclusion"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// Prover decides whether every value of one schema is one of another.
type Prover interface {
	Prove(small, big []byte, enforce Enforce) (Answer, error)
}

// Enforce says what stands between the two schemas.
type Enforce int

// What can be enforced.
const (
	Nothing    Enforce = iota
	Refusal            // arguments that the smaller does not declare are refused
	Projection         // members that the larger does not declare are taken out
)

// Answer is the outcome of one proof.
type Answer struct {
	Verdict inclusion.Verdict
	Witness json.RawMessage
	Pointer string // into the larger schema: what refuses the witness, or what stopped the proof
	Stopped string // the construct that stopped it
	Steps   int    // what it took
}

func (a Answer) holds() bool { return a.Verdict == inclusion.Subset }

// inclusionProver is the project's own decider.
type inclusionProver struct {
	draft string
	work  int
}

// Prove asks the decider. A schema that cannot be read is an error.
func (p inclusionProver) Prove(small, big []byte, enforce Enforce) (Answer, error) {
	opts := inclusion.Options{Draft: p.draft, Work: p.work}
	switch enforce {
	case Refusal:
		opts.Mode = inclusion.ToolInput
	case Projection:
		opts.Mode = inclusion.ToolOutput
	}
	r, err := inclusion.Decide(small, big, opts)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Verdict: r.Verdict, Witness: r.Witness, Steps: r.Steps}
	if len(r.Rules) > 0 {
		a.Pointer = r.Rules[0].Pointer
	}
	if r.Stopped != nil {
		a.Pointer, a.Stopped = r.Stopped.Pointer, r.Stopped.Construct
	}
	return a, nil
}

// invalid turns a fault of a schema into the error that callers see.
func invalid(section string, err error) error {
	e := &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "diff",
		Public: "The schema of " + section + " cannot be compared: " + err.Error() + ".", Err: err}
	var text *rawjson.Error
	if errors.As(err, &text) {
		reason := "not-json"
		if text.Kind == rawjson.FaultDepth {
			reason = "too-deep"
		}
		e.Pointer = text.Pointer
		e.Public = "The schema of " + section + " cannot be compared (" + reason + "): " + text.Message + "."
	}
	var fault *inclusion.Fault
	if errors.As(err, &fault) {
		e.Pointer = fault.Pointer
		e.Public = "The schema of " + section + " cannot be compared (" + fault.Reason + "): " + fault.Message + "."
	}
	return e
}

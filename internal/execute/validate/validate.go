// Package validate holds an answer against the output schema that its tool
// states. It promises that nothing unvalidated goes on unmarked: strict
// refuses, warn lets through and says so, and a tool that states no schema is
// marked as such. Where policy lives with a tool's drift, what it breaks there
// alone goes through as under warn. It is pure.
//
//	checked, err := validate.Result(sent)
package validate

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/execute/invoke"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/vet"
)

// How an answer was held against the schema.
const (
	Strict   = "strict"
	Warn     = "warn"
	Off      = "off"
	Unstated = "unstated"
)

// Checked is an answer that may be projected. The zero value is inert.
type Checked struct {
	sent     invoke.Sent
	result   json.RawMessage // without the members that are masked for the caller
	how      string
	warnings []string
	withheld int // items of lists that are not the caller's to see
	removed  []interlock.Removed
}

// Valid reports whether Result made it.
func (c Checked) Valid() bool { return c.how != "" }

// Sent gives the call and its answer.
func (c Checked) Sent() invoke.Sent { return c.sent }

// Result gives the answer without the members that are masked for the caller:
// they are out before it is held against the schema that he sees.
func (c Checked) Result() json.RawMessage { return c.result }

// How says how the answer was checked.
func (c Checked) How() string { return c.how }

// Withheld counts the items of lists that the caller may not see. They are out
// before the rest is held against the schema, so that nothing of them decides
// what he gets. It is for the record alone.
func (c Checked) Withheld() int { return c.withheld }

// Removed says which hidden characters were taken out of the answer. They are out
// before it is held against the schema: what is released is what was checked.
func (c Checked) Removed() []interlock.Removed { return c.removed }

// Warnings says what warn let through.
func (c Checked) Warnings() []string { return c.warnings }

// limits of an answer's form. Its bytes are bounded where it is read.
var limits = rawjson.Limits{Bytes: interlock.DefaultMaxResult, Depth: interlock.MaxJSONDepth, NumberDigits: 4096, Exponent: 100_000}

// Result checks the answer of a call.
func Result(s invoke.Sent) (Checked, error) {
	if !s.Valid() {
		return Checked{}, errors.New("validate: nothing was sent")
	}
	tool, result := s.Shown(), s.Reply().Result
	if tool == nil {
		return Checked{}, Withheld(s.Clearance().Tool().ID)
	}
	if err := rawjson.Check(result, limits); err != nil {
		return Checked{}, malformed(err)
	}
	result, withheld := tool.Rows(s.Clearance().Who(), result)
	result = tool.Contract.Unmasked(result)
	c := Checked{sent: s, how: Strict, withheld: withheld}
	if s.Cleans() {
		result, c.removed = vet.Clean(result)
	}
	c.result = result
	if !tool.Contract.StatesOutput() {
		c.how = Unstated
		return c, nil
	}
	if tool.Op.Results == Off {
		c.how = Off
		return c, nil
	}
	err := tool.Contract.ValidateResult(result)
	if err == nil {
		return c, nil
	}
	lived := tool.Drift != nil && !tool.Drift.Rejected && tool.Contract.Excused(result, tool.Drift.Places)
	if tool.Op.Results == Warn || lived {
		c.how, c.warnings = Warn, []string{warning(err)}
		return c, nil
	}
	e := *interlock.AsError(err)
	e.Stage, e.Outcome = "validate", interlock.OutcomeFailed
	return Checked{}, &e
}

// warning says what is wrong with an answer that is let through all the same.
func warning(err error) string {
	said, _, _ := strings.Cut(interlock.AsError(err).Public, " It was not released")
	return said
}

// Withheld is what the caller of a call that was sent is told where he may not
// see its tool any more. It is the same whatever took the tool and whatever came
// of the call: neither is his to know.
func Withheld(tool string) *interlock.Error {
	return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonWithheld, Stage: "validate", Outcome: interlock.OutcomeUnknown,
		Public: tool + " was sent the call, and while it ran the tool was taken from you; nothing of what came of it is released. What it did stands, so do not repeat a call that changes something."}
}

func malformed(err error) error {
	return &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonResultMalformed, Stage: "validate", Outcome: interlock.OutcomeFailed,
		Public: "The tool's answer is not one well-formed JSON value within the limits; nothing of it is released.", Err: err}
}

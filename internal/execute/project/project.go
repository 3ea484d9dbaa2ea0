// Package project leaves of a checked answer what the contract declares. What
// is kept keeps its spelling and its order. It is pure.
//
//	shown, err := project.Fields(checked)
package project

import (
	"encoding/json"
	"errors"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
	"github.com/seed-ae386458/interlock/internal/execute/validate"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// Projected is an answer that may be released, once its receipt is written. The
// zero value is inert.
type Projected struct {
	checked validate.Checked
	result  json.RawMessage
	content json.RawMessage
	dropped []string
}

// Valid reports whether Fields made it.
func (p Projected) Valid() bool { return p.checked.Valid() }

// Checked gives the answer before projection.
func (p Projected) Checked() validate.Checked { return p.checked }

// Result gives what is left.
func (p Projected) Result() json.RawMessage { return p.result }

// Content gives the tool's own content blocks where they may be shown: they
// repeat the whole answer, so only a tool that states no output schema, from
// which nothing is left out, shows them.
func (p Projected) Content() json.RawMessage { return p.content }

// Dropped points to what was left out, the first of it.
func (p Projected) Dropped() []string { return p.dropped }

// Fields projects an answer to the declared members.
func Fields(c validate.Checked) (Projected, error) {
	if !c.Valid() {
		return Projected{}, errors.New("project: nothing was checked")
	}
	tool := c.Sent().Shown()
	p := Projected{checked: c, result: c.Result()}
	if !tool.Contract.StatesOutput() && !tool.Withholds() {
		p.content = c.Sent().Reply().Content
		return p, nil
	}
	out, dropped := rawjson.Project(nil, c.Result(), tool.Contract.Shape())
	p.result, p.dropped = out, dropped.Pointers
	return p, nil
}

// Failure gives what of a failed call may be told, c being what it was cleared
// by. Of one that was sent, and whose tool its caller may not see any more,
// nothing is. Where any output is masked, a source's own words could repeat it,
// and so could the kind of its failure: they stay here, for the log.
func Failure(c recheck.Clearance, err error) error {
	e, t := interlock.AsError(err), c.Shown()
	switch {
	case t == nil && e.Outcome != interlock.OutcomeNotSent:
		withheld := validate.Withheld(c.Tool().ID)
		withheld.Err = err
		return withheld
	case t != nil && !t.Withholds() || e.Code != interlock.CodeUpstream || e.Stage == "validate":
		return err
	}
	return &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonSourceFailed, Stage: e.Stage, Outcome: e.Outcome,
		Public: "The source answered with a failure. What it said is withheld.", Err: err}
}

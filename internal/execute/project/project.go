// Package project leaves of a checked answer what the contract declares. What
// is kept keeps its spelling and its order. It is pure.
//
//	shown, err := project.Fields(checked)
package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/execute/invoke"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
	"github.com/seed-ae386458/interlock/internal/execute/validate"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/vet"
)

// Projected is an answer that may be released, once its receipt is written. The
// zero value is inert.
type Projected struct {
	checked validate.Checked
	result  json.RawMessage
	content json.RawMessage
	dropped []string
	removed []interlock.Removed
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

// Removed says which hidden characters were taken out of what is left. The
// pointers spell out what nobody would see in them.
func (p Projected) Removed() []interlock.Removed {
	out := slices.Clone(p.removed)
	for i := range out {
		out[i].Pointer = vet.Spelled(out[i].Pointer)
	}
	return out
}

// Fields projects an answer to the declared members.
func Fields(c validate.Checked) (Projected, error) {
	if !c.Valid() {
		return Projected{}, errors.New("project: nothing was checked")
	}
	tool := c.Sent().Shown()
	p := Projected{checked: c, result: c.Result(), removed: c.Removed()}
	if !tool.Contract.StatesOutput() && !tool.Withholds() {
		p.blocks(c.Sent())
		return p, nil
	}
	out, dropped := rawjson.Project(nil, c.Result(), tool.Contract.Shape())
	p.result, p.dropped = out, dropped.Pointers
	p.removed = slices.DeleteFunc(slices.Clone(p.removed), func(r interlock.Removed) bool {
		_, left := rawjson.At(out, r.Pointer)
		return !left
	})
	return p, nil
}

// blocks takes the tool's own content blocks over.
func (p *Projected) blocks(s invoke.Sent) {
	p.content = s.Reply().Content
	if !s.Cleans() {
		return
	}
	var removed []interlock.Removed
	p.content, removed = vet.Clean(p.content)
	for _, r := range removed {
		r.In = "content"
		p.removed = append(slices.Clip(p.removed), r)
	}
}

// Failure gives what of a failed call may be told, c being what it was cleared
// by. Of one that was sent, and whose tool its caller may not see any more,
// nothing is. Where any output is masked, a source's own words could repeat it,
// and so could the kind of its failure: they stay here, for the log. Where clean
// is set, hidden characters are taken out of them.
func Failure(c recheck.Clearance, clean bool, err error) error {
	e, t := interlock.AsError(err), c.Shown()
	switch {
	case t == nil && e.Outcome != interlock.OutcomeNotSent:
		withheld := validate.Withheld(c.Tool().ID)
		withheld.Err = err
		return withheld
	case t != nil && !t.Withholds() || e.Code != interlock.CodeUpstream || e.Stage == "validate":
		if clean {
			return cleaned(e)
		}
		return err
	}
	return &interlock.Error{Code: interlock.CodeUpstream, Reason: interlock.ReasonSourceFailed, Stage: e.Stage, Outcome: e.Outcome,
		Public: "The source answered with a failure. What it said is withheld.", Err: err}
}

// cleaned gives a failure whose tool's own words hide nothing.
func cleaned(e *interlock.Error) error {
	words, removed := vet.Clean(e.Detail)
	if len(removed) == 0 {
		return e
	}
	c := *e
	c.Detail, c.Err = words, e
	c.Public += fmt.Sprintf(" Characters that nobody sees were taken out of what it said, at %s: %s.", vet.Spelled(removed[0].Pointer), removed[0].Characters)
	return &c
}

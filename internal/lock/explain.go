package lock

import (
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/version"
)

// Newer is a version above the locked one.
type Newer struct {
	Version    string             `json:"version"`
	Compatible bool               `json:"compatible"` // proved to serve the agent, range included
	Stopped    *interlock.Stopped `json:"stopped,omitempty"`
	Why        string             `json:"why,omitempty"` // what stops it, or keeps it from being called
}

// Outlook is what there is beyond one locked version.
type Outlook struct {
	Family  string  `json:"family"`
	Range   string  `json:"range"`
	Version string  `json:"version"`          // as locked
	Wanted  string  `json:"wanted,omitempty"` // what an update would take; empty where it would take nothing newer
	Latest  string  `json:"latest,omitempty"` // the highest version in view that is not retired
	Newer   []Newer `json:"newer"`            // ascending
}

// Wide is the constraint under which Outlook wants the family beside its own:
// every version from the locked one on, so that a version outside the range
// also says whether the range is all that stops it.
func (c Capability) Wide() interlock.Constraint {
	return interlock.Constraint{Family: c.Family, Range: ">=" + c.Version, BuiltAgainst: c.BuiltAgainst}
}

// Outlook lists the versions above the locked one, from the family judged under
// c.Constraint() and under c.Wide().
func (c Capability) Outlook(info, wide interlock.FamilyInfo) Outlook {
	out := Outlook{Family: c.Family, Range: c.Range, Version: c.Version, Newer: []Newer{}}
	locked := parse(c.Version)
	if choice, ok := Choose(info, c.Tool); ok && version.Compare(parse(choice.Version), locked) > 0 {
		out.Wanted = choice.Version
	}
	for _, v := range info.Versions {
		if blockOf(interlock.FamilyVersion{Version: v.Version, Tools: v.Tools}).reason != Retired {
			out.Latest = v.Version
		}
		if version.Compare(parse(v.Version), locked) > 0 {
			out.Newer = append(out.Newer, newer(v, row(wide, v.Version)))
		}
	}
	return out
}

func newer(v interlock.FamilyVersion, wide *interlock.FamilyVersion) Newer {
	n := Newer{Version: v.Version, Compatible: v.Stopped == nil, Stopped: v.Stopped}
	if !serving(v) {
		n.Why = blockOf(v).detail
	}
	if v.Stopped == nil || v.Stopped.By != "range" || wide == nil {
		return n
	}
	switch {
	case wide.Stopped == nil:
		n.Why += ", which is all that stops it: widen the range to take it"
	case wide.Stopped.By == "edge" || wide.Stopped.By == "state":
		n.Why += ", and " + StopText(*wide.Stopped)
	}
	return n
}

// serving reports whether some tool of a version can be called now.
func serving(v interlock.FamilyVersion) bool {
	for _, t := range v.Tools {
		if v.Stopped == nil && usable(t) {
			return true
		}
	}
	return false
}

// Verdict says what became of a version in a choice.
type Verdict string

// The verdicts.
const (
	Chosen     Verdict = "chosen"
	PassedOver Verdict = "passed-over" // it could serve, and another one stands before it
	Blocked    Verdict = "blocked"     // compatible, and cannot be called now
	Stopped    Verdict = "stopped"     // not compatible
)

// Explained is one version and why it was or was not chosen.
type Explained struct {
	interlock.FamilyVersion
	Verdict Verdict `json:"verdict"`
	Because string  `json:"because"`
}

// Explain tells of every version of a family why it is the one that serves, or
// is not. Prefer is the tool that a lock file names.
func Explain(info interlock.FamilyInfo, prefer string) (Choice, []Explained) {
	choice, _ := Choose(info, prefer)
	out := make([]Explained, 0, len(info.Versions))
	for _, v := range info.Versions {
		e := Explained{FamilyVersion: v}
		switch {
		case v.Stopped != nil:
			e.Verdict, e.Because = Stopped, stoppedBecause(v)
		case v.Version == choice.Version:
			e.Verdict, e.Because = Chosen, "the highest active version of the highest major that may serve"
			if choice.Tool.State == interlock.StateDeprecated {
				e.Because = "deprecated, and no active version of its major may serve"
			}
		case !serving(v):
			e.Verdict, e.Because = Blocked, blockOf(v).detail
		default:
			e.Verdict, e.Because = PassedOver, passedOver(v, choice)
		}
		out = append(out, e)
	}
	return choice, out
}

// stoppedBecause names the tools of a state, which a stop alone does not.
func stoppedBecause(v interlock.FamilyVersion) string {
	if v.Stopped.By == "state" {
		return blockOf(v).detail
	}
	return StopText(*v.Stopped)
}

func passedOver(v interlock.FamilyVersion, choice Choice) string {
	switch order := version.Compare(parse(v.Version), parse(choice.Version)); {
	case parse(v.Version).Major() != parse(choice.Version).Major():
		return fmt.Sprintf("%s is of a higher major", choice.Version)
	case order > 0:
		return fmt.Sprintf("it is deprecated and %s is not", choice.Version)
	}
	return choice.Version + " is higher"
}

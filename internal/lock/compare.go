package lock

import (
	"fmt"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// Facts are the families as one principal sees them, each judged under its
// capability's constraint; a family that is absent is none of his view.
type Facts map[string]interlock.FamilyInfo

// Status is how one capability stands.
type Status struct {
	Family  string  `json:"family"`
	Range   string  `json:"range"`
	Version string  `json:"version"` // as locked
	Tool    string  `json:"tool"`    // as locked
	Reason  Reason  `json:"reason"`
	Exit    int     `json:"exit"`
	Serves  *Served `json:"serves"` // what serves now; null where nothing does
	Detail  string  `json:"detail,omitempty"`
	Remedy  string  `json:"remedy,omitempty"`
}

// Served is a version and its tool.
type Served struct {
	Version string `json:"version"`
	Tool    string `json:"tool"`
}

// Compare holds every capability of a file against the facts, in the order of
// the file.
func Compare(f File, facts Facts) []Status {
	out := make([]Status, 0, len(f.Capabilities))
	for _, c := range f.Capabilities {
		info, seen := facts[c.Family]
		out = append(out, c.compare(info, seen))
	}
	return out
}

// Exit is the exit code of a preflight: the worst of its capabilities.
func Exit(statuses []Status) int {
	worst := ExitReady
	for _, s := range statuses {
		worst = max(worst, s.Exit)
	}
	return worst
}

func (c Capability) compare(info interlock.FamilyInfo, seen bool) Status {
	if !seen {
		return c.is(UnknownFamily, nil, "no family of that name is in view")
	}
	var serves *Served
	choice, ok := Choose(info, c.Tool)
	if ok {
		serves = &Served{choice.Version, choice.Tool.Tool}
	}
	moved := c.moved(info)
	if b := c.blocked(info); !ok && (moved == "" || b.reason.Exit() >= ContractChanged.Exit()) {
		return c.is(b.reason, nil, b.detail)
	}
	switch {
	case moved != "":
		return c.is(ContractChanged, serves, moved)
	case choice.Version == c.Version:
		return c.held(choice, serves)
	}
	if own, ok := Choose(only(info, c.Version), c.Tool); ok {
		if s := c.held(own, serves); s.Reason != OK { // a newer version hides no change of the locked one
			return s
		}
	}
	return c.is(Outdated, serves, c.replaced(info, choice))
}

func (c Capability) is(r Reason, serves *Served, detail string) Status {
	remedy := r.row().remedy
	if strings.Contains(remedy, "%s") {
		remedy = fmt.Sprintf(remedy, c.Family)
	}
	return Status{Family: c.Family, Range: c.Range, Version: c.Version, Tool: c.Tool, Reason: r, Exit: r.Exit(), Serves: serves, Detail: detail, Remedy: remedy}
}

// moved tells of a version whose contract is another than was locked: the one
// that the agent was built against, or the one it uses.
func (c Capability) moved(info interlock.FamilyInfo) string {
	for _, at := range []struct{ version, hash string }{{c.BuiltAgainst, c.base()}, {c.Version, c.Contract}} {
		if v := row(info, at.version); v != nil && v.Contract != at.hash {
			return fmt.Sprintf("the contract of %s was %s and is %s", at.version, short(at.hash), short(v.Contract))
		}
	}
	return ""
}

// held compares the locked version with the tool that serves it.
func (c Capability) held(choice Choice, serves *Served) Status {
	t, other := choice.Tool, ""
	if t.Tool != c.Tool {
		other = t.Tool + " serves it in the place of " + c.Tool
	}
	switch {
	case t.Contract != c.Contract:
		return c.is(ContractChanged, serves, fmt.Sprintf("the contract of %s was %s and is %s", c.Version, short(c.Contract), short(t.Contract)))
	case !t.Effect.Within(c.Effect):
		return c.is(ContractChanged, serves, fmt.Sprintf("the effect was %s and is %s", c.Effect, t.Effect))
	case t.Pin != c.Pin && other != "":
		return c.is(WordingChanged, serves, other)
	case t.Pin != c.Pin:
		return c.is(WordingChanged, serves, fmt.Sprintf("the wording was %s and is %s", short(c.Pin), short(t.Pin)))
	case t.State == interlock.StateDeprecated:
		return c.is(OK, serves, strings.Join(nonEmpty(other, "deprecated"), "; "))
	}
	return c.is(OK, serves, other)
}

// replaced says why another version serves than the locked one.
func (c Capability) replaced(info interlock.FamilyInfo, choice Choice) string {
	text := choice.Version + " serves now"
	v := row(info, c.Version)
	if v == nil {
		return text + "; " + c.Version + " is not in view"
	}
	for _, t := range v.Tools {
		if v.Stopped == nil && usable(t) {
			return text + "; " + c.Version + " still would"
		}
	}
	return text + "; " + c.Version + ": " + blockOf(*v).detail
}

func nonEmpty(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}

// short is enough of a hash to tell it from another.
func short(hash string) string {
	if len(hash) > 12 {
		return hash[:12]
	}
	return hash
}

package lock

import (
	"fmt"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// Change is one thing that locking changed.
type Change struct {
	Family string `json:"family"`
	What   string `json:"what"` // added, dropped, or what moved: range, built_against, built_contract, version, tool, effect, contract, wording
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
}

// Wish is what is asked of one family.
type Wish struct {
	// Range empty keeps the locked one. BuiltAgainst empty keeps the locked one
	// of a locked range, and for a new range is the version that is chosen.
	interlock.Constraint
	Update bool // take the newest version that serves, not the locked one
}

// Under is the constraint that the family has to be judged under for a wish.
func (w Wish) Under(have *Capability) interlock.Constraint {
	c := w.Constraint
	if have == nil {
		return c
	}
	if c.Range == "" {
		c.Range = have.Range
	}
	if c.BuiltAgainst == "" && c.Range == have.Range {
		c.BuiltAgainst = have.BuiltAgainst
	}
	return c
}

// Take locks one family from what is seen of it now, judged under
// w.Under(have). A version that is locked and may still serve stays, unless an
// update is asked; hashes and wording are always those of now.
func Take(w Wish, have *Capability, info interlock.FamilyInfo) (Capability, error) {
	prefer := ""
	if have != nil {
		prefer = have.Tool
	}
	choice, ok := resolvable(info, prefer)
	if have != nil && !w.Update {
		if kept, still := resolvable(only(info, have.Version), prefer); still {
			choice, ok = kept, true
		}
	}
	if !ok {
		return Capability{}, refuse(info)
	}
	t := choice.Tool
	c := Capability{Family: info.Family, Range: info.Range, BuiltAgainst: info.BuiltAgainst, Version: choice.Version,
		Tool: t.Tool, Effect: t.Effect, Contract: t.Contract, Pin: t.Pin}
	if c.BuiltAgainst == "" {
		c.BuiltAgainst = c.Version
	}
	if v := row(info, c.BuiltAgainst); v != nil && c.BuiltAgainst != c.Version {
		c.BuiltContract = v.Contract
	}
	return c, nil
}

// only leaves one version of a family.
func only(info interlock.FamilyInfo, version string) interlock.FamilyInfo {
	v := row(info, version)
	info.Versions = nil
	if v != nil {
		info.Versions = []interlock.FamilyVersion{*v}
	}
	return info
}

// refuse says that nothing can be locked, and what stops each version.
func refuse(info interlock.FamilyInfo) error {
	none := &interlock.NoCompatibleContract{Family: info.Family, Constraint: info.Range, Rule: interlock.ReasonNoCompatibleContract, Versions: []string{}, StoppedBy: []interlock.Stopped{}}
	var why []string
	denied := false
	for _, v := range info.Versions {
		none.Versions = append(none.Versions, v.Version)
		if v.Stopped != nil {
			none.StoppedBy = append(none.StoppedBy, *v.Stopped)
			if v.Stopped.By == string(interlock.ReasonBaseUnknown) {
				none.Rule = interlock.ReasonBaseUnknown
			}
		} else {
			denied = true // whatever is compatible and resolvable is taken, unless policy says no
		}
		if text := blockOf(v).detail; len(why) == 0 || why[len(why)-1] != text {
			why = append(why, text)
		}
	}
	e := &interlock.Error{Code: interlock.CodeConflict, Reason: none.Rule, Stage: "lock", Refusal: none,
		Public: fmt.Sprintf("%s cannot be locked under %s: %s.", info.Family, info.Range, strings.Join(why, "; "))}
	if denied {
		e.Code, e.Reason, e.Refusal = interlock.CodeDenied, interlock.ReasonDenied, nil
	}
	return e
}

// Changes lists what differs between two files, by family.
func Changes(before, after File) []Change {
	out := []Change{}
	for _, c := range after.Capabilities {
		old, ok := before.Get(c.Family)
		if !ok {
			out = append(out, Change{c.Family, "added", "", c.Version})
			continue
		}
		out = append(out, old.changes(c)...)
	}
	for _, c := range before.Capabilities {
		if _, ok := after.Get(c.Family); !ok {
			out = append(out, Change{c.Family, "dropped", c.Version, ""})
		}
	}
	return out
}

func (c Capability) changes(to Capability) []Change {
	var out []Change
	if c.BuiltAgainst == to.BuiltAgainst && c.base() != to.base() && to.BuiltAgainst != to.Version {
		out = append(out, Change{c.Family, "built_contract", c.base(), to.base()})
	}
	for _, m := range []struct{ what, from, to string }{
		{"range", c.Range, to.Range}, {"built_against", c.BuiltAgainst, to.BuiltAgainst}, {"version", c.Version, to.Version}, {"tool", c.Tool, to.Tool},
		{"effect", string(c.Effect), string(to.Effect)}, {"contract", c.Contract, to.Contract}, {"wording", c.Pin, to.Pin},
	} {
		if m.from != m.to {
			out = append(out, Change{c.Family, m.what, m.from, m.to})
		}
	}
	return out
}

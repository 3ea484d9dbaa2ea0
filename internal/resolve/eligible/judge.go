package eligible

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/version"
)

// Judge tells of every version of one family in the view whether it may serve
// the caller under the constraint, by the very rules of Part, and what stops it
// if not. An empty range constrains nothing: then states alone stop a version.
func Judge(f snapshot.Frozen, c interlock.Constraint) (interlock.FamilyInfo, error) {
	if f.View() == nil {
		return interlock.FamilyInfo{}, errors.New("eligible: no snapshot")
	}
	r, err := ruleOf(c)
	if err != nil {
		return interlock.FamilyInfo{}, err
	}
	fam := f.View().Family(c.Family)
	if fam == nil {
		return interlock.FamilyInfo{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: interlock.StageFamily,
			Public: fmt.Sprintf("No family is named %q; `interlock tools` lists them.", c.Family)}
	}
	return judge(f, fam, r), nil
}

// ruleOf reads one constraint; nil is none. Its pointers start at the
// constraint itself.
func ruleOf(c interlock.Constraint) (*rule, error) {
	if c.Range == "" {
		if c.BuiltAgainst != "" {
			return nil, invalid("/built_against", "built_against says something beside a range alone; name the range as well.", nil)
		}
		return nil, nil
	}
	rules, err := parse([]interlock.Constraint{c})
	var bad *interlock.Error
	if errors.As(err, &bad) {
		moved := *bad
		moved.Pointer = strings.TrimPrefix(bad.Pointer, "/constraints/0")
		return nil, &moved
	}
	return rules[c.Family], err
}

func judge(f snapshot.Frozen, fam *snapshot.Family, r *rule) interlock.FamilyInfo {
	info := interlock.FamilyInfo{Family: fam.Name, Versions: []interlock.FamilyVersion{}, Edges: append([]interlock.Edge{}, fam.Edges...)}
	stop, from := byState, version.Version{}
	if r != nil {
		base, known := baseOf(fam, r)
		info.Range, info.BuiltAgainst, info.Base = r.Range, r.Constraint.BuiltAgainst, base.String()
		if stop = byRule(f, r, fam.Graph(), base, known); known {
			from = base
		}
	}
	info.Proved = fam.Proved(from)
	for _, row := range fam.Versions {
		v := interlock.FamilyVersion{Version: row.Version.String(), Contract: row.Contract, Stopped: stop(row), Tools: []interlock.FamilyTool{}}
		for _, t := range row.Tools {
			v.Tools = append(v.Tools, interlock.FamilyTool{Tool: t.ID, Effect: t.Effect, State: t.State, Why: t.Why, Contract: t.ToolRecord.Contract, Pin: t.Pin,
				Bound: len(t.Operation.Binding) > 0, Allowed: f.View().MayInvoke(t)})
		}
		info.Versions = append(info.Versions, v)
	}
	return info
}

// byRule judges versions as Part does.
func byRule(f snapshot.Frozen, r *rule, graph *contract.Graph, base version.Version, known bool) func(snapshot.Versioned) *interlock.Stopped {
	s := Set{frozen: f, class: map[*snapshot.Tool]Class{}}
	return func(row snapshot.Versioned) *interlock.Stopped {
		switch {
		case known:
			return s.version(row, r, graph, base)
		case r.built != nil:
			return &interlock.Stopped{Version: row.Version.String(), By: string(interlock.ReasonBaseUnknown)}
		}
		return &interlock.Stopped{Version: row.Version.String(), By: "range"}
	}
}

// byState judges the versions of a family that nothing constrains.
func byState(row snapshot.Versioned) *interlock.Stopped {
	state := interlock.StateRetired
	for _, t := range row.Tools {
		if t.State.Resolvable() {
			return nil
		}
		state = t.State
	}
	return &interlock.Stopped{Version: row.Version.String(), By: "state", State: state}
}

// Package eligible parts what a principal may see into three: compatible with
// the caller's constraints, compatible but denied the use, and incompatible.
// Nothing is thrown away, and no score has been looked at.
//
// It promises that the compatible part is decided by ranges, states and the
// contract graph alone. It refuses a constraint that does not parse, naming
// the place.
//
//	set, err := eligible.Part(frozen, need)
package eligible

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/version"
)

// Class is the part of the view that a tool is in.
type Class int

// The parts.
const (
	Incompatible Class = iota
	Denied
	Compatible
)

// Set is the view, parted. The zero value is inert: later stages refuse it.
type Set struct {
	frozen    snapshot.Frozen
	parted    bool
	class     map[*snapshot.Tool]Class // of the families that a constraint holds
	closed    bool                     // all other families are out
	requested []Requested
	wildcard  bool
	asked     bool // any constraint was given
}

// Requested is one family that a constraint names.
type Requested struct {
	Family     string
	Constraint string
	Empty      *interlock.NoCompatibleContract // set where nothing is compatible
}

// Frozen gives the snapshot and principal that the set was made from.
func (s Set) Frozen() snapshot.Frozen { return s.frozen }

// Valid reports whether Part made the set.
func (s Set) Valid() bool { return s.parted }

// ClassOf gives the part that a visible tool is in. In a family that nothing
// constrains every resolvable tool is compatible.
func (s Set) ClassOf(t *snapshot.Tool) Class {
	if c, held := s.class[t]; held {
		return c
	}
	if !s.parted || s.closed || !t.State.Resolvable() {
		return Incompatible
	}
	return s.use(t)
}

// ClassIn is ClassOf for a tool whose mark is at hand.
func (s Set) ClassIn(t *snapshot.Tool, m snapshot.Mark) Class {
	if len(s.class) > 0 {
		return s.ClassOf(t)
	}
	switch {
	case !s.parted || s.closed || !m.Resolvable:
		return Incompatible
	case m.Denied:
		return Denied
	}
	return Compatible
}

// Unbounded reports that the need is about every family.
func (s Set) Unbounded() bool { return len(s.requested) == 0 || s.wildcard }

// Requested gives the families that the constraints name, in their order.
func (s Set) Requested() []Requested { return s.requested }

// InScope reports whether the need is about a family at all: every one where
// no constraint names a family or `*` stands, else the named ones.
func (s Set) InScope(family string) bool {
	if s.Unbounded() {
		return true
	}
	return slices.ContainsFunc(s.requested, func(r Requested) bool { return r.Family == family })
}

// Count gives the number of tools in a part.
func (s Set) Count(c Class) int {
	n := 0
	if !s.parted {
		return 0
	}
	for _, t := range s.frozen.View().Tools {
		if s.ClassOf(t) == c {
			n++
		}
	}
	return n
}

// Part parts the view under the need's constraints.
func Part(f snapshot.Frozen, need interlock.Need) (Set, error) {
	if f.View() == nil {
		return Set{}, errors.New("eligible: no snapshot")
	}
	rules, err := parse(need.Constraints)
	if err != nil {
		return Set{}, err
	}
	s := Set{frozen: f, parted: true, class: map[*snapshot.Tool]Class{}, asked: len(rules) > 0}
	any := rules["*"]
	s.wildcard = any != nil
	for _, c := range need.Constraints {
		if c.Family != "*" {
			s.request(rules[c.Family])
		}
	}
	if any == nil {
		s.closed = len(s.requested) > 0
		return s, nil
	}
	for fam := range f.View().Families() {
		if rules[fam.Name] == nil {
			_ = s.constrained(fam, any) // of many families one without a version is no refusal
		}
	}
	return s, nil
}

// rule is a parsed constraint.
type rule struct {
	interlock.Constraint
	rng   version.Range
	built *version.Version
}

func parse(constraints []interlock.Constraint) (map[string]*rule, error) {
	rules := map[string]*rule{}
	for i, c := range constraints {
		at := fmt.Sprintf("/constraints/%d", i)
		if c.Family == "" {
			return nil, invalid(at+"/family", "A constraint names a family, or * for every one not named.", nil)
		}
		if rules[c.Family] != nil {
			return nil, invalid(at+"/family", fmt.Sprintf("The family %q is constrained twice; join the ranges in one.", c.Family), nil)
		}
		rng, err := version.ParseRange(c.Range)
		if err != nil {
			return nil, invalid(at+"/range", fmt.Sprintf("The range of %q does not parse: %v.", c.Family, err), err)
		}
		r := &rule{Constraint: c, rng: rng}
		if c.BuiltAgainst != "" {
			v, err := version.Parse(c.BuiltAgainst)
			if err != nil {
				return nil, invalid(at+"/built_against", fmt.Sprintf("built_against of %q is not a strict version: %v.", c.Family, err), err)
			}
			r.built = &v
		}
		rules[c.Family] = r
	}
	return rules, nil
}

func invalid(pointer, public string, cause error) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRangeInvalid, Stage: "eligible", Public: public, Pointer: pointer, Err: cause}
}

// use is the part of a compatible tool: denied where policy keeps the principal
// from calling it.
func (s Set) use(t *snapshot.Tool) Class {
	if s.frozen.View().MayInvoke(t) {
		return Compatible
	}
	return Denied
}

func (s *Set) put(tools []*snapshot.Tool, c Class) {
	for _, t := range tools {
		s.class[t] = c
	}
}

// request parts a named family and keeps the typed refusal where it is empty.
func (s *Set) request(r *rule) {
	req := Requested{Family: r.Family, Constraint: r.Range}
	fam := s.frozen.View().Family(r.Family)
	if fam == nil {
		req.Empty = &interlock.NoCompatibleContract{Family: r.Family, Constraint: r.Range, Rule: interlock.ReasonNoCompatibleContract,
			Versions: []string{}, StoppedBy: []interlock.Stopped{}}
	} else {
		req.Empty = s.constrained(fam, r)
	}
	s.requested = append(s.requested, req)
}

// constrained parts a family under a rule. It gives the refusal where nothing
// is compatible.
func (s *Set) constrained(fam *snapshot.Family, r *rule) *interlock.NoCompatibleContract {
	s.put(fam.Tools, Incompatible)
	empty := &interlock.NoCompatibleContract{Family: fam.Name, Constraint: r.Range, Rule: interlock.ReasonNoCompatibleContract, StoppedBy: []interlock.Stopped{}}
	base, known := baseOf(fam, r)
	graph := fam.Graph()
	found := false
	for _, row := range fam.Versions {
		empty.Versions = append(empty.Versions, row.Version.String())
		if !known {
			continue
		}
		if stop := s.version(row, r, graph, base); stop != nil {
			empty.StoppedBy = append(empty.StoppedBy, *stop)
		} else {
			found = true
		}
	}
	if found {
		return nil
	}
	if !known {
		by := "range"
		if r.built != nil {
			empty.Rule, by = interlock.ReasonBaseUnknown, string(interlock.ReasonBaseUnknown)
		}
		for _, v := range empty.Versions {
			empty.StoppedBy = append(empty.StoppedBy, interlock.Stopped{Version: v, By: by})
		}
	}
	return empty
}

// version parts the tools of one version; it gives what stopped them where
// none is compatible.
func (s *Set) version(row snapshot.Versioned, r *rule, graph *contract.Graph, base version.Version) *interlock.Stopped {
	text := row.Version.String()
	if !r.rng.Match(row.Version) {
		return &interlock.Stopped{Version: text, By: "range"}
	}
	if ok, stop := graph.Compatible(base, row.Version); !ok {
		return &interlock.Stopped{Version: text, By: "edge", From: stop.From.String(), Compat: string(stop.Compat)}
	}
	state := interlock.StateRetired
	found := false
	for _, t := range row.Tools {
		if t.State.Resolvable() {
			s.class[t] = s.use(t)
			found = true
		} else {
			state = t.State
		}
	}
	if found {
		return nil
	}
	return &interlock.Stopped{Version: text, By: "state", State: state}
}

// baseOf is the version that the caller was built against: stated, or the
// lowest inside the range, retired ones included.
func baseOf(fam *snapshot.Family, r *rule) (version.Version, bool) {
	for _, row := range fam.Versions {
		if r.built != nil && version.Compare(row.Version, *r.built) == 0 {
			return row.Version, true
		}
		if r.built == nil && r.rng.Match(row.Version) {
			return row.Version, true
		}
	}
	return version.Version{}, false
}

package explain

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
	"github.com/seed-ae386458/interlock/internal/words"
)

// changes says what would lead to another answer.
func (t teller) changes() []interlock.WouldChange {
	out := []interlock.WouldChange{}
	switch r := t.answer.Refusal().(type) {
	case *interlock.NoCompatibleContract:
		out = t.wider(r)
	case *interlock.LowConfidenceMatch:
		out = t.nearer(r)
	case *interlock.NoMatch:
		out = t.looser(r)
	case *interlock.ForbiddenNeed:
		out = t.allowed(r)
	case *interlock.AmbiguousNeed:
		out = t.apart(r)
	case *interlock.MissingInput:
		out = t.supplied()
	case nil:
		out = t.rivals()
	}
	if r, ok := t.res.Refusal.(*interlock.OverBudget); ok { // disclosure may have found it
		out = []interlock.WouldChange{change(budgetMember(r.Budget), r.Needs, "Allow %s %d instead of %d: the complete set takes it.", r.Budget, r.Needs, r.Limit)}
	}
	return append(out, t.shadowed()...)
}

// change makes one; a nil value is none.
func change(member string, value any, format string, args ...any) interlock.WouldChange {
	c := interlock.WouldChange{Member: member, Text: fmt.Sprintf(format, args...)}
	if value != nil {
		c.Value, _ = interlock.Marshal(value) // plain data
	}
	return c
}

func budgetMember(budget string) string {
	if budget == "k" {
		return "/k"
	}
	return "/budget/" + budget
}

// wider proposes, for a family without a compatible version, constraints under
// which it has one: each is tried before it is said.
func (t teller) wider(r *interlock.NoCompatibleContract) []interlock.WouldChange {
	at := slices.IndexFunc(t.need.Constraints, func(c interlock.Constraint) bool { return c.Family == r.Family })
	if at < 0 {
		return []interlock.WouldChange{change("", nil, "Nothing in view may be used. Register a source, or ask for the right to see and use one.")}
	}
	own, member := t.need.Constraints[at], fmt.Sprintf("/constraints/%d", at)
	out := []interlock.WouldChange{}
	for _, v := range slices.Backward(r.Versions) {
		if len(out) == shown {
			break
		}
		with := own
		with.Range = "^" + v
		switch {
		case t.holds(with, v):
			out = append(out, change(member+"/range", with.Range, "Accept %s of %s.", v, r.Family))
		case own.BuiltAgainst != "":
			if with.BuiltAgainst = v; t.holds(with, v) {
				out = append(out, change(member, with, "Build against %s of %s: nothing proves that it serves callers of %s.", v, r.Family, own.BuiltAgainst))
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	if len(r.Versions) > 0 {
		return append(out, change("", nil, "No version of %s can be had under any range: stopped_by says what keeps each out.", r.Family))
	}
	return append(out, t.otherFamily(member)...)
}

// otherFamily proposes the families in view whose names are nearest to one that
// is not there.
func (t teller) otherFamily(member string) []interlock.WouldChange {
	var asked []string
	for _, c := range t.need.Constraints {
		asked = append(asked, words.Tokens(c.Family)...)
	}
	type near struct {
		name string
		held int
	}
	var all []near
	for f := range t.list().Set().Frozen().View().Families() {
		n := near{name: f.Name}
		for _, w := range words.Tokens(f.Name) {
			if slices.Contains(asked, w) {
				n.held++
			}
		}
		if n.held > 0 {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b near) int {
		if a.held != b.held {
			return b.held - a.held
		}
		return strings.Compare(a.name, b.name)
	})
	out := []interlock.WouldChange{}
	for _, n := range all[:min(len(all), 3)] {
		out = append(out, change(member+"/family", n.name, "Ask for the family %s, which has like words.", n.name))
	}
	return append(out, change("/constraints", []any{}, "Name no family: then all that is in view is searched."))
}

// nearer says how a need that is far from everything comes nearer.
func (t teller) nearer(r *interlock.LowConfidenceMatch) []interlock.WouldChange {
	out := []interlock.WouldChange{}
	if intents := t.answer.Intents(); len(intents) > 0 {
		return t.without(intents)
	}
	if missed := t.heard().Unknown; len(missed) > 0 {
		out = append(out, change("/need", nil, "Say it in other words: no tool in view says %s.", quoted(missed)))
	} else {
		out = append(out, change("/need", nil, "Say what is to be done and on what: every word is said by some tool, and all of them by none."))
	}
	for _, f := range t.near() {
		out = append(out, change("/need", f.Tool.ID, "Name %s, if it is meant: it stands at %.4f, under %.2f.", f.Tool.ID, float64(f.Score), float64(r.Threshold)))
	}
	if len(t.list().Set().Requested()) > 0 {
		out = append(out, change("/constraints", []any{}, "Name no family, or add * : only the families that are named were searched."))
	}
	return out
}

// without asks for what is covered alone.
func (t teller) without(intents []interlock.Intent) []interlock.WouldChange {
	var open, covered []string
	for _, in := range intents {
		if in.Tool == "" {
			open = append(open, in.Text)
		} else {
			covered = append(covered, in.Text)
		}
	}
	return []interlock.WouldChange{change("/need", strings.Join(covered, "\n"), "Ask for the rest alone: nothing in view covers %s.", quoted(open))}
}

func quoted(list []string) string {
	out := make([]string, 0, shown)
	for _, w := range list[:min(len(list), shown)] {
		out = append(out, fmt.Sprintf("%q", w))
	}
	return strings.Join(out, ", ")
}

// looser says which demand would have to go.
func (t teller) looser(r *interlock.NoMatch) []interlock.WouldChange {
	out := []interlock.WouldChange{}
	for _, f := range t.answer.Result().Compatible() {
		if f.Fits() || f.Score < discover.Threshold || len(out) >= shown {
			continue
		}
		if slices.Contains(f.Reasons, "effect") {
			out = append(out, change("/effects", append(slices.Clone(t.need.Effects), f.Tool.Effect.Enforced()), "Allow the effect %s: %s has it.", f.Tool.Effect.Enforced(), f.Tool.ID))
		}
		for i, w := range t.need.Want {
			if slices.Contains(f.Reasons, "outputs") && !discover.Gives(f.Tool, w) {
				out = append(out, change("/want", slices.Delete(slices.Clone(t.need.Want), i, i+1), "Do without %s: %s does not declare it.", strings.TrimSpace(w.SemanticID+" "+w.Unit), f.Tool.ID))
			}
		}
	}
	if slices.Contains(r.Reasons, "operation") {
		out = append(out, change("/need", nil, "Ask to read, or allow more effects: what is near only reads, and a change is ordered."))
	}
	if len(out) == 0 {
		out = append(out, change("", nil, "What is near does not fit in %s.", strings.Join(r.Reasons, ", ")))
	}
	return out
}

// allowed says whom to ask, and what else there is.
func (t teller) allowed(r *interlock.ForbiddenNeed) []interlock.WouldChange {
	out := []interlock.WouldChange{change("", nil, "Policy has to allow the use of %s.", strings.Join(r.Tools, ", "))}
	for _, f := range t.near() {
		out = append(out, change("/need", f.Tool.ID, "Name %s instead, if it would do: it may be used, and stands at %.4f.", f.Tool.ID, float64(f.Score)))
	}
	return out
}

// apart says what would choose each of the tools that fit alike.
func (t teller) apart(r *interlock.AmbiguousNeed) []interlock.WouldChange {
	view := t.list().Set().Frozen().View()
	names := map[string][]string{}
	for _, id := range r.Tools {
		names[id] = words.Tokens(view.Tool(id).Op.Name + " " + view.Tool(id).Source)
	}
	out := []interlock.WouldChange{}
	for _, id := range r.Tools[:min(len(r.Tools), shown)] {
		tool := view.Tool(id)
		var own []string
		for _, w := range names[id] {
			if !slices.ContainsFunc(r.Tools, func(other string) bool { return other != id && slices.Contains(names[other], w) }) && !slices.Contains(own, w) {
				own = append(own, w)
			}
		}
		own = spelled(own, tool.Op.Name+" "+tool.Source)
		say := ""
		if len(own) > 0 {
			say = fmt.Sprintf(", or say %s", quoted(own))
		}
		out = append(out, change("/constraints", []interlock.Constraint{{Family: tool.Family, Range: "^" + tool.Version.String()}}, "For %s (%s) name its family%s.", id, tool.Effect, say))
	}
	return out
}

// spelled gives terms as a name spells them: terms are stems.
func spelled(terms []string, name string) []string {
	out := slices.Clone(terms)
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if t := words.Tokens(part); len(t) == 1 {
			if i := slices.Index(terms, t[0]); i >= 0 {
				out[i] = part
			}
		}
	}
	return out
}

// supplied names the inputs that would let the tool be called.
func (t teller) supplied() []interlock.WouldChange {
	out := []interlock.WouldChange{}
	for _, m := range t.res.Missing {
		if m.Pointer == "" {
			continue
		}
		found := ""
		if m.FoundBy != "" {
			found = fmt.Sprintf(" Who has not got it calls %s first.", m.FoundBy)
		}
		out = append(out, change("/have", append(slices.Clone(t.need.Have), m.Pointer), "Supply %s of %s (%s), or say it in the need.%s", m.Pointer, m.Tool, m.Type, found))
	}
	return out
}

// rivals tells what stands behind the choice of a supported need.
func (t teller) rivals() []interlock.WouldChange {
	out := []interlock.WouldChange{}
	if len(t.answer.Required()) == 0 {
		return out
	}
	lead := t.answer.Required()[0]
	next := slices.IndexFunc(t.answer.More(), func(f fit.Fit) bool { return !f.Joins && f.Tool.Family != lead.Tool.Family })
	if next >= 0 {
		f := t.answer.More()[next]
		out = append(out, change("/need", f.Tool.ID, "Name %s, if it is meant: it stands %.4f behind %s.", f.Tool.ID, float64(lead.Score-f.Score), lead.Tool.ID))
	}
	if l := t.res.LeftOut; l != nil && l.K > 0 {
		out = append(out, change("/k", len(t.res.Candidates)+l.K, "Allow a k of %d to see the %d further matches.", len(t.res.Candidates)+l.K, l.K))
	}
	return out
}

// shadowed tells of incompatible tools that read more like the need, and by which
// constraint each could be had: it is tried before it is said.
func (t teller) shadowed() []interlock.WouldChange {
	out := []interlock.WouldChange{}
	for _, e := range t.res.Events {
		if e.Type != interlock.EventShadowed {
			continue
		}
		text := fmt.Sprintf("%s %s reads more like the need (%.4f) and is outside of the constraint on %s: migrate, or leave it.", e.Incompatible.Tool, e.Incompatible.Version, float64(e.Incompatible.Score), e.Family)
		at := slices.IndexFunc(t.need.Constraints, func(c interlock.Constraint) bool { return c.Family == e.Family })
		if at < 0 {
			out = append(out, change("", nil, "%s", text))
			continue
		}
		with, member := t.need.Constraints[at], fmt.Sprintf("/constraints/%d", at)
		with.Range = "^" + e.Incompatible.Version
		if with.BuiltAgainst != "" {
			with.BuiltAgainst = e.Incompatible.Version
		}
		if !t.holds(with, e.Incompatible.Version) {
			out = append(out, change("", nil, "%s", text))
			continue
		}
		out = append(out, change(member, with, "%s", text))
	}
	return out
}

// holds reports whether a constraint is satisfied by a version.
func (t teller) holds(c interlock.Constraint, version string) bool {
	info, err := eligible.Judge(t.list().Set().Frozen(), c)
	return err == nil && slices.ContainsFunc(info.Versions, func(v interlock.FamilyVersion) bool { return v.Version == version && v.Stopped == nil })
}

package dispose

import (
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
)

// How far the rank of a tool may be behind that of another, in units of the
// spread of evidence, and it still serves as well where it does the same; and
// how far it has to be behind where it does not.
const (
	within  = 6.0
	clearly = 1.5
)

// ambiguous: a tool of another family serves the need as well as the first one
// does, and the evidence separates them no further. Families that the need names
// are asked for together and never compete.
func (d *decision) ambiguous() bool {
	if len(d.r.List().Set().Requested()) > 0 {
		return false
	}
	for _, l := range d.leads {
		if tools := d.rivals(l.fit, l.rest); len(tools) > 1 {
			return d.set(interlock.Ambiguous, &interlock.AmbiguousNeed{Tools: tools, Decides: d.decides(tools)})
		}
	}
	if len(d.leads) > 0 {
		return false
	}
	tools := d.rivals(d.answer.required[0], d.answer.more)
	if len(tools) < 2 {
		return false
	}
	return d.set(interlock.Ambiguous, &interlock.AmbiguousNeed{Tools: tools, Decides: d.decides(tools)})
}

// rivals gives the first tool and those beside it that serve as well: of another
// source the one that stands first, for its siblings do something else.
func (d *decision) rivals(lead fit.Fit, rest []fit.Fit) []string {
	tools := []string{lead.Tool.ID}
	families, sources := map[string]bool{lead.Tool.Family: true}, map[string]bool{}
	ready := len(lead.Missing()) == 0
	for _, f := range rest[:min(len(rest), interlock.DefaultK-1)] {
		if f.Joins || families[f.Tool.Family] || sources[f.Tool.Source] || f.Exact != lead.Exact || !d.level(lead, f) {
			continue
		}
		if f.Tool.State == interlock.StateDeprecated && lead.Tool.State != interlock.StateDeprecated {
			continue
		}
		if ready && len(f.Missing()) > 0 {
			continue // the inputs in hand decide
		}
		families[f.Tool.Family], sources[f.Tool.Source] = true, f.Tool.Source != lead.Tool.Source
		tools = append(tools, f.Tool.ID)
	}
	return tools
}

// level reports whether a tool serves as well as one that stands before it. Of
// one source it has to stand within the margin too.
func (d *decision) level(lead, f fit.Fit) bool {
	if lead.Tool.Source == f.Tool.Source && discover.Round(float64(lead.Score-f.Score)) > Margin {
		return false
	}
	return lead.Rank-f.Rank <= within && d.r.Same(lead, f)
}

// withheld: what fits best is denied, and all that may be used stands clearly
// behind it and does something else. A tool that merely looks near does not
// stand in for a forbidden one. Where the need says in types what it wants, by
// families or fields, what gives that serves it.
func (d *decision) withheld() bool {
	if len(d.r.List().Set().Requested()) > 0 || len(d.need.Want) > 0 {
		return false
	}
	if len(d.leads) == 0 {
		return d.forbid(d.before(d.r.Denied(), d.fits))
	}
	for i, in := range d.r.Intents() {
		if d.forbid(d.before(in.Denied, slices.Concat([]fit.Fit{d.leads[i].fit}, d.leads[i].rest))) {
			return true
		}
	}
	return false
}

func (d *decision) forbid(denied []string) bool {
	return len(denied) > 0 && d.set(interlock.Forbidden, &interlock.ForbiddenNeed{Tools: denied})
}

// before gives the denied tools that stand clearly before everything that may be
// used; none where something of that serves as well as the first of them, or is
// named.
func (d *decision) before(denied, usable []fit.Fit) []string {
	denied = d.fitting(denied)
	best, named := 0.0, false
	for i, f := range usable {
		if i == 0 || f.Rank > best {
			best = f.Rank
		}
		named = named || f.Exact
	}
	var out []string
	for i, f := range denied {
		if f.Rank-best <= clearly || len(out) == interlock.DefaultK {
			break
		}
		if i == 0 && (named && !f.Exact || slices.ContainsFunc(usable, func(u fit.Fit) bool {
			return u.Tool.Family == f.Tool.Family || f.Rank-u.Rank <= within && d.r.Same(f, u)
		})) {
			return nil
		}
		out = append(out, f.Tool.ID)
	}
	return out
}

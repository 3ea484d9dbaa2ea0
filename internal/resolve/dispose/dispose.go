// Package dispose decides what kind of answer a need gets, in the order that
// the design fixes: the first that holds. It promises that only compatible
// tools can be chosen, that denied ones count towards "is there anything" and
// never towards an offer, and that nothing is dropped without being named.
//
//	answer, err := dispose.Decide(result, need)
package dispose

import (
	"errors"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
)

// Margin is the difference of scores within which two fitting tools of one
// source, but of different families, may be the same.
const Margin = 0.01

// Answer is a disposition with what disclosure needs. The zero value is inert.
type Answer struct {
	result      fit.Result
	disposition interlock.Disposition
	refusal     interlock.Refusal
	missing     []interlock.Missing
	events      []interlock.Event
	required    []fit.Fit // the complete set
	more        []fit.Fit // further matches, best first
	servable    interlock.Probability
	intents     []interlock.Intent
	leads       []lead
}

// Valid reports whether Decide made the answer.
func (a Answer) Valid() bool { return a.disposition != "" }

// Result gives the fits that the answer was decided from.
func (a Answer) Result() fit.Result { return a.result }

// Disposition gives the kind of the answer.
func (a Answer) Disposition() interlock.Disposition { return a.disposition }

// Refusal gives the typed refusal; nil where the need is supported.
func (a Answer) Refusal() interlock.Refusal { return a.refusal }

// Missing gives what stands between the need and a call.
func (a Answer) Missing() []interlock.Missing { return a.missing }

// Events gives what others should learn of.
func (a Answer) Events() []interlock.Event { return a.events }

// Required gives the complete set: all of it or nothing is disclosed.
func (a Answer) Required() []fit.Fit { return a.required }

// More gives the further matches, best first.
func (a Answer) More() []fit.Fit { return a.more }

// Intents gives the requests that the need consists of and what covers each;
// none where it is one.
func (a Answer) Intents() []interlock.Intent { return a.intents }

// Decide gives the answer to a need.
func Decide(r fit.Result, need interlock.Need) (Answer, error) {
	if !r.Valid() {
		return Answer{}, errors.New("dispose: no result")
	}
	d := decision{r: r, need: need}
	d.answer.servable = servable(r)
	d.set(interlock.Supported, nil)
	for _, step := range []func() bool{d.noContract, d.several, d.lowConfidence, d.noFit, d.withheld, d.choose, d.ambiguous, d.needsInput} {
		if step() {
			break
		}
	}
	if d.answer.disposition.Offers() {
		d.bound()
	}
	return d.answer, nil
}

type decision struct {
	r      fit.Result
	need   interlock.Need
	answer Answer
	fits   []fit.Fit
	leads  []lead // of the requests, where the need consists of several
}

func (d *decision) set(kind interlock.Disposition, refusal interlock.Refusal) bool {
	d.answer.result, d.answer.disposition, d.answer.refusal = d.r, kind, refusal
	return true
}

// noContract: a requested family has no compatible tool, or nothing has.
func (d *decision) noContract() bool {
	set := d.r.List().Set()
	for _, req := range set.Requested() {
		if req.Empty != nil {
			return d.set(interlock.Unsupported, req.Empty)
		}
	}
	if len(d.r.Compatible())+len(d.r.Denied()) > 0 {
		return false
	}
	return d.set(interlock.Unsupported, d.nothing())
}

// nothing is the refusal where no family is named and none is left.
func (d *decision) nothing() *interlock.NoCompatibleContract {
	out := &interlock.NoCompatibleContract{Family: "*", Constraint: "*", Rule: interlock.ReasonNoCompatibleContract, Versions: []string{}, StoppedBy: []interlock.Stopped{}}
	for _, c := range d.need.Constraints {
		if c.Family == "*" {
			out.Constraint = c.Range
		}
	}
	return out
}

// lowConfidence: the best of the compatible tools, denied ones included, is
// under τ.
func (d *decision) lowConfidence() bool {
	if len(d.leads) > 0 {
		return false // each request has its own confident tool
	}
	best := interlock.Score(0)
	for _, part := range [...][]fit.Fit{d.r.Compatible(), d.r.Denied()} {
		for _, f := range part {
			best = max(best, f.Score)
		}
	}
	if best >= discover.Threshold {
		return false
	}
	refusal := &interlock.LowConfidenceMatch{Threshold: discover.Threshold, BestScore: best, Advice: []interlock.Contender{}}
	for _, s := range d.r.Incompatible() {
		if len(refusal.Advice) == interlock.DefaultK {
			break
		}
		refusal.Advice = append(refusal.Advice, contender(s.Entry, true))
	}
	return d.set(interlock.Unsupported, refusal)
}

func contender(e discover.Entry, family bool) interlock.Contender {
	c := interlock.Contender{Tool: e.Tool.ID, Version: e.Tool.Version.String(), Score: e.Score}
	if family {
		c.Family = e.Tool.Family
	}
	return c
}

// noFit: for a family that the need names, or for all where it names none,
// nothing allowed fits in kind. Denied tools that do make it forbidden.
func (d *decision) noFit() bool {
	d.fits = d.fitting(d.r.Compatible())
	if len(d.leads) > 0 {
		return false
	}
	short := d.uncovered(d.fits)
	if len(short) == 0 {
		return false
	}
	denied := d.fitting(d.r.Denied())
	if none := d.uncovered(slices.Concat(d.fits, denied)); len(none) > 0 {
		for _, family := range none {
			if family != anyFamily {
				d.answer.missing = append(d.answer.missing, interlock.Missing{Family: family})
			}
		}
		return d.set(interlock.Unsupported, &interlock.NoMatch{Reasons: d.unfit(none)})
	}
	tools := []string{}
	for _, f := range denied {
		if among(short, f) && len(tools) < interlock.DefaultK {
			tools = append(tools, f.Tool.ID)
		}
	}
	return d.set(interlock.Forbidden, &interlock.ForbiddenNeed{Tools: tools})
}

// anyFamily stands for all families where the need names none.
const anyFamily = "*"

func among(families []string, f fit.Fit) bool {
	return slices.Contains(families, f.Tool.Family) || slices.Contains(families, anyFamily)
}

// fitting gives the confident ones that fit in kind.
func (d *decision) fitting(all []fit.Fit) []fit.Fit {
	fits := func(f *fit.Fit) bool { return f.Fits() && d.near(*f) }
	n := 0
	for i := range all {
		if fits(&all[i]) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	out := make([]fit.Fit, 0, n)
	for i := range all {
		if fits(&all[i]) {
			out = append(out, all[i])
		}
	}
	return out
}

// uncovered gives the families that the need names and none of these is of.
func (d *decision) uncovered(fits []fit.Fit) []string {
	requested := d.r.List().Set().Requested()
	if len(requested) == 0 && len(fits) == 0 {
		return []string{anyFamily}
	}
	var out []string
	for _, req := range requested {
		if !slices.ContainsFunc(fits, func(f fit.Fit) bool { return f.Tool.Family == req.Family }) {
			out = append(out, req.Family)
		}
	}
	return out
}

// unfit says in what the confident tools of these families do not fit.
func (d *decision) unfit(families []string) []string {
	reasons := []string{}
	for _, f := range slices.Concat(d.r.Compatible(), d.r.Denied()) {
		for _, why := range f.Reasons {
			if among(families, f) && d.near(f) && !slices.Contains(reasons, why) {
				reasons = append(reasons, why)
			}
		}
	}
	return reasons
}

// near reports whether a slot is confident, or of a family that the need names:
// such a one is kept whatever its score.
func (d *decision) near(f fit.Fit) bool {
	if f.Score >= discover.Threshold {
		return true
	}
	for _, req := range d.r.List().Set().Requested() {
		if req.Family == f.Tool.Family {
			return true
		}
	}
	return false
}

// choose takes the complete set: the best slot of each requested family, or
// the best slot of all with what leads to the ids that it requires. It decides
// nothing.
func (d *decision) choose() bool {
	if len(d.leads) > 0 {
		return d.chooseEach()
	}
	ordered := byFamily(d.fits)
	single := len(d.r.List().Set().Requested()) == 0
	if single && fit.WantsProducer(ordered) {
		ordered = d.joined(ordered)
	}
	if single {
		n := 1 + chained(ordered)
		d.answer.required, d.answer.more = ordered[:n:n], ordered[n:]
	} else {
		d.chooseFamilies(ordered)
	}
	d.answer.events = d.shadows()
	return false
}

func (d *decision) chooseFamilies(ordered []fit.Fit) {
	wanted := map[string]bool{}
	for _, req := range d.r.List().Set().Requested() {
		wanted[req.Family] = true
	}
	for _, f := range ordered {
		if wanted[f.Tool.Family] {
			d.answer.required = append(d.answer.required, f)
			delete(wanted, f.Tool.Family)
			continue
		}
		d.answer.more = append(d.answer.more, f)
	}
}

// chained counts the tools that the first one cannot do without. Who names a tool
// himself may have its ids from elsewhere.
func chained(ordered []fit.Fit) int {
	n := 0
	for !ordered[0].Exact && n+1 < len(ordered) && ordered[n+1].Joins {
		n++
	}
	return n
}

// joined adds the tools that give the ids which the first ones require, out of
// all that may be used, however little the need says of them.
func (d *decision) joined(ordered []fit.Fit) []fit.Fit {
	known := map[string]bool{}
	for _, f := range ordered {
		known[f.Tool.ID] = true
	}
	return slices.DeleteFunc(fit.Joined(d.usable(ordered, ordered[:min(fit.Leading, len(ordered))]), len(ordered)), func(f fit.Fit) bool { return !f.Joins && !known[f.Tool.ID] })
}

// usable gives the first ones, then the others that may be used to lead to some:
// nothing leads to a tool but others of its source.
func (d *decision) usable(first, some []fit.Fit) []fit.Fit {
	all := slices.Clone(first)
	for _, f := range d.r.Beside(some) {
		if f.Leads() && !slices.ContainsFunc(first, func(x fit.Fit) bool { return x.Tool == f.Tool }) {
			all = append(all, f)
		}
	}
	return all
}

// plain reports that each of the fits is of a family of its own, and none is
// deprecated.
func plain(fits []fit.Fit) bool {
	seen := make(map[string]bool, len(fits))
	for i := range fits {
		t := fits[i].Tool
		if t.State == interlock.StateDeprecated || seen[t.Family] {
			return false
		}
		seen[t.Family] = true
	}
	return true
}

// byFamily orders families by their best slot, and the slots of one family by
// major, the highest first; deprecated tools stand last.
func byFamily(fits []fit.Fit) []fit.Fit {
	if plain(fits) {
		return slices.Clip(fits)
	}
	var order []string
	groups := map[string][]fit.Fit{}
	for _, f := range fits {
		name := f.Tool.Family
		if groups[name] == nil {
			order = append(order, name)
		}
		groups[name] = append(groups[name], f)
	}
	var fresh, old []fit.Fit
	for _, name := range order {
		group := groups[name]
		slices.SortStableFunc(group, func(a, b fit.Fit) int {
			switch x, y := a.Tool.Version.Major(), b.Tool.Version.Major(); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		for _, f := range group {
			if f.Tool.State == interlock.StateDeprecated {
				old = append(old, f)
			} else {
				fresh = append(fresh, f)
			}
		}
	}
	return append(fresh, old...)
}

package dispose

import (
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
)

// lead is what covers one request of a need that consists of several.
type lead struct {
	fit  fit.Fit
	rest []fit.Fit // the other slots that fit the request, best first
	// chain is what leads to the ids that it requires.
	chain []fit.Fit
}

// slot names what stands as one candidate: a family in one major. Of several
// tools of it, requests may prefer different ones.
type slot struct {
	family string
	major  uint64
}

func slotOf(f fit.Fit) slot { return slot{f.Tool.Family, f.Tool.Version.Major()} }

// several reads a need that consists of several requests: each has to be covered
// by a tool of its own. A need of which one tool covers everything, or nothing
// anything, is read whole. A request that nothing covers is named, and the need
// is not served: a set that is not complete is none.
func (d *decision) several() bool {
	intents := d.r.Intents()
	leads := make([]lead, len(intents))
	tools := map[slot]fit.Fit{}
	for i, in := range intents {
		if ordered := byFamily(d.fitting(in.Compatible)); len(ordered) > 0 {
			at := slotOf(ordered[0])
			if _, ok := tools[at]; !ok {
				tools[at] = ordered[0]
			}
			leads[i] = lead{fit: tools[at], rest: ordered[1:]}
		}
	}
	var open []int
	for i, in := range intents {
		if leads[i].fit.Tool == nil && !d.coveredByWhole(&leads[i], in, tools) {
			open = append(open, i)
		}
	}
	if len(tools) == 0 || len(tools) == 1 && len(open) == 0 {
		return false
	}
	for i, in := range intents {
		said := interlock.Intent{Text: in.Text}
		if leads[i].fit.Tool != nil {
			said.Tool = leads[i].fit.Tool.ID
		}
		d.answer.intents = append(d.answer.intents, said)
	}
	if len(open) > 0 {
		return d.uncoveredIntents(open)
	}
	d.leads = leads
	return false
}

// coveredByWhole takes the best slot of a request that stands under the threshold
// there, where the need as a whole is confident of it and it covers no other
// request: a request that was cut out of a need may say too little by itself.
func (d *decision) coveredByWhole(l *lead, in fit.Intent, others map[slot]fit.Fit) bool {
	if len(in.Compatible) == 0 {
		return false
	}
	f := in.Compatible[0]
	sure := slices.ContainsFunc(d.r.Compatible(), func(x fit.Fit) bool { return x.Tool == f.Tool && x.Fits() && x.Score >= discover.Threshold })
	taken := false // by another version of what covers another request, as well
	for s := range others {
		taken = taken || s.family == f.Tool.Family
	}
	if !f.Fits() || !sure || taken {
		return false
	}
	f.Score = discover.Threshold
	l.fit, others[slotOf(f)] = f, f
	return true
}

// uncoveredIntents refuses a need of which some request is covered by nothing
// that may be used.
func (d *decision) uncoveredIntents(open []int) bool {
	var denied []string
	best := interlock.Score(0)
	for _, i := range open {
		in := d.r.Intents()[i]
		d.answer.missing = append(d.answer.missing, interlock.Missing{Intent: in.Text})
		for _, f := range d.fitting(in.Denied) {
			if !slices.Contains(denied, f.Tool.ID) && len(denied) < interlock.DefaultK {
				denied = append(denied, f.Tool.ID)
			}
		}
		for _, f := range in.Compatible[:min(len(in.Compatible), 1)] {
			best = max(best, f.Score)
		}
	}
	if len(denied) > 0 {
		return d.set(interlock.Forbidden, &interlock.ForbiddenNeed{Tools: denied})
	}
	if best >= discover.Threshold {
		return d.set(interlock.Unsupported, &interlock.NoMatch{Reasons: d.unfitIntents(open)})
	}
	return d.set(interlock.Unsupported, &interlock.LowConfidenceMatch{Threshold: discover.Threshold, BestScore: best, Advice: []interlock.Contender{}})
}

// unfitIntents says in what the confident tools of requests do not fit.
func (d *decision) unfitIntents(open []int) []string {
	reasons := []string{}
	for _, i := range open {
		for _, f := range d.r.Intents()[i].Compatible {
			for _, why := range f.Reasons {
				if d.near(f) && !slices.Contains(reasons, why) {
					reasons = append(reasons, why)
				}
			}
		}
	}
	return reasons
}

// chooseEach takes what covers each request, and what leads to the ids that it
// requires, as the complete set, and further matches of each in turn.
func (d *decision) chooseEach() bool {
	d.chain()
	var n int
	d.answer.required, n = merged(d.leads, d.fits)
	d.answer.required, d.answer.more = d.answer.required[:n:n], d.answer.required[n:]
	d.answer.leads = d.leads
	d.answer.events = d.shadows()
	return false
}

// chain finds what leads to the ids of each request's tool. A tool that stands
// for another request serves here too. Where a request names its tool, what leads
// to it is a further match.
func (d *decision) chain() {
	var standing, all []fit.Fit
	for _, l := range d.leads {
		standing = append(standing, l.fit)
	}
	for i := range d.leads {
		l := &d.leads[i]
		if !fit.WantsProducer([]fit.Fit{l.fit}) {
			continue
		}
		if all == nil {
			all = d.usable(d.fits, slices.Clone(standing[:len(d.leads)]))
		}
		chain := fit.Chain(l.fit, all, standing)
		if standing = append(standing, chain...); l.fit.Exact {
			l.rest = slices.Concat(chain, l.rest)
		} else {
			l.chain = chain
		}
	}
}

// merged gives what covers each request, what leads to their ids, then further
// slots: of each request in turn, and of the whole need. The first n are the
// complete set.
func merged(leads []lead, whole []fit.Fit) (out []fit.Fit, n int) {
	taken := map[slot]bool{}
	last := interlock.Score(1)
	put := func(f fit.Fit) {
		if !taken[slotOf(f)] {
			taken[slotOf(f)] = true
			last = min(last, f.Score)
			f.Score = last
			out = append(out, f)
		}
	}
	for _, l := range leads {
		put(l.fit)
	}
	for _, l := range leads {
		for _, f := range l.chain {
			put(f)
		}
	}
	n = len(out)
	rows := [][]fit.Fit{}
	for _, l := range leads {
		rows = append(rows, l.rest)
	}
	rows = append(rows, whole)
	for at := 0; ; at++ {
		more := false
		for _, row := range rows {
			if at < len(row) {
				put(row[at])
				more = true
			}
		}
		if !more {
			return out, n
		}
	}
}

// Ordered gives every slot that may be used in the order in which the answer
// would show it, however little the need says of it.
func (a Answer) Ordered() []fit.Fit {
	whole := a.result.Whole().Compatible()
	all := fit.Joined(whole, len(whole))
	if len(a.leads) == 0 {
		return all
	}
	all, _ = merged(a.leads, all)
	return all
}

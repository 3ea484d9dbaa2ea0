package qualify

import (
	"fmt"
	"slices"
)

// The verdicts.
const (
	Promote = "promote"
	Reject  = "reject"
	Blocked = "blocked"
)

// Decision is what a run comes to.
type Decision struct {
	Verdict string   `json:"verdict"`
	Stage   Stage    `json:"stage,omitempty"` // of a rejection: where the candidate fails
	Why     []string `json:"why"`
	Vetoes  []Veto   `json:"vetoes"`
	// Missing are the cells of the population without cases enough; only native
	// ones count.
	Missing []MissingCell `json:"missing"`
	// External is what no run here can show: it is not simulated.
	External []string `json:"blocked_external"`
}

// Veto ends a promotion whatever was gained.
type Veto struct {
	Stage Stage  `json:"stage"`
	Why   string `json:"why"`
}

// MissingCell is a part of the population with too few native cases.
type MissingCell struct {
	Cell   string `json:"cell"`
	Native int    `json:"native"`
	Other  int    `json:"other"` // translated, generated or of unknown authorship
	Needed int    `json:"needed"`
}

// external is what takes a real agent.
var external = []string{
	"BLOCKED_EXTERNAL task completion by an agent: no agent ran; what is measured is discovery.",
	"BLOCKED_EXTERNAL execution, arguments and factual answers: nothing was called.",
}

// missing names the cells of the plan's population that have too few native
// cases: strata and languages of catalogues under each language of needs, and
// the kinds of call and effect.
func missing(lines []judged, p Population) []MissingCell {
	out := []MissingCell{}
	count := func(cell string, in func(l Line) bool) {
		m := MissingCell{Cell: cell, Needed: p.Least}
		for _, l := range lines {
			switch {
			case !in(l.Line):
			case l.Authored == Native:
				m.Native++
			default:
				m.Other++
			}
		}
		if m.Native < m.Needed {
			out = append(out, m)
		}
	}
	for _, lang := range p.Languages {
		for _, s := range p.Strata {
			count(lang+" "+s, func(l Line) bool { return l.Language == lang && l.Stratum == s })
		}
		for _, tools := range p.Tools {
			count(lang+" over "+tools+" tools", func(l Line) bool { return l.Served() && l.Language == lang && l.Tools == tools })
		}
	}
	for _, c := range []string{"one call", "two calls", "three or more calls"} {
		count(c, func(l Line) bool { return calls(l) == c })
	}
	for _, e := range []string{"read", "mutation"} {
		count(e, func(l Line) bool { return l.Effect == e })
	}
	return out
}

// decide comes to a verdict: vetoes first, then what the figures refute, then
// what they cannot show.
func decide(r Record, lines []judged) Decision {
	d := Decision{Verdict: Promote, Why: []string{}, Vetoes: vetoes(r, lines), Missing: missing(lines, r.Plan.Population), External: external}
	reject := func(stage Stage, format string, args ...any) {
		if d.Verdict != Reject {
			d.Verdict, d.Stage = Reject, stage
		}
		d.Why = append(d.Why, fmt.Sprintf(format, args...))
	}
	block := func(format string, args ...any) {
		if d.Verdict == Promote {
			d.Verdict = Blocked
		}
		d.Why = append(d.Why, fmt.Sprintf(format, args...))
	}
	for _, v := range d.Vetoes {
		reject(v.Stage, "Veto: %s.", v.Why)
	}
	r.primary(lines, reject, block)
	r.point(reject, block)
	if len(d.Missing) > 0 {
		block("%d cells of the population have too few native cases.", len(d.Missing))
	}
	if r.Plan.Split != Confirmation {
		block("The split is %s: only a confirmation split promotes anything.", r.Plan.Split)
	}
	for _, o := range r.Run.Overlaps {
		block("The split is not independent: %s.", o)
	}
	if d.Verdict == Promote {
		d.Why = append(d.Why, fmt.Sprintf("%s holds against %s in %s, at the operating point, on cases that were not seen.", r.Plan.Candidate, r.Plan.Baseline, r.Plan.Primary))
	}
	return d
}

func vetoes(r Record, lines []judged) []Veto {
	out := []Veto{}
	for _, l := range lines {
		if a, ok := l.answer(r.Plan.Candidate); ok && len(a.Barred) > 0 {
			out = append(out, Veto{AtDisclosure, fmt.Sprintf("the case %s was shown %s, which its principal may not be offered", l.Case, some(a.Barred))})
		}
	}
	if c := r.all(r.Plan.Candidate); c != nil {
		if f, ok := c.Figures["false_refusal"]; ok && f.Value == 1 {
			out = append(out, Veto{AtDisposition, "every served need was refused; refusing everything is no success"})
		}
	}
	return out
}

// all gives the cell of an arm over all cases.
func (r Record) all(arm string) *Cell {
	i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.By == "all" && c.Arm == arm })
	if i < 0 {
		return nil
	}
	return &r.Cells[i]
}

type verdict = func(stage Stage, format string, args ...any)

// primary holds the difference of candidate and baseline against the margin.
func (r Record) primary(lines []judged, reject verdict, block func(string, ...any)) {
	p := r.Plan
	i := slices.IndexFunc(r.Paired, func(d Paired) bool {
		return d.By == "all" && d.Measure == p.Primary && d.Arm == p.Candidate && d.Against == p.Baseline
	})
	if i < 0 {
		block("No case counts for the primary measure %s.", p.Primary)
		return
	}
	d := r.Paired[i]
	text := fmt.Sprintf("%s of %s less %s: %+.1f points, 95 %% interval %+.1f to %+.1f, margin %+.1f", p.Primary, p.Candidate, p.Baseline, 100*d.Effect, 100*d.Low, 100*d.High, 100*p.Margin)
	half := (d.High - d.Low) / 2
	switch {
	case d.Low > p.Margin:
	case d.High <= p.Margin:
		reject(mostLost(lines, p), "%s: it falls behind.", text)
	case half > p.Precision:
		block("%s: the half width of %.1f points is above the %.1f that the plan asks for, so that nothing is shown.", text, 100*half, 100*p.Precision)
	default:
		reject(mostLost(lines, p), "%s: that it does not fall behind is not shown.", text)
	}
	if half > p.Precision && d.Low > p.Margin {
		block("%s: the half width of %.1f points is above the %.1f that the plan asks for.", text, 100*half, 100*p.Precision)
	}
}

// mostLost gives the stage at which the candidate loses most of the cases that
// it does not get right.
func mostLost(lines []judged, p Plan) Stage {
	counts := map[Stage]int{}
	for _, l := range lines {
		if j, ok := l.by[p.Candidate]; ok && j.Failure != "" && l.Served() {
			counts[j.Failure]++
		}
	}
	best := Stage("")
	for _, s := range []Stage{AtRetrieval, AtOperation, AtParameter, AtField, AtBudget, AtDisposition, AtPolicy, AtDisclosure} {
		if counts[s] > counts[best] {
			best = s
		}
	}
	return best
}

// point holds the candidate's own line against the joint operating point.
func (r Record) point(reject verdict, block func(string, ...any)) {
	c := r.all(r.Plan.Candidate)
	if c == nil {
		return
	}
	refused, served := c.Figures["false_refusal"]
	accepted, none := c.Figures["false_accept"]
	if !served || !none {
		block("The operating point needs served needs and needs that nothing serves; one kind is not there.")
		return
	}
	want := r.Plan.Point
	if refused.Value > want.FalseRefusal || accepted.Value > want.FalseAccept {
		reject(AtDisposition, "The operating point is not held: %.1f %% of served needs are refused (at most %.1f), %.1f %% of those that nothing serves are accepted (at most %.1f).",
			100*refused.Value, 100*want.FalseRefusal, 100*accepted.Value, 100*want.FalseAccept)
	}
}

package qualify

import "github.com/seed-ae386458/interlock"

// Measure is one number taken of every answer that it concerns.
type Measure struct {
	ID    string
	Title string
	Up    bool // more is better
	// of gives the number, and whether the answer counts at all.
	of func(l Line, a Answer, j Judgement) (float64, bool)
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func served(of func(l Line, a Answer, j Judgement) float64) func(Line, Answer, Judgement) (float64, bool) {
	return func(l Line, a Answer, j Judgement) (float64, bool) {
		if !l.Served() {
			return 0, false
		}
		return of(l, a, j), true
	}
}

// listed is of served needs, and of arms that order what they disclose.
func listed(of func(j Judgement) bool) func(Line, Answer, Judgement) (float64, bool) {
	return func(l Line, a Answer, j Judgement) (float64, bool) {
		return yes(of(j)), l.Served() && !a.All
	}
}

func refusal(forbidden bool) func(Line, Answer, Judgement) (float64, bool) {
	return func(l Line, _ Answer, j Judgement) (float64, bool) {
		return yes(j.Accepted), !l.Served() && (l.Gold.Disposition == interlock.Forbidden) == forbidden
	}
}

// measures are all that is taken, in the order in which they are shown.
var measures = [...]Measure{
	{"recall", "required tools disclosed", true, served(func(_ Line, _ Answer, j Judgement) float64 { return j.Hits })},
	{"complete", "complete sets", true, served(func(_ Line, _ Answer, j Judgement) float64 { return yes(j.Complete) })},
	{"ranked", "required tools among the first K, whatever the answer", true, served(func(_ Line, _ Answer, j Judgement) float64 { return j.Ranked })},
	{"first", "a required tool is first", true, listed(func(j Judgement) bool { return j.First })},
	{"recall_equal", "required tools, equal ones counted", true, served(func(_ Line, _ Answer, j Judgement) float64 { return j.EqualHits })},
	{"operation", "right operation first, equal ones counted", true, listed(func(j Judgement) bool { return j.EqualFirst })},
	{"sibling", "a sibling of the same source first instead", false, listed(func(j Judgement) bool { return j.Sibling })},
	{"false_refusal", "served needs refused", false, served(func(_ Line, _ Answer, j Judgement) float64 { return yes(!j.Accepted) })},
	{"false_accept", "needs that nothing serves, accepted", false, refusal(false)},
	{"forbidden_accept", "forbidden needs accepted", false, refusal(true)},
	{"disposition", "right kind of answer", true, func(_ Line, _ Answer, j Judgement) (float64, bool) { return yes(j.Kind), true }},
	{"ambiguous_right", "ambiguous answers that are right", true, func(_ Line, a Answer, j Judgement) (float64, bool) {
		return yes(j.Tie), a.Disposition == interlock.Ambiguous
	}},
	{"ambiguous_found", "needs that equal tools serve, answered ambiguous", true, func(l Line, _ Answer, j Judgement) (float64, bool) {
		return yes(j.Tie), l.Served() && len(l.Equal) == 1 && len(l.Equal[0]) > 1
	}},
	{"missing_named", "every missing input asked for", true, func(l Line, _ Answer, j Judgement) (float64, bool) {
		return yes(j.Named), len(l.Gold.Missing) > 0
	}},
	{"outputs", "wanted fields given, with unit and qualifiers", true, func(l Line, a Answer, _ Judgement) (float64, bool) {
		return yes(a.Gives), len(l.Gold.Outputs) > 0 && !a.All
	}},
	{"barred", "answers that disclose what may not be", false, func(_ Line, a Answer, _ Judgement) (float64, bool) { return yes(len(a.Barred) > 0), true }},
	{"right", "answers without a failure", true, func(_ Line, _ Answer, j Judgement) (float64, bool) { return yes(j.Failure == ""), true }},
}

// Measures gives all measures, in order.
func Measures() []Measure { return append([]Measure(nil), measures[:]...) }

func measureOf(id string) *Measure {
	for i := range measures {
		if measures[i].ID == id {
			return &measures[i]
		}
	}
	return nil
}

// upward names the measures in which more is better.
func upward() []string {
	var out []string
	for _, m := range measures {
		if m.Up {
			out = append(out, m.ID)
		}
	}
	return out
}

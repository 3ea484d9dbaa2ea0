package drift

import (
	"fmt"
	"strconv"
	"strings"
)

// listed reads how long lists are.
func (t *tool) listed(m moment, o *Observation) {
	l := o.List
	if l == nil || l.Moved || l.Limit < 0 {
		return
	}
	short := l.Count < l.Limit && l.Total > l.Count && !l.More
	if l.Omitted {
		t.unasked(m, o, l, short)
		return
	}
	r := t.lengths(l.By)
	switch {
	case l.Count > l.Limit:
		t.over(m, o, l, r)
	case short:
		t.cut(m, o, l, r)
	case l.Count == l.Limit:
		t.kept(l, r)
	}
}

func (t *tool) lengths(key string) *run {
	r := t.Lists[key]
	if r == nil {
		r = &run{}
		if len(t.Lists) < maxRoles {
			put(&t.Lists, key, r)
		}
	}
	return r
}

// kept is a list as long as it was asked to be.
func (t *tool) kept(l *List, r *run) {
	r.Exact = min(r.Exact+1, 1000)
	t.clean(IndexOrBoundConvention, l.By)
	if r.As != "" && l.Limit == r.Count {
		return // as many as ever: it says nothing
	}
	t.clean(ParamIgnored, l.By)
	if r.As == "" || l.Limit > r.Count {
		*r = run{Exact: r.Exact}
		t.clean(SilentTruncation, l.At)
	}
}

// over is a list longer than it was asked to be.
func (t *tool) over(m moment, o *Observation, l *List, r *run) {
	byOne := l.Count == l.Limit+1
	as := "over"
	if byOne {
		as = "over by one"
	}
	r.counted(as, l.Count, byOne)
	r.put(&r.Out, strconv.FormatInt(l.Limit, 10))
	switch {
	case byOne && len(r.Out) >= 3:
		t.suspectIt(m, o, claim{kind: IndexOrBoundConvention, at: l.By, doc: "at most that many", saw: "one more", confidence: 0.999,
			evidence: fmt.Sprintf("lists have one element more than asked for, for %d different limits", len(r.Out))}, 1, 1)
	case !byOne && len(r.Out) >= 2:
		t.suspectIt(m, o, claim{kind: ParamIgnored, at: l.By, doc: "at most that many", saw: "as many whatever is asked", confidence: 0.9999,
			evidence: fmt.Sprintf("lists of %d elements for limits of %s", l.Count, strings.Join(r.Out, ", "))}, 1, 1)
	}
}

// cut is a list that is shorter than it was asked to be while there is more,
// and nothing says so.
func (t *tool) cut(m moment, o *Observation, l *List, r *run) {
	if r.As == "over" && r.Count == l.Count {
		r.put(&r.Out, strconv.FormatInt(l.Limit, 10)) // as many whatever is asked
		return
	}
	byOne := l.Count == l.Limit-1
	as := "cut"
	if byOne {
		as = "cut by one"
	}
	r.counted(as, l.Count, byOne)
	r.put(&r.Out, strconv.FormatInt(l.Limit, 10))
	switch {
	case byOne && len(r.Out) >= 3:
		t.suspectIt(m, o, claim{kind: IndexOrBoundConvention, at: l.By, doc: "that many", saw: "one less", confidence: 0.999,
			evidence: fmt.Sprintf("lists have one element less than asked for while there are more, for %d different limits", len(r.Out))}, 1, 1)
	case !byOne && len(r.Out) >= 2:
		t.suspectIt(m, o, claim{kind: SilentTruncation, at: l.At, doc: "as many as asked for, while there are", saw: "fewer", confidence: 0.9999,
			evidence: fmt.Sprintf("lists of %d elements for limits of %s, while there are %d and nothing says so", l.Count, strings.Join(r.Out, ", "), l.Total)}, 1, 1)
	}
}

// unasked is a list whose length was left to the documented default.
func (t *tool) unasked(m moment, o *Observation, l *List, short bool) {
	r := t.lengths(l.By + "?")
	switch {
	case l.Count > l.Limit || short:
		r.another(strconv.FormatInt(l.Count, 10))
		if r.N >= 2 && !(short && t.standing(string(SilentTruncation)+"|"+l.At+"|fewer") != nil) {
			t.suspectIt(m, o, claim{kind: DefaultChanged, at: l.By, doc: "default " + strconv.FormatInt(l.Limit, 10), saw: "another number", confidence: 0.9999,
				evidence: fmt.Sprintf("%d elements with the argument left out, in %d calls out of %d; the documented default is %d", l.Count, r.N, r.N, l.Limit)}, 1, 1)
		}
	case l.Count == l.Limit:
		*r = run{}
		t.clean(DefaultChanged, l.By)
	}
}

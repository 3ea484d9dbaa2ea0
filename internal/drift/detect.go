package drift

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// run is a row of calls that show the same thing, with nothing against it in
// between.
type run struct {
	As    string   `json:",omitempty"`
	N     int      `json:",omitempty"`
	Tags  []string `json:",omitempty"` // different arguments
	Out   []string `json:",omitempty"` // different outputs, or limits
	Exact int      `json:",omitempty"` // calls before that were in order
	Sides string   `json:",omitempty"` // of outputs that do not follow: above, below
	Count int64    `json:",omitempty"` // of a list
}

// another begins a row where what is shown is another thing.
func (r *run) another(as string) {
	if r.As != as {
		*r = run{As: as, Exact: r.Exact}
	}
	r.N++
}

// counted begins a row where the count is another; by one it may be any.
func (r *run) counted(as string, count int64, byOne bool) {
	if r.Count != count && !byOne {
		*r = run{Exact: r.Exact}
	}
	r.another(as)
	r.Count = count
}

func (r *run) put(list *[]string, text string) {
	if text != "" && len(*list) < 4 && !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

func parseFloat(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return v
}

// repeats reads how outputs repeat inputs.
func (t *tool) repeats(m moment, o *Observation) {
	for i, e := range o.Echoes {
		if i == maxEchoes {
			return
		}
		key := e.In + ">" + e.Out
		if e.Omitted {
			key += "?"
		}
		r := t.Echoes[key]
		if r == nil {
			if len(t.Echoes) >= 2*maxEchoes {
				return
			}
			r = &run{}
			t.Echoes[key] = r
		}
		if e.As == "same" {
			t.echoed(e, r)
			continue
		}
		r.another(e.As)
		r.put(&r.Tags, e.Asked)
		if e.Omitted {
			t.defaulted(m, o, e, r)
			continue
		}
		t.echo(m, o, e, r)
	}
}

// echoed takes an output that repeats its input: whatever was suspected is not
// so.
func (t *tool) echoed(e Echo, r *run) {
	exact := r.Exact
	if e.Mixed || !strings.Contains(r.As, "folded") {
		*r = run{Exact: min(exact+1, 1000)}
	}
	if e.Omitted {
		t.clean(DefaultChanged, e.In)
		return
	}
	for _, kind := range [...]Kind{ParamUnitShift, ParamIgnored, CoordinateOrArgumentOrderSwap} {
		t.clean(kind, e.In)
	}
	t.clean(EncodingOrPrecisionLoss, e.Out)
	t.clean(TimezoneOrLocaleShift, e.Out)
	if e.Mixed {
		t.clean(CaseOrNormalisationChange, e.In)
	}
}

// echo reads an output that does not repeat its input.
func (t *tool) echo(m moment, o *Observation, e Echo, r *run) {
	claimed := claim{at: e.In, doc: e.Out + " repeats it", saw: e.As, confidence: 0.9999}
	need, distinct := 2, 2
	switch e.As {
	case "swapped":
		claimed.kind = CoordinateOrArgumentOrderSwap
		claimed.evidence = fmt.Sprintf("%s and %s come back in each other's place, in %d calls out of %d", e.In, e.With, r.N, r.N)
	case "rounded":
		claimed.kind = EncodingOrPrecisionLoss
		claimed.at = e.Out
		claimed.evidence = fmt.Sprintf("%s repeats %s with fewer digits than it has", e.Out, e.In)
		need, distinct = 1, 1
		if !reads(t.Doc.Effect) {
			need = 2
		}
	case "near":
		if r.Exact < 3 {
			return // it may always have been cut
		}
		claimed.kind = EncodingOrPrecisionLoss
		claimed.at = e.Out
		claimed.evidence = fmt.Sprintf("%s repeated %s exactly before, and comes near it now", e.Out, e.In)
		need, distinct = 3, 3
	case "folded":
		if r.Exact < 3 {
			return // it may always have been folded
		}
		claimed.kind = CaseOrNormalisationChange
		claimed.evidence = fmt.Sprintf("%s came back as it was sent before, and now in another case or spacing", e.In)
		need = 3
	case "zone":
		claimed.kind = TimezoneOrLocaleShift
		claimed.at = e.Out
		claimed.evidence = fmt.Sprintf("%s is off by whole quarters of an hour", e.Out)
		need = 3
	case "above", "below":
		t.follows(m, o, e)
		return
	default:
		claimed.kind = ParamUnitShift
		claimed.evidence = fmt.Sprintf("%s is %s of what %s asks for, in %d calls out of %d with different values", e.Out, times(e.As), e.In, r.N, r.N)
	}
	if r.N >= need && (len(r.Tags) >= distinct || e.Asked == "") {
		t.suspectIt(m, o, claimed, 1, 1)
	}
}

func times(factor string) string {
	if strings.Contains(factor, "/") {
		return factor
	}
	return factor + " times"
}

// follows tells an output that stays while its input moves to both sides of it:
// not a bound, but an argument without effect.
func (t *tool) follows(m moment, o *Observation, e Echo) {
	key := e.In + ">" + e.Out + "!"
	r := t.Echoes[key]
	if r == nil {
		if len(t.Echoes) >= 3*maxEchoes {
			return
		}
		r = &run{}
		t.Echoes[key] = r
	}
	if e.Tag == "" {
		return
	}
	r.another(e.Tag)
	r.put(&r.Tags, e.Asked)
	if !strings.Contains(r.Sides, e.As) {
		r.Sides += e.As
	}
	if len(r.Tags) >= 3 && len(r.Sides) > len("above") {
		t.suspectIt(m, o, claim{kind: ParamIgnored, at: e.In, doc: e.Out + " repeats it", saw: "one value whatever is asked", confidence: 0.999,
			evidence: fmt.Sprintf("%s is the same for %d different values of %s, above it and below", e.Out, len(r.Tags), e.In)}, 1, 1)
	}
}

// defaulted reads an output that does not show the documented default of an
// input that was left out.
func (t *tool) defaulted(m moment, o *Observation, e Echo, r *run) {
	if r.N >= 2 && e.As != "swapped" {
		t.suspectIt(m, o, claim{kind: DefaultChanged, at: e.In, doc: "the documented default", saw: "another value", confidence: 0.999,
			evidence: fmt.Sprintf("with %s left out, %s is not its documented default, in %d calls out of %d", e.In, e.Out, r.N, r.N)}, 1, 1)
	}
}

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
			t.Lists[key] = r
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

// repeat is the last read, to tell whether reading moves what only a write
// moves.
type repeat struct {
	Args, Revision string
	Step           string
	N              int
	Index          int64
}

// minRaises is how often in a row a read has to raise a revision by the same
// step.
const minRaises = 3

func (t *tool) revisions(m moment, o *Observation) {
	if o.Failed || o.Revision == "" || o.Args == "" || !reads(t.Doc.Effect) {
		return
	}
	r := &t.Read
	same := r.Args == o.Args && m.disturbed <= r.Index
	step := ""
	if a, err := strconv.ParseInt(r.Revision, 10, 64); err == nil && same {
		if b, err := strconv.ParseInt(o.Revision, 10, 64); err == nil && b != a {
			step = strconv.FormatInt(b-a, 10)
		}
	} else if same && r.Revision != o.Revision {
		step = "#"
	}
	switch {
	case step == "":
		if same {
			t.clean(SideEffectInRead, o.RevisionAt)
		}
		*r = repeat{Args: o.Args, Revision: o.Revision, Index: m.index}
		return
	case r.N > 0 && r.Step != step:
		r.N = 0
	}
	*r = repeat{Args: o.Args, Revision: o.Revision, Step: step, N: r.N + 1, Index: m.index}
	if r.N >= minRaises {
		t.suspectIt(m, o, claim{kind: SideEffectInRead, at: o.RevisionAt, doc: "moves by writes alone", saw: "moved by reads", confidence: 0.999,
			evidence: fmt.Sprintf("%d reads in a row with the same arguments, and no write between them, each moved the revision by %s", r.N+1, step)}, 1, 1)
	}
}

// holding is how long calls took against how long they were asked to.
type holding struct {
	Held  int      // calls that took as long as was asked
	Other int      // calls that did not
	Tags  []string // different arguments of those that did
	Short run
}

// holds reads whether calls take as long as an argument asks.
func (t *tool) holds(m moment, o *Observation) {
	if len(o.Waits) != 1 {
		return
	}
	for at, asked := range o.Waits {
		mood := o.Mood
		if o.Failed {
			mood = o.outcome()
		}
		if mood == "" || asked < 50_000 {
			return
		}
		key := at + "|" + mood
		h := t.Waits[key]
		if h == nil {
			if len(t.Waits) >= 2*maxRoles {
				return
			}
			h = &holding{}
			t.Waits[key] = h
		}
		h.take(t, m, o, at, asked)
	}
}

func (h *holding) take(t *tool, m moment, o *Observation, at string, asked int64) {
	held := o.Took >= asked-asked/10 && o.Took <= 2*asked+1_000_000
	rule := h.Held >= 3 && len(h.Tags) >= 2 && h.Other*20 <= h.Held
	switch {
	case held:
		h.Held++
		h.Short = run{}
		(&h.Short).put(&h.Tags, o.Args)
		t.clean(ParamUnitShift, at)
	case !rule:
		h.Other++
	case o.Took < asked/10:
		h.Short.another("short")
		h.Short.put(&h.Short.Tags, o.Args)
		if h.Short.N >= 3 && len(h.Short.Tags) >= 2 {
			t.suspectIt(m, o, claim{kind: ParamUnitShift, at: at, doc: "calls take as long as it says", saw: "a small part of it", confidence: 0.9999,
				evidence: fmt.Sprintf("calls with this answer took as long as %s says in %d cases, and now less than a tenth of it in %d out of %d with different values", at, h.Held, h.Short.N, h.Short.N)}, 1, 1)
		}
	default:
		h.Other++
		h.Short = run{}
	}
}

// scale is how a number with a unit has been.
type scale struct {
	Factor string    `json:",omitempty"` // of the row of calls against what the same arguments gave before
	N      int       `json:",omitempty"`
	Tags   []string  `json:",omitempty"`
	Base   []float64 `json:",omitempty"` // log10 of the first
	Late   []float64 `json:",omitempty"` // log10 of the last
}

const (
	baseMarks = 32
	lateMarks = 24
)

// scales reads whether numbers with a unit moved by the ratio of two units:
// against what the same arguments gave, and over all.
func (t *tool) scales(m moment, o *Observation, had *known) {
	n := 0
	for _, at := range sortedKeys(o.Marks) {
		if n++; n > maxMarks {
			return
		}
		v := parseFloat(o.Marks[at])
		u := t.Units[at]
		if u == nil {
			if len(t.Units) >= maxUnits {
				return
			}
			u = &scale{}
			t.Units[at] = u
		}
		if had != nil && had.Marks[at] != "" {
			t.against(m, o, at, v, parseFloat(had.Marks[at]), u)
		}
		if v > 0 {
			t.spread(m, o, at, math.Log10(v), u)
		}
	}
}

// against holds a number against what the same arguments gave before.
func (t *tool) against(m moment, o *Observation, at string, now, before float64, u *scale) {
	if before == 0 || now == 0 {
		return
	}
	f, ok := factorOf(now/before, 0.002)
	if !ok {
		if r := now / before; r > 0.5 && r < 2 {
			u.Factor, u.N, u.Tags = "", 0, nil
			t.clean(OutputUnitShift, at)
		}
		return
	}
	if u.Factor != f {
		u.Factor, u.N, u.Tags = f, 0, nil
	}
	u.N++
	(&run{}).put(&u.Tags, o.Args)
	need := 2
	if math.Abs(math.Log10(math.Abs(before))-math.Round(math.Log10(math.Abs(before)))) < 1e-9 {
		need = 4 // from 1 to 100 is how far some things get
	}
	if len(u.Tags) >= need {
		t.suspectIt(m, o, claim{kind: OutputUnitShift, at: at, doc: "a number in its unit", saw: times(f), confidence: 0.9999,
			evidence: fmt.Sprintf("the same arguments give %s of what they gave before, in %d calls out of %d with different arguments", times(f), u.N, u.N)}, 1, 1)
	}
}

// spread compares the last numbers with the first by the median of their
// pairwise differences (Hodges and Lehmann): a shift by a known factor, and by
// nothing else.
func (t *tool) spread(m moment, o *Observation, at string, log float64, u *scale) {
	if len(u.Base) < baseMarks {
		u.Base = append(u.Base, log)
		return
	}
	if u.Late = append(u.Late, log); len(u.Late) < lateMarks {
		return
	}
	low, mid, high := hodgesLehmann(u.Base, u.Late)
	u.Late = nil // windows do not overlap: the second confirms the first
	f, ok := factorOf(math.Pow(10, mid), 0.25)
	if !ok || high-low > 0.6 || low <= 0 && high >= 0 || low > math.Log10(factorValue(f)) || high < math.Log10(factorValue(f)) {
		if math.Abs(mid) < 0.3 {
			t.clean(OutputUnitShift, at)
		}
		return
	}
	t.suspectIt(m, o, claim{kind: OutputUnitShift, at: at, doc: "a number in its unit", saw: times(f), confidence: 0.999,
		evidence: fmt.Sprintf("the numbers of two windows of %d calls lie at %s of the first %d", lateMarks, times(f), baseMarks)}, 2, 1)
}

func factorValue(name string) float64 {
	for _, f := range factors {
		if f.name == name {
			return f.value
		}
	}
	return 1
}

// hodgesLehmann gives the median of all differences late − base and the bounds
// that hold it at 99.9 % by the normal approximation of the rank sum.
func hodgesLehmann(base, late []float64) (low, mid, high float64) {
	diffs := make([]float64, 0, len(base)*len(late))
	for _, a := range base {
		for _, b := range late {
			diffs = append(diffs, b-a)
		}
	}
	slices.Sort(diffs)
	n, k := float64(len(base)), float64(len(late))
	half := int(3.29 * math.Sqrt(float64(n*k)*(n+k+1)/12))
	c := len(diffs) / 2
	return diffs[max(0, c-half)], diffs[c], diffs[min(len(diffs)-1, c+half)]
}

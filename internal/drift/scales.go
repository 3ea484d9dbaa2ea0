package drift

import (
	"fmt"
	"math"
	"slices"
)

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
			put(&t.Units, at, u)
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

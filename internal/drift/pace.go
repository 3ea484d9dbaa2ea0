package drift

import (
	"fmt"
	"math/bits"
)

// pace is how long answers take, or how large they are, by powers of two: the
// first few hundred, and windows of a hundred after them. The first may hold a
// slow day, so what follows has to lie beyond nine in ten of them.
type pace struct {
	N       int            `json:",omitempty"`
	Buckets map[string]int `json:",omitempty"`
	Tenth   int            `json:",omitempty"` // bucket that a tenth lies at or below
	Ninth   int            `json:",omitempty"` // bucket that nine tenths lie at or below
	Window  int            `json:",omitempty"`
	High    int            `json:",omitempty"`
	Low     int            `json:",omitempty"`
	Rows    int            `json:",omitempty"` // windows in a row that moved the same way
	Way     string         `json:",omitempty"`
}

const (
	paceBase   = 300
	paceWindow = 100
	paceShift  = 3 // powers of two
	paceRows   = 3 // windows in a row: days are slow, and end
)

// take counts a value and reports a lasting move.
func (p *pace) take(v int64) (string, bool) {
	bucket := bits.Len64(uint64(max(v, 0)))
	if p.N < paceBase {
		if p.Buckets == nil {
			p.Buckets = map[string]int{}
		}
		p.Buckets[itoa(bucket)]++
		if p.N++; p.N == paceBase {
			p.Tenth, p.Ninth = quantile(p.Buckets, 1), quantile(p.Buckets, 9)
			p.Buckets = nil
		}
		return "", false
	}
	p.Window++
	if bucket >= p.Ninth+paceShift {
		p.High++
	}
	if bucket <= p.Tenth-paceShift {
		p.Low++
	}
	if p.Window < paceWindow {
		return "", false
	}
	way := ""
	switch {
	case p.High*10 >= paceWindow*9:
		way = rose
	case p.Low*10 >= paceWindow*9:
		way = fell
	}
	if way != p.Way {
		p.Rows = 0
	}
	p.Way, p.Window, p.High, p.Low = way, 0, 0, 0
	if way == "" {
		return "", true
	}
	p.Rows++
	return way, p.Rows == paceRows
}

// quantile is the bucket that so many tenths lie at or below.
func quantile(buckets map[string]int, tenths int) int {
	sum := 0
	for b := range 65 {
		if sum += buckets[itoa(b)]; sum*10 >= paceBase*tenths {
			return b
		}
	}
	return 64
}

// paces watches how long answers take and how large they are.
func (t *tool) paces(m moment, o *Observation) {
	if o.Failed || o.Probe != "" || o.Empty {
		return
	}
	if len(o.Waits) == 0 {
		t.paced(m, o, &t.Pace, o.Took, LatencyShift, "the time of the first answers")
	}
	if o.List == nil {
		t.paced(m, o, &t.Size, int64(o.Size), PayloadSizeShift, "the size of the first answers")
	}
}

func (t *tool) paced(m moment, o *Observation, p *pace, v int64, kind Kind, doc string) {
	way, done := p.take(v)
	switch {
	case done && way == "":
		t.clean(kind, "output:")
	case done:
		word := "eight times and more"
		if way == fell {
			word = "an eighth and less"
		}
		t.suspectIt(m, o, claim{kind: kind, at: "output:", doc: doc, saw: word, confidence: 0.999,
			evidence: fmt.Sprintf("nine in ten of %d answers in a row lie at %s of what nine in ten of the first %d lay at", paceRows*paceWindow, word, paceBase)}, 1, 1)
	}
}

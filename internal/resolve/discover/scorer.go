package discover

import (
	"math"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Scorer turns evidence into scores: a fixed monotone map, one per name. The
// anchors are the 5th percentile and the median of the evidence of right
// matches on the calibration requests named in docs/discovery.md; they map to
// 0.62 and 0.85, so that τ and Δ mean the same for every scorer.
type Scorer struct {
	Name string
	// Latin and Other are for needs in English and for those in Korean and
	// Japanese.
	Latin, Other Regime
	// Precedents are what the catalogue was calibrated with; nil is nothing.
	Precedents *Precedents
	// Gates move the probability that a need is served.
	Gates Gates
	// scale and shift take cosines to where the anchors are; 0 for both leaves
	// them as they are.
	scale, shift float64
}

// Aligned gives the scorer for an embedder whose cosines lie on another line.
func (s Scorer) Aligned(scale, shift float64) Scorer {
	s.scale, s.shift = scale, shift
	return s
}

// aligns reports that cosines are moved at all.
func (s Scorer) aligns() bool { return s.scale != 0 && (s.scale != 1 || s.shift != 0) }

// cosine takes a cosine to where the anchors are. Exactly 0 is no cosine: one of
// the two has no vector.
func (s Scorer) cosine(x float32) float32 {
	if x == 0 || !s.aligns() {
		return x
	}
	return float32(max(-1, min(1, float64(s.scale*float64(x))+s.shift)))
}

// Regime is how evidence is read for needs of one kind of language.
type Regime struct {
	rank    weights // orders the tools of a view: of evidence in units of its spread there
	level   weights // says how near the first one is: of evidence as it stands
	abroad  weights // the same of wordings in another language, where they are read otherwise
	foreign float64 // the share of those in the view
	Anchors Anchors
}

// weights of the kinds of evidence.
type weights struct {
	dense, gist, lexical, native, gloss, implied, source, context, asked, extra float64
}

// Anchors are two points of the evidence scale.
type Anchors struct {
	Low    float64 `json:"low"`
	Median float64 `json:"median"`
}

// The values that the anchors map to.
const (
	Threshold = 0.62 // τ: under it nothing is confident
	Median    = 0.85
	Shadow    = 0.05 // Δ: an incompatible match better by more is an event
)

// How far a tool falls behind on the evidence scale for each unit that its rank
// is lower: behind the first one, and at the least behind the one before it.
const (
	Step  = 0.06
	least = 0.002
)

// LexicalScorer scores without vectors.
func LexicalScorer() Scorer {
	return Scorer{Name: "lexical/5", Latin: lexicalLatin, Other: lexicalOther}
}

// HybridScorer scores with the vectors of the named embedder beside the terms.
func HybridScorer(embedder string) Scorer {
	return Scorer{Name: "hybrid/5+" + embedder, Latin: hybridLatin, Other: hybridOther}
}

// NewScorer gives the scorer of an embedder and a vocabulary; each may be nil.
func NewScorer(embedder interlock.Embedder, glosser interlock.Glosser) Scorer {
	s := LexicalScorer()
	if embedder != nil {
		s = HybridScorer(embedder.Name())
	}
	if glosser != nil {
		s.Name += "+" + glosser.Name()
	}
	return s
}

// With gives the scorer with other anchors, under another name.
func (s Scorer) With(name string, latin, other Anchors) Scorer {
	s.Name, s.Latin.Anchors, s.Other.Anchors = name, latin, other
	return s
}

// Regime gives the one for needs in a language.
func (s Scorer) Regime(l words.Language) Regime {
	if l == words.English {
		return s.Latin
	}
	return s.Other
}

// numbers is one for each kind of evidence.
type numbers [10]float64

// of gives the evidence as numbers in the order of the weights.
func of(e *index.Evidence) numbers {
	return numbers{float64(e.Dense), float64(e.Gist), float64(e.Lexical), float64(e.Native), float64(e.Gloss), float64(e.Implied), float64(e.Source), float64(e.Context), float64(e.Asked), float64(e.Extra)}
}

func (w weights) list() numbers {
	return numbers{w.dense, w.gist, w.lexical, w.native, w.gloss, w.implied, w.source, w.context, w.asked, w.extra}
}

// prior is what evidence is commonly like: it stands beside the view as that
// many tools, so that a view of one tool has a spread too.
const priorTools = 30

var prior = [len(numbers{})]struct{ mean, spread float64 }{
	{0.04, 0.08}, {0.04, 0.08}, {0.02, 0.05}, {0.01, 0.05}, {0.02, 0.06}, {0.02, 0.06}, {0, 0.3}, {0.12, 0.09}, {}, {},
}

// Ranks gives each wording its rank: the weighed sum of its evidence, each kind
// in units of its spread over the view. What acts ask for is weighed as it is.
func (r Regime) Ranks(found []index.Evidence) []float64 {
	rank := r.among(found).ranks(found)
	out := make([]float64, len(found))
	for i := range found {
		out[i] = rank(&found[i])
	}
	return out
}

// ranks gives what ranks a tool among those that were found.
func (r Regime) ranks(found []index.Evidence) func(e *index.Evidence) float64 {
	own, abroad := r.weightsOf()
	mean, scale := spread(found, own)
	near, far := adding(own, mean, scale), adding(abroad, mean, scale)
	if own == abroad {
		return near
	}
	return func(e *index.Evidence) float64 {
		if e.Foreign {
			return far(e)
		}
		return near(e)
	}
}

// adding gives what evidence adds up to by weights.
func adding(w, mean, scale numbers) func(e *index.Evidence) float64 {
	var unit numbers // what one of each kind adds
	least := 0.0     // what a tool has that has nothing of any
	for _, k := range w.heavy() {
		unit[k] = float64(w[k] * scale[k])
		least -= float64(unit[k] * mean[k])
	}
	return func(e *index.Evidence) float64 {
		a := float64(unit[0]*float64(e.Dense)) + float64(unit[1]*float64(e.Gist))
		b := float64(unit[2]*float64(e.Lexical)) + float64(unit[3]*float64(e.Native))
		c := float64(unit[4]*float64(e.Gloss)) + float64(unit[5]*float64(e.Implied))
		d := float64(unit[6]*float64(e.Source)) + float64(unit[7]*float64(e.Context))
		f := float64(unit[8]*float64(e.Asked)) + float64(unit[9]*float64(e.Extra))
		return ((a + b) + (c + d)) + (f + least)
	}
}

// heavy gives the places of what weighs anything.
func (n numbers) heavy() []int {
	var out []int
	for k, w := range n {
		if w != 0 {
			out = append(out, k)
		}
	}
	return out
}

// spread gives the mean and one over the standard deviation of each kind of
// evidence that counts, the prior among them.
func spread(found []index.Evidence, w numbers) (mean, scale numbers) {
	var sum, square numbers
	heavy := w.heavy()
	sums := make([][2]numbers, index.Chunks(len(found)))
	index.Chunked(len(found), func(chunk, from, to int) {
		var sum, square numbers
		for _, k := range heavy { // one kind after the other: what adds up stays at hand
			sum[k], square[k] = adds(found[from:to], k)
		}
		sums[chunk] = [2]numbers{sum, square}
	})
	for _, s := range sums { // in their order: the same bits on any number of processors
		for _, k := range heavy {
			sum[k] += s[0][k]
			square[k] += s[1][k]
		}
	}
	n := float64(len(found)) + priorTools
	for k, p := range prior {
		scale[k] = 1
		if w[k] == 0 || p.spread == 0 {
			continue
		}
		if square[k] == 0 { // what no tool has any of tells nothing
			scale[k] = 0
			continue
		}
		m := (sum[k] + float64(priorTools*p.mean)) / n
		v := (square[k]+float64(priorTools*(float64(p.mean*p.mean)+float64(p.spread*p.spread))))/n - float64(m*m)
		mean[k], scale[k] = m, 1/math.Sqrt(max(v, 1e-9))
	}
	return mean, scale
}

// adds gives the sum of one kind of evidence and that of its squares.
func adds(found []index.Evidence, k int) (sum, square float64) {
	at := func(of func(e *index.Evidence) float32) {
		for i := range found {
			x := float64(of(&found[i]))
			sum += x
			square += float64(x * x)
		}
	}
	switch k {
	case 0:
		at(func(e *index.Evidence) float32 { return e.Dense })
	case 1:
		at(func(e *index.Evidence) float32 { return e.Gist })
	case 2:
		at(func(e *index.Evidence) float32 { return e.Lexical })
	case 3:
		at(func(e *index.Evidence) float32 { return e.Native })
	case 4:
		at(func(e *index.Evidence) float32 { return e.Gloss })
	case 5:
		at(func(e *index.Evidence) float32 { return e.Implied })
	case 6:
		at(func(e *index.Evidence) float32 { return e.Source })
	case 7:
		at(func(e *index.Evidence) float32 { return e.Context })
	}
	return sum, square
}

// Level gives the evidence of one wording on the scale of the anchors.
func (r Regime) Level(e index.Evidence) float64 {
	sum := 0.0
	w := r.levelOf(&e)
	for k, x := range of(&e) {
		sum += float64(w[k] * x)
	}
	return sum
}

// place is where a tool stands on the evidence scale by itself.
func (r Regime) place(e index.Evidence, raised float64) float64 {
	return r.Level(e) + float64(precedentLevel*raised)
}

// precedentLevel is what a unit of rank that precedents give adds to the place.
const precedentLevel = 0.03

// ladder gives the tools of a view, best rank first, their places on the
// evidence scale: what each has itself, drawn a little towards what its distance
// from the first leaves, and never above the one before it.
func (r Regime) ladder() func(own, rank float64) float64 {
	var first, firstRank, last, lastRank float64
	begun := false
	return func(own, rank float64) float64 {
		if !begun {
			begun, first, firstRank, last = true, own, rank, own
		} else {
			mid := float64(0.8*own) + float64(0.2*(first-float64(Step*(firstRank-rank))))
			last = min(mid, last-float64(least*(lastRank-rank)))
		}
		lastRank = rank
		return last
	}
}

// Score maps a place on the evidence scale to [0,1], rounded to four decimals.
func (r Regime) Score(level float64) float64 { return Round(r.Anchors.score(level)) }

// full is the place from which on a match could hardly be nearer: a need that is
// the wording itself stands there.
const full = 0.75

// score is linear from (Low,τ) over (Median,0.85) to (full,1), and falls towards
// 0 below.
func (a Anchors) score(e float64) float64 {
	switch {
	case e < a.Low:
		return Threshold * math.Exp(2*(e/a.Low-1))
	case e < a.Median:
		return Threshold + (Median-Threshold)*(e-a.Low)/(a.Median-a.Low)
	case e < full:
		return Median + (1-Median)*(e-a.Median)/(full-a.Median)
	}
	return 1
}

// Round keeps four decimals: nothing compares or prints more.
func Round(x float64) float64 { return math.Round(x*10000) / 10000 }

package discover

import "math"

// Scorer turns evidence into scores: a fixed monotone map, one per name. The
// anchors are the 5th percentile and the median of the evidence of right
// matches on the calibration requests named in docs/discovery.md; they map to
// 0.62 and 0.85, so that τ and Δ mean the same for every scorer.
type Scorer struct {
	Name string
	// Lexical is the weight of the lexical half where the need is written in
	// Latin letters; the dense half has the rest. CJK is what a covered term
	// adds where it is not.
	Lexical, CJK float64
	// Latin and Other are the anchors of needs in Latin letters and of needs in
	// Han, Kana and Hangul; a mixed need has mixed ones.
	Latin, Other Anchors
}

// Anchors are two points of the evidence scale.
type Anchors struct{ Low, Median float64 }

// The values that the anchors map to.
const (
	Threshold = 0.62 // τ: under it nothing is confident
	Median    = 0.85
	Shadow    = 0.05 // Δ: an incompatible match better by more is an event
)

// LexicalScorer scores without vectors.
func LexicalScorer() Scorer {
	return Scorer{Name: "lexical/1", Lexical: 1, CJK: 1, Latin: lexicalLatin, Other: lexicalOther}
}

// HybridScorer scores with the vectors of the named embedder beside the terms.
func HybridScorer(embedder string) Scorer {
	return Scorer{Name: "hybrid/1+" + embedder, Lexical: lexicalWeight, CJK: cjkWeight, Latin: hybridLatin, Other: hybridOther}
}

// Fuse gives the evidence of one wording for a need with the given share of
// Han, Kana and Hangul terms.
func (s Scorer) Fuse(lexical, dense, cjk float64) float64 {
	latin := float64(s.Lexical * (1 - cjk))
	if s.Lexical == 1 {
		return lexical
	}
	return float64((1-latin)*max(dense, 0)) + float64(latin*lexical) + float64(float64(s.CJK*cjk)*lexical)
}

// Score maps evidence to [0,1], rounded to four decimals.
func (s Scorer) Score(evidence, cjk float64) float64 {
	a := Anchors{mix(s.Latin.Low, s.Other.Low, cjk), mix(s.Latin.Median, s.Other.Median, cjk)}
	return Round(a.score(evidence))
}

func mix(latin, other, cjk float64) float64 {
	return float64(latin*(1-cjk)) + float64(other*cjk)
}

// score is linear between (0,0), (Low,τ), (Median,0.85) and (1,1).
func (a Anchors) score(e float64) float64 {
	switch {
	case e <= 0:
		return 0
	case e < a.Low:
		return Threshold * e / a.Low
	case e < a.Median:
		return Threshold + (Median-Threshold)*(e-a.Low)/(a.Median-a.Low)
	case e < 1:
		return Median + (1-Median)*(e-a.Median)/(1-a.Median)
	}
	return 1
}

// Round keeps four decimals: nothing compares or prints more.
func Round(x float64) float64 { return math.Round(x*10000) / 10000 }

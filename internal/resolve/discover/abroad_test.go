package discover

import (
	"math"
	"testing"

	"github.com/seed-ae386458/interlock/internal/index"
)

// TestWordsAbroad: words of wordings in another language weigh half against the
// cosine where there are no others, nearly as much as others do beside many of
// them, and all there is where there are no vectors; those of a Korean or
// Japanese need weigh what they always do.
func TestWordsAbroad(t *testing.T) {
	among := func(own, other int) []index.Evidence {
		out := make([]index.Evidence, own+other)
		for i := range other {
			out[own+i].Foreign = true
		}
		return out
	}
	for _, s := range []Scorer{LexicalScorer(), HybridScorer("model")} {
		for _, c := range []struct {
			own, other int
			moved      float64
		}{{10, 0, 0}, {0, 10, 1. / 3}, {5, 5, 1. / 12}, {9000, 1000, 1. / 300}} {
			own, abroad := s.Latin.among(among(c.own, c.other)).weightsOf()
			want := s.Latin.rank
			if own != want.list() {
				t.Errorf("%s: wordings in the need's language weigh %v", s.Name, own)
			}
			if want.dense != 0 {
				want.dense *= 1 + c.moved
				want.gist, want.lexical, want.asked = want.gist*(1-c.moved), want.lexical*(1-c.moved), want.asked*(1-c.moved)
			}
			for k, x := range want.list() {
				if math.Abs(abroad[k]-x) > 1e-9 {
					t.Errorf("%s, %d beside %d: %v, want %v", s.Name, c.other, c.own, abroad, want.list())
				}
			}
			if own, abroad := s.Other.among(among(c.own, c.other)).weightsOf(); own != abroad || own != s.Other.rank.list() {
				t.Errorf("%s: of other needs %v and %v", s.Name, own, abroad)
			}
		}
	}
}

// TestLevelAbroad: the evidence of a common right match has a place over the
// low anchor in either language, and that of a stranger has none.
func TestLevelAbroad(t *testing.T) {
	right := index.Evidence{Dense: 0.35, Gist: 0.45, Lexical: 0.1, Foreign: true}
	stranger := index.Evidence{Dense: 0.17, Gist: 0.28, Lexical: 0.04, Foreign: true}
	for _, s := range []Scorer{LexicalScorer(), HybridScorer("model")} {
		mixed := s.Latin
		s.Latin.foreign, mixed.foreign = 1, 0.1
		if got, all := mixed.Level(right), s.Latin.Level(right); got >= all {
			t.Errorf("%s: a right match has %v beside others and %v where there are none", s.Name, got, all)
		}
		if got := s.Latin.Score(s.Latin.Level(right)); got < Threshold {
			t.Errorf("%s: a right match in another language scores %v", s.Name, got)
		}
		if got := s.Latin.Score(s.Latin.Level(stranger)); got >= Threshold {
			t.Errorf("%s: a stranger in another language scores %v", s.Name, got)
		}
		own := right
		own.Foreign = false
		if abroad, home := s.Latin.Level(right), s.Latin.Level(own); abroad <= home {
			t.Errorf("%s: the same evidence is %v in another language and %v in the need's", s.Name, abroad, home)
		}
		if got := s.Other.Level(right); got != s.Other.Level(own) {
			t.Errorf("%s: of other needs %v and %v", s.Name, got, s.Other.Level(own))
		}
	}
}

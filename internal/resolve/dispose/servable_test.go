package dispose_test

import (
	"fmt"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// TestServable: it lies in [0,1], a need that a tool answers has more of it
// than one that none does, and an empty view or wordless need has none.
func TestServable(t *testing.T) {
	s := newStage(t, op("ring", "a.b", "1.0.0", "Ring a bell in a tower"), op("note", "c.d", "1.0.0", "Write a note"), op("rain", "e.f", "1.0.0", "Rain forecast for a city"))
	at := func(need string) interlock.Probability {
		p := s.decide(interlock.Need{Text: need}, discover.LexicalScorer()).Servable()
		if p < 0 || p > 1 {
			t.Errorf("%q: %v", need, p)
		}
		return p
	}
	if yes, no := at("ring the bell in the tower"), at("bake a chocolate cake with cherries"); yes <= no {
		t.Errorf("served %v, unserved %v", yes, no)
	}
	for _, need := range []string{"", "   ", "🙂🙂", "?"} {
		if p := at(need); p != 0 {
			t.Errorf("%q: %v", need, p)
		}
	}
	if p := at("run s/ring"); p < 0.9 {
		t.Errorf("a named tool: %v", p)
	}
	if p := newStage(t).decide(interlock.Need{Text: "ring"}, discover.LexicalScorer()).Servable(); p != 0 {
		t.Errorf("an empty view: %v", p)
	}
}

// TestConfidence: it is what the disposition stands on. What types decide is no
// less certain for being far from the need in words.
func TestConfidence(t *testing.T) {
	s := newStage(t, op("ring", "a.b", "1.0.0", "Ring a bell in a tower"), op("note", "c.d", "1.0.0", "Write a note"))
	ring := "ring the bell in the tower"
	for _, tc := range []struct {
		name string
		need interlock.Need
		kind interlock.Disposition
		want func(served interlock.Probability) interlock.Probability
	}{
		{"supported", interlock.Need{Text: ring}, interlock.Supported, func(p interlock.Probability) interlock.Probability { return p }},
		{"far in words", interlock.Need{Text: "bake a cake with cherries"}, interlock.Unsupported, func(p interlock.Probability) interlock.Probability {
			return interlock.Probability(discover.Round(float64(1 - p)))
		}},
		{"no version", interlock.Need{Text: ring, Constraints: []interlock.Constraint{{Family: "a.b", Range: "^2.0"}}}, interlock.Unsupported, func(interlock.Probability) interlock.Probability { return 1 }},
		{"another effect", interlock.Need{Text: ring, Effects: []interlock.Effect{"write"}}, interlock.Unsupported, func(p interlock.Probability) interlock.Probability {
			return max(p, interlock.Probability(discover.Round(float64(1-p))))
		}},
		{"over budget", interlock.Need{Text: ring + " and write a note", K: 1, Constraints: []interlock.Constraint{{Family: "a.b", Range: "*"}, {Family: "c.d", Range: "*"}}}, interlock.BudgetUnsatisfied,
			func(p interlock.Probability) interlock.Probability { return p }},
	} {
		a := s.decide(tc.need, discover.LexicalScorer())
		if want := tc.want(a.Servable()); a.Disposition() != tc.kind || a.Confidence() != want {
			t.Errorf("%s: %s with confidence %v, want %s with %v of %v", tc.name, a.Disposition(), a.Confidence(), tc.kind, want, a.Servable())
		}
	}
}

// TestServableByWords: without vectors the gates for words alone are read. A
// need that says what a tool says of itself is served, one that shares nothing
// with any is not, over few tools and over many.
func TestServableByWords(t *testing.T) {
	ops := []interlock.Operation{op("ring", "a.b", "1.0.0", "Ring a bell in a tower"), op("note", "c.d", "1.0.0", "Write a note"), op("rain", "e.f", "1.0.0", "Rain forecast for a city")}
	for _, n := range []int{0, 250} {
		for i := range n {
			ops = append(ops, op(fmt.Sprintf("show_record_%d", i), fmt.Sprintf("g.h%d", i), "1.0.0", fmt.Sprintf("Show record %d of the register", i)))
		}
		s := newStage(t, ops...)
		at := func(need string) float64 {
			return float64(s.decide(interlock.Need{Text: need}, discover.LexicalScorer()).Servable())
		}
		for _, need := range []string{"ring the bell in the tower", "rain forecast for the city of Seoul"} {
			if p := at(need); p < 0.5 {
				t.Errorf("%d tools, %q: %v", len(ops), need, p)
			}
		}
		for _, need := range []string{"bake a chocolate cake with cherries", "what is the meaning of life?"} {
			if p := at(need); p >= 0.5 {
				t.Errorf("%d tools, %q: %v", len(ops), need, p)
			}
		}
	}
}

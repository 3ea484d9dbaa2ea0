package dispose_test

import (
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// TestServable: it lies in [0,1], a need that a tool answers has more of it
// than one that none does, and an empty view or wordless need has none.
func TestServable(t *testing.T) {
	s := newStage(t, op("ring", "a.b", "1.0.0", "Ring a bell in a tower"), op("note", "c.d", "1.0.0", "Write a note"), op("rain", "e.f", "1.0.0", "Rain forecast for a city"))
	at := func(need string) float64 {
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

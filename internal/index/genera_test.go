package index

import (
	"testing"

	"github.com/seed-ae386458/interlock/internal/words"
)

// TestWhatAThingIs: a tool that takes what a thing is serves a need that names the
// thing, less than one that names it itself and more than one that speaks of it in
// passing.
func TestWhatAThingIs(t *testing.T) {
	docs := []Doc{
		{Tool: 0, Name: "turn_on_lamp", Description: "Turns a lamp on."},
		{Tool: 1, Name: "turn_on", Description: "Turns a page on.", Params: []string{"device"}},
		{Tool: 2, Name: "turn_over", Description: "Turns a device on.", Params: []string{"page"}},
	}
	view := NewView([]*Segment{Build(3, docs, nil, func(int) []string { return nil })}, []Bitset{full(3)})
	query := NewQuery("turn the lamp on", nil, nil)
	found := Search(view, query)
	if named, kind, other := found[0].Lexical, found[1].Lexical, found[2].Lexical; named <= kind || kind <= other {
		t.Errorf("the lamp %v, what takes a device %v, what speaks of one %v", named, kind, other)
	}
	told := false
	for _, m := range Matched(view, query, found[1]).Lexical {
		told = told || m.Term == "device" && m.Share > 0
	}
	if !told {
		t.Errorf("the device is not told: %+v", Matched(view, query, found[1]).Lexical)
	}
}

// TestWhatStandsInTheNeed: a general noun of the need is a word like others, and
// a need in another language implies none.
func TestWhatStandsInTheNeed(t *testing.T) {
	device, _ := words.GenusOf("devic")
	for _, k := range NewQuery("the lamp is a device", nil, nil).kinds {
		if k.genus == device {
			t.Error("device stands in the need and is implied as well")
		}
	}
	if kinds := NewQuery("lamp 켜줘", nil, nil).kinds; len(kinds) > 0 {
		t.Errorf("a Korean need implies %v", kinds)
	}
}

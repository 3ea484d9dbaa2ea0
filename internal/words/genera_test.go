package words

import (
	"slices"
	"strings"
	"testing"
)

// TestGenera: what a thing is, and how likely its name means such a thing.
func TestGenera(t *testing.T) {
	for term, want := range map[string]string{"lamp": "device", "appl": "fruit", "steak": "food", "taxi": "vehicle"} {
		share := map[string]float64{}
		EachGenus(term, func(g Genus, x float64) { share[g.String()] = x })
		if share[want] < 0.2 || share[want] > 1 {
			t.Errorf("%s is %v, not a %s", term, share, want)
		}
	}
	EachGenus("entirely-unknown", func(Genus, float64) { t.Error("an unknown word is something") })
	if g, ok := GenusOf("devic"); !ok || g.String() != "device" {
		t.Errorf("devic is the noun %v, %v", g, ok)
	}
}

// TestGeneraFile: the table is in order, whole, and no noun is a kind of itself.
func TestGeneraFile(t *testing.T) {
	table := genera()
	if len(table.nouns) != Genera || len(table.place) != Genera || !slices.IsSorted(table.nouns) {
		t.Fatalf("%d nouns, %d terms, in order: %v", len(table.nouns), len(table.place), slices.IsSorted(table.nouns))
	}
	last := ""
	for _, line := range table.lines {
		term, codes, ok := strings.Cut(line, " ")
		if !ok || term <= last || len(codes) == 0 || len(codes)%3 != 0 || strings.Trim(codes, "0123456789abcdef") != "" {
			t.Fatalf("bad line %q after %q", line, last)
		}
		last = term
		EachGenus(term, func(g Genus, share float64) {
			if share <= 0 || share > 1 || Stem(g.String()) == term {
				t.Errorf("%s is a %s by %v", term, g, share)
			}
		})
	}
}

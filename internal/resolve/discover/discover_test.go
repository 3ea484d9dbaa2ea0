package discover

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/version"
)

func TestRankRefusesNothing(t *testing.T) {
	if list, err := Rank(eligible.Set{}, interlock.Need{}, index.Query{}, LexicalScorer()); err == nil || list.Valid() {
		t.Error("a set that eligible did not make was ranked")
	}
}

// TestAnchors: the map of each scorer is monotone, begins at 0, ends at 1, and
// goes through τ and the median where its anchors say, for needs in Latin
// letters, in others, and between.
func TestAnchors(t *testing.T) {
	for _, s := range []Scorer{LexicalScorer(), HybridScorer("model")} {
		for _, cjk := range []float64{0, 0.25, 0.5, 1} {
			low, median := mix(s.Latin.Low, s.Other.Low, cjk), mix(s.Latin.Median, s.Other.Median, cjk)
			for _, p := range []struct{ at, want float64 }{{-1, 0}, {0, 0}, {low, Threshold}, {median, Median}, {1, 1}, {1.2, 1}} {
				if got := s.Score(p.at, cjk); got != p.want {
					t.Errorf("%s at %v, share %v: %v, want %v", s.Name, p.at, cjk, got, p.want)
				}
			}
			last := 0.0
			for e := -0.1; e < 1.2; e += 0.0007 {
				got := s.Score(e, cjk)
				if got < last || got < 0 || got > 1 || got != Round(got) {
					t.Fatalf("%s at %v, share %v: %v after %v", s.Name, e, cjk, got, last)
				}
				last = got
			}
		}
	}
}

func TestFuse(t *testing.T) {
	lexical, hybrid := LexicalScorer(), HybridScorer("model")
	for range 1000 {
		l, d, c := rand.Float64(), 2*rand.Float64()-1, rand.Float64()
		if lexical.Fuse(l, d, c) != l {
			t.Fatal("the lexical scorer heeds vectors")
		}
		got := hybrid.Fuse(l, d, c)
		if more := hybrid.Fuse(l+0.01, d, c); more < got {
			t.Fatalf("more words, less evidence: %v then %v", got, more)
		}
		if more := hybrid.Fuse(l, d+0.01, c); more < got {
			t.Fatalf("nearer in meaning, less evidence: %v then %v", got, more)
		}
		if math.Signbit(got) {
			t.Fatalf("Fuse(%v, %v, %v) = %v", l, d, c, got)
		}
	}
}

func TestRound(t *testing.T) {
	for _, tc := range []struct{ in, want float64 }{{0.67 - 0.62, Shadow}, {0.619951, 0.62}, {0.619949, 0.6199}, {1, 1}, {0, 0}} {
		if got := Round(tc.in); got != tc.want {
			t.Errorf("Round(%v) = %v, want %v", tc.in, got, tc.want)
		}
	}
}

func entry(t *testing.T, id, family, v string, state interlock.State, score float64) Entry {
	t.Helper()
	parsed, err := version.Parse(v)
	if err != nil {
		t.Fatal(err)
	}
	tool := &snapshot.Tool{Version: parsed, State: state}
	tool.ID, tool.Family = id, family
	return Entry{Tool: tool, Class: eligible.Compatible, Score: interlock.Score(score)}
}

// TestSlots: each family and major is one slot; what it offers is its highest
// active version, at the score of its best member.
func TestSlots(t *testing.T) {
	for _, tc := range []struct {
		name    string
		members []string // ID VERSION STATE, best score first
		want    string
	}{
		{"the higher version, whatever scores", []string{"a 1.0.0 active", "b 1.2.0 active", "c 1.1.0 active"}, "b"},
		{"of one version the better scored", []string{"b 1.0.0 active", "a 1.0.0 active"}, "b"},
		{"active before deprecated", []string{"a 1.9.0 deprecated", "b 1.0.0 active"}, "b"},
		{"active before unavailable", []string{"a 1.9.0 unavailable", "b 1.0.0 active"}, "b"},
		{"unavailable before deprecated", []string{"a 1.9.0 deprecated", "b 1.0.0 unavailable"}, "b"},
		{"a release before its pre-release", []string{"a 1.0.0-rc.1 active", "b 1.0.0 active"}, "b"},
		{"deprecated where there is nothing else", []string{"a 1.0.0 deprecated"}, "a"},
	} {
		var list List
		for i, m := range tc.members {
			var id, v, state string
			if _, err := fmt.Sscan(m, &id, &v, &state); err != nil {
				t.Fatal(err)
			}
			list.entries = append(list.entries, entry(t, id, "f", v, interlock.State(state), 0.9-float64(i)/10))
		}
		got := list.Slots(eligible.Compatible)
		if len(got) != 1 || got[0].Tool.ID != tc.want || got[0].Score != 0.9 || len(got[0].Members) != len(tc.members) {
			t.Errorf("%s: got %+v, want %s at 0.9", tc.name, got, tc.want)
		}
	}
}

// TestSlotsKeepParts: random lists; slots hold every entry of their part, once,
// and none of another.
func TestSlotsKeepParts(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		var list List
		count := map[eligible.Class]int{}
		for i := range r.IntN(40) {
			e := entry(t, fmt.Sprint("t", i), fmt.Sprint("f", r.IntN(4)), fmt.Sprintf("%d.%d.0", 1+r.IntN(3), r.IntN(3)), interlock.StateActive, r.Float64())
			e.Class = eligible.Class(r.IntN(3))
			count[e.Class]++
			list.entries = append(list.entries, e)
		}
		slices.SortStableFunc(list.entries, before)
		for class, want := range count {
			n, last, seen := 0, interlock.Score(2), map[string]bool{}
			for _, s := range list.Slots(class) {
				key := slotOf(s.Tool)
				if seen[key] || s.Score > last {
					t.Fatalf("seed %d: slot %q twice, or out of order", seed, key)
				}
				seen[key], last = true, s.Score
				for _, m := range s.Members {
					if m.Class != class || slotOf(m.Tool) != key || m.Score > s.Score {
						t.Fatalf("seed %d: %+v in slot %q", seed, m, key)
					}
					n++
				}
			}
			if n != want {
				t.Fatalf("seed %d: %d entries in slots of %d", seed, n, want)
			}
		}
	}
}

func TestGives(t *testing.T) {
	tool := &snapshot.Tool{Op: interlock.Operation{Fields: []interlock.FieldMeaning{
		{At: "output:/t", SemanticID: "air_temperature", Unit: "Cel", Qualifiers: map[string]string{"height": "2m"}},
		{At: "input:/w", SemanticID: "wind_speed", Unit: "m/s"},
	}}}
	for _, tc := range []struct {
		want interlock.Want
		ok   bool
	}{
		{interlock.Want{SemanticID: "air_temperature"}, true},
		{interlock.Want{SemanticID: "air_temperature", Unit: "Cel"}, true},
		{interlock.Want{SemanticID: "air_temperature", Unit: "K"}, false},
		{interlock.Want{SemanticID: "air_temperature", Qualifiers: map[string]string{"height": "2m"}}, true},
		{interlock.Want{SemanticID: "air_temperature", Qualifiers: map[string]string{"height": "10m"}}, false},
		{interlock.Want{SemanticID: "wind_speed"}, false}, // an input is no output
	} {
		if got := Gives(tool, tc.want); got != tc.ok {
			t.Errorf("Gives(%+v) = %t", tc.want, got)
		}
	}
	if givesAll(tool, nil) {
		t.Error("a need that wants no field names every tool")
	}
}

// slotOf names the slot that a tool belongs to.
func slotOf(t *snapshot.Tool) string { return fmt.Sprint(t.Family, " ", t.Version.Major()) }

package discover

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding"
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

// TestAnchors: the map of each scorer is monotone, lies between 0 and 1, and
// goes through τ and the median where its anchors say.
func TestAnchors(t *testing.T) {
	for _, s := range []Scorer{LexicalScorer(), HybridScorer("model")} {
		for _, r := range []Regime{s.Latin, s.Other} {
			for _, p := range []struct{ at, want float64 }{{r.Anchors.Low, Threshold}, {r.Anchors.Median, Median}, {full, 1}, {1.2, 1}} {
				if got := r.Score(p.at); got != p.want {
					t.Errorf("%s at %v: %v, want %v", s.Name, p.at, got, p.want)
				}
			}
			last := 0.0
			for e := -1.0; e < 1.2; e += 0.0007 {
				got := r.Score(e)
				if got < last || got < 0 || got > 1 || got != Round(got) {
					t.Fatalf("%s at %v: %v after %v", s.Name, e, got, last)
				}
				last = got
			}
			ladder := r.ladder()
			near := index.Evidence{Dense: 0.5, Gist: 0.5, Lexical: 0.5, Native: 0.5}
			first, second, third := ladder(r.place(near, 0), 5), ladder(r.place(near, 0), 4), ladder(0, 3)
			if second >= first || third >= second {
				t.Errorf("%s: places %v, %v, %v", s.Name, first, second, third)
			}
		}
	}
}

// TestRanks: more of any kind of evidence never ranks lower, what the tool does
// beside the request never higher, and a view of one tool has a rank as well.
func TestRanks(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		some := func() float32 { return float32(r.Float64() / 2) }
		found := make([]index.Evidence, 1+r.IntN(6))
		for i := range found {
			found[i] = index.Evidence{Segment: i, Dense: some(), Gist: some(), Implied: some(), Lexical: some(), Native: some(), Gloss: some(), Source: some(), Context: some(), Asked: some(), Extra: some()}
		}
		found = append(found, found[0])
		twin := &found[len(found)-1]
		for _, s := range []Scorer{LexicalScorer(), HybridScorer("model")} {
			for _, regime := range []Regime{s.Latin, s.Other} {
				*twin = found[0]
				twin.Lexical, twin.Native, twin.Gloss, twin.Dense, twin.Context, twin.Gist, twin.Implied = twin.Lexical+0.1, twin.Native+0.1, twin.Gloss+0.1, twin.Dense+0.1, twin.Context+0.1, twin.Gist+0.1, twin.Implied+0.1
				if got := regime.Ranks(found); got[len(got)-1] <= got[0] || math.IsNaN(got[0]) {
					t.Fatalf("seed %d, %s: more evidence ranks %v beside %v", seed, s.Name, got[len(got)-1], got[0])
				}
				*twin = found[0]
				twin.Extra += 0.1
				if got := regime.Ranks(found); got[len(got)-1] > got[0] {
					t.Fatalf("seed %d, %s: another act ranks %v beside %v", seed, s.Name, got[len(got)-1], got[0])
				}
			}
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
	tool := &snapshot.Tool{ToolRecord: &interlock.ToolRecord{ID: id, Family: family}, Version: parsed, State: state}
	slot := 0 // one for each family and major version of these tests
	_, _ = fmt.Sscanf(family, "f%d", &slot)
	return Entry{Tool: tool, Class: eligible.Compatible, Score: interlock.Score(score), slot: 10*slot + int(parsed.Major())}
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
	tool := &snapshot.Tool{Op: &interlock.Operation{Fields: []interlock.FieldMeaning{
		{At: "output:/t", SemanticID: "air_temperature", Unit: "Cel", Qualifiers: map[string]string{"height": "2m"}},
		{At: "input:/w", SemanticID: "wind_speed", Unit: "m/s"},
	}}}
	for _, tc := range []struct {
		want interlock.Want
		ok   bool
	}{
		{interlock.Want{SemanticID: "air_temperature"}, true},
		{interlock.Want{SemanticID: "air_temperature", Unit: "Cel"}, true},
		{interlock.Want{SemanticID: "air_temperature", Unit: "K"}, true}, // converted
		{interlock.Want{SemanticID: "air_temperature", Unit: "s"}, false},
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

// TestPrecedents: a need near to an accepted one raises the tools that served
// it, those alone, and precedents of what is not seen change nothing.
func TestPrecedents(t *testing.T) {
	var p Precedents
	p.Add([]float32{1, 0}, []string{"s/a", "s/a", "s/hidden"})
	p.Add([]float32{0, 1}, []string{"s/b"})
	for range voters {
		p.Add([]float32{1, 0.01}, []string{"s/hidden"})
	}
	need := embedding.Quantise([]float32{1, 0.1})
	seen := func(id string) bool { return id != "s/hidden" }
	got := Scorer{Precedents: &p}.raises(need, seen)
	if got["s/a"] <= got["s/b"] || got["s/b"] <= 0 || len(got) != 2 {
		t.Errorf("%v", got)
	}
	var alone Precedents
	alone.Add([]float32{1, 0}, []string{"s/a"})
	alone.Add([]float32{0, 1}, []string{"s/b"})
	if want := (Scorer{Precedents: &alone}).raises(need, seen); want["s/a"] != got["s/a"] || want["s/b"] != got["s/b"] {
		t.Errorf("with hidden precedents %v, without %v", got, want)
	}
}

package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/router"
)

// letters is an embedder for tests: a text's vector counts its letters.
type letters struct{}

func (letters) Name() string { return "letters/1" }

func (letters) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, 64)
		out[i][63] = 0.1
		for _, r := range text {
			out[i][int(r)%63]++
		}
	}
	return out, nil
}

func calibrationOf(t testing.TB, matches ...discover.Match) []byte {
	t.Helper()
	text, err := json.Marshal(discover.Calibration{Name: discover.CalibrationForm, Scorer: discover.HybridScorer("letters/1").Name, Matches: matches})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCalibrated: accepted matches lead in a serving router, its answers say
// which calibration it was, and it can be exchanged while the router serves.
func TestCalibrated(t *testing.T) {
	g := newGen(31)
	cats, s := g.registry(40), &shelf{stock: map[string]interlock.Catalogue{}}
	need := interlock.Need{Text: "umbrella today", K: 20}
	var lone []string // tools that are a family of their own
	for name, cat := range cats {
		for _, op := range cat.Operations {
			if op.State == "" && op.Family == "" {
				lone = append(lone, name+"/"+op.Name)
			}
		}
	}
	slices.Sort(lone)
	one, other := lone[0], lone[1]
	plain := calibrationOf(t, discover.Match{Query: "umbrella today", Tools: []string{one}})
	r := newRouterWith(t, s, func(o *router.Options) { o.Embedder, o.Calibration = letters{}, plain })
	stock(t, r, s, cats, genSources)
	ask := func() interlock.Resolution {
		t.Helper()
		if err := r.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		res, err := r.Resolve(t.Context(), interlock.Local(), need)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	first := ask()
	if !strings.Contains(first.Scorer, "+calibration/") || len(first.Candidates) == 0 || first.Candidates[0].Tool != one {
		t.Fatalf("%d candidates by %s, want %s first", len(first.Candidates), first.Scorer, one)
	}
	if err := r.Calibrate(calibrationOf(t, discover.Match{Query: "umbrella today", Tools: []string{other}})); err != nil {
		t.Fatal(err)
	}
	if two := ask(); two.Scorer == first.Scorer || len(two.Candidates) == 0 || two.Candidates[0].Tool != other {
		t.Errorf("%d candidates by %s, want %s first", len(two.Candidates), two.Scorer, other)
	}
	if err := r.Calibrate(nil); err != nil {
		t.Fatal(err)
	}
	if none := ask(); strings.Contains(none.Scorer, "calibration") {
		t.Errorf("without a calibration the scorer is %s", none.Scorer)
	}
	for _, bad := range [][]byte{[]byte("{}"), []byte(strings.Replace(string(plain), "letters/1", "letters/2", 1))} {
		if err := r.Calibrate(bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// TestCalibrationOfHiddenTools: matches of tools that a principal does not see
// change no byte that he gets; a calibration itself is the same for everyone.
func TestCalibrationOfHiddenTools(t *testing.T) {
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := newGen(3000 + seed)
			cats, alice := g.registry(40), g.principal("alice")
			seen := visible(alice, cats)
			var matches []discover.Match
			for source, cat := range cats {
				for _, op := range cat.Operations {
					matches = append(matches, discover.Match{Query: g.words(3), Tools: []string{source + "/" + op.Name}})
				}
			}
			text := calibrationOf(t, matches...)
			with := func(o *router.Options) { o.Embedder, o.Calibration = letters{}, text }
			whole, part := &shelf{stock: map[string]interlock.Catalogue{}}, &shelf{stock: map[string]interlock.Catalogue{}}
			a, b := newRouterWith(t, whole, with), newRouterWith(t, part, with)
			stock(t, a, whole, cats, genSources)
			stock(t, b, part, seen, genSources)
			for range 30 {
				sameFor(t, a, b, alice, answered, g.need())
			}
		})
	}
}

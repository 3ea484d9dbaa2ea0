package router_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/router"
)

// steep is an embedder whose cosines lie on another line than those on which
// scores are anchored.
type steep struct{ letters }

func (steep) Name() string { return "steep/1" }

func (steep) Align(context.Context) error { return nil }

func (steep) Alignment() (scale, shift float64, known bool) { return 1.7, -0.9, true }

// TestExplanationAddsUp: what an explanation says that each kind of evidence
// adds is the rank, to the last of its four decimals, whatever embeds and
// whether or not the catalogue is calibrated; precedents add nothing where there
// are none, and a cosine is told as it was weighed.
func TestExplanationAddsUp(t *testing.T) {
	for name, change := range map[string]func(o *router.Options){
		"by words":   func(*router.Options) {},
		"by vectors": func(o *router.Options) { o.Embedder = letters{} },
		"aligned":    func(o *router.Options) { o.Embedder = steep{} },
		"calibrated": func(o *router.Options) {
			o.Embedder = letters{}
			o.Calibration = calibrationOf(t, discover.Match{Query: "umbrella today", Tools: []string{"s0/a", "s1/b"}}, discover.Match{Query: "send a letter", Tools: []string{"s0/b"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(4) {
				g := newGen(900 + seed)
				s := &shelf{stock: map[string]interlock.Catalogue{}}
				r := newRouterWith(t, s, change)
				stock(t, r, s, g.registry(40), genSources)
				if err := r.Settle(t.Context()); err != nil {
					t.Fatal(err)
				}
				for range 10 {
					need := g.need()
					need.Explain = true
					res, err := r.Resolve(t.Context(), interlock.Local(), need)
					if err != nil {
						t.Fatal(err)
					}
					for _, c := range res.Explanation.Candidates {
						if err := addsUp(c, name == "calibrated"); err != nil {
							t.Fatalf("seed %d, %q, %s: %v: %+v", seed, need.Text, res.Scorer, err, c)
						}
					}
				}
			}
		})
	}
}

// addsUp holds the parts of a rank against it.
func addsUp(c interlock.Explained, calibrated bool) error {
	units := func(x interlock.Score) int64 { return int64(math.Round(float64(x) * 1e4)) }
	sum := int64(0)
	for _, e := range c.Evidence {
		sum += units(e.Adds)
		if e.Kind == "precedents" && !calibrated {
			return fmt.Errorf("precedents add %v where there are none", e.Adds)
		}
		if e.Kind == "meaning" && math.Abs(float64(e.Value)) > 1 {
			return fmt.Errorf("a cosine of %v", e.Value)
		}
	}
	if sum != units(c.Rank) {
		return fmt.Errorf("the parts add up to %d of %d ten thousandths", sum, units(c.Rank))
	}
	return nil
}

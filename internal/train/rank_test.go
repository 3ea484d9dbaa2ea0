package train

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// choices makes requests whose right tool is mostly the one that some weights
// would put first.
func choices(n int, w Weights, seed uint64) []Order {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]Order, n)
	for i := range out {
		o := Order{Stratum: "en single", Request: fmt.Sprint(i), Source: fmt.Sprint("s", i%4), Publisher: fmt.Sprint("p", i%9), Answer: fmt.Sprint("a", i%30), English: true, Scored: i%2 == 0, Units: make([][discover.NumKinds]float32, 40)}
		best, most := 0, -1e9
		for j := range o.Units {
			sum := 2 * r.NormFloat64()
			for k := range o.Units[j] {
				o.Units[j][k] = float32(r.NormFloat64())
				sum += w[k] * float64(o.Units[j][k])
			}
			if sum > most {
				best, most = j, sum
			}
		}
		o.Gold = [][]int{{best}}
		out[i] = o
	}
	return out
}

// TestFitRank: weights that made the choices come back in their proportions, no
// sign turns, and a second fit is the same.
func TestFitRank(t *testing.T) {
	truth := Weights{0: 2, 2: 1, 8: 1, 9: -1}
	orders := choices(1500, truth, 3)
	got := FitRank(orders, Weights{0: 1, 1: 1, 2: 1, 9: -0.5})
	if again := FitRank(orders, Weights{0: 1, 1: 1, 2: 1, 9: -0.5}); again != got {
		t.Errorf("%v, then %v", got, again)
	}
	if got[2] <= 0 || got[0]/got[2] < 1.6 || got[0]/got[2] > 2.4 || got[1] > 0.2*got[2] || got[8]/got[2] < 0.7 || got[9] >= 0 {
		t.Errorf("%v", got)
	}
	against := FitRank(orders, Weights{0: -0.1, 9: -1})
	if against[0] < 0 {
		t.Errorf("a sign that may not be stands: %v", against)
	}
	turned := FitRank(choices(1500, Weights{0: 2, 1: -2, 9: 2}, 4), Weights{0: 1})
	if turned[1] != 0 || turned[9] != 0 || turned[0] <= 0 {
		t.Errorf("signs turned: %v", turned)
	}
}

func TestPlaced(t *testing.T) {
	o := Order{Units: make([][discover.NumKinds]float32, 8), Gold: [][]int{{1, 6}, {7}}}
	for i := range o.Units {
		o.Units[i][0] = float32(8 - i)
	}
	if five, first := o.placed(Weights{0: 1}); five != 0.5 || first != 0 {
		t.Errorf("five %v, first %v", five, first)
	}
	if five, first := o.placed(Weights{0: -1}); five != 1 || first != 1 {
		t.Errorf("turned: five %v, first %v", five, first)
	}
	if five, first := o.placed(Weights{}); five != 0 || first != 0 {
		t.Errorf("a tie counts: five %v, first %v", five, first)
	}
}

// TestRankVerdict: learned weights ship where they win on what they did not see,
// and not where there is nothing to win.
func TestRankVerdict(t *testing.T) {
	truth := Weights{0: 2, 2: 2}
	orders := choices(1200, truth, 5)
	for want, hand := range map[string]Weights{"hand": truth, "learned": {0: 0.2, 4: 2, 9: -2}} {
		r := NewRankReport("d", orders, map[string]Weights{english: hand, others: hand})
		if got := r.Verdict[english]; got.Ship != want {
			t.Errorf("%s ships, want %s: %s", got.Ship, want, got.Why)
		}
		if r.Verdict[others].Ship != "hand" {
			t.Error("learned from nothing")
		}
		if text := r.String(); !strings.Contains(text, "| source left out |") || !strings.Contains(text, "| dense |") {
			t.Errorf("tables:\n%s", text)
		}
	}
}

// TestRankShipped: the report that stands here says what its own figures say, of
// the kinds of evidence that there are, and where it says that learned weights
// ship they do.
func TestRankShipped(t *testing.T) {
	text, err := os.ReadFile("rank.json")
	if err != nil {
		t.Fatal(err)
	}
	var file RankFile
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	shipped(t, "with vectors", file.Hybrid, discover.HybridScorer("any"))
	shipped(t, "by words alone", file.Lexical, discover.LexicalScorer())
}

func shipped(t *testing.T, name string, r RankReport, s discover.Scorer) {
	t.Helper()
	kinds := discover.Kinds()
	if r.Name != rankForm || !slices.Equal(r.Kinds, kinds[:]) || !strings.HasPrefix(r.Data, "sha256:") || len(r.Left) != len(lefts()) {
		t.Errorf("%s: %s of %s over %v", name, r.Name, r.Data, r.Kinds)
	}
	for regime, ships := range map[string]Weights{english: s.Latin.Weights(), others: s.Other.Weights()} {
		if got := r.decide(regime); !reflect.DeepEqual(got, r.Verdict[regime]) {
			t.Errorf("%s, %s: %+v does not follow from the figures: %+v", name, regime, r.Verdict[regime], got)
		}
		if hand := r.Hand[regime]; r.Verdict[regime].Ship == "hand" && ships != hand {
			t.Errorf("%s, %s: %v ship, and the report is of %v; `make train` makes it anew", name, regime, ships, hand)
		}
		if r.Verdict[regime].Ship == "learned" && ships != r.Weights[regime] {
			t.Errorf("%s, %s: %v ship, and the report says %v", name, regime, ships, r.Weights[regime])
		}
	}
}

package train

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// RankFile holds the reports for a scorer with vectors and for one without.
type RankFile struct {
	Hybrid  RankReport `json:"hybrid"`
	Lexical RankReport `json:"lexical"`
}

// RankReport is what learned weights of a rank attain beside the hand-set ones,
// on requests whose source, publisher or answer they did not see, and what each
// kind of evidence is worth.
type RankReport struct {
	Name     string             `json:"name"`
	Data     string             `json:"data"`
	Scored   int                `json:"scored"`  // over the ladder
	Learned  int                `json:"learned"` // beside those
	Kinds    []string           `json:"kinds"`
	Hand     map[string]Weights `json:"hand"`    // by regime
	Weights  map[string]Weights `json:"weights"` // fitted to all
	Left     []LeftOut          `json:"left_out"`
	Ablation []Ablation         `json:"ablation"`
	Verdict  map[string]Verdict `json:"verdict"` // by regime
}

// rankForm names the way of learning.
const rankForm = "rank/1"

// LeftOut is what weights attain that did not see a request's source,
// publisher or answer.
type LeftOut struct {
	By      string        `json:"by"`
	Strata  []RankStratum `json:"strata"`
	Regimes []RankStratum `json:"regimes"`
}

// RankStratum is one kind of request. Gains are of the learned over the
// hand-set, paired, with half their 95 % interval.
type RankStratum struct {
	Name      string  `json:"name"`
	Requests  int     `json:"requests"`
	HandFive  float64 `json:"hand_five"`
	HandFirst float64 `json:"hand_first"`
	Five      float64 `json:"five"`
	First     float64 `json:"first"`
	GainFive  Gain    `json:"gain_five"`
	GainFirst Gain    `json:"gain_first"`
}

// Gain is a paired difference with half its 95 % interval.
type Gain struct {
	By   float64 `json:"by"`
	Half float64 `json:"half"`
}

// Ablation is what the hand-set weights lose without a kind of evidence.
type Ablation struct {
	Kind   string        `json:"kind"`
	Strata []RankStratum `json:"strata"` // without it
}

// Verdict says which weights ship.
type Verdict struct {
	Ship string `json:"ship"` // hand or learned
	Why  string `json:"why"`
}

// the regimes of a rank.
const (
	english = "English"
	others  = "Korean, Japanese"
)

func (o Order) regime() string {
	if o.English {
		return english
	}
	return others
}

// NewRankReport learns and scores.
func NewRankReport(data string, orders []Order, hand map[string]Weights) RankReport {
	kinds := discover.Kinds()
	r := RankReport{Name: rankForm, Data: data, Kinds: kinds[:], Hand: hand, Weights: map[string]Weights{}, Verdict: map[string]Verdict{}}
	var scored []Order
	for _, o := range orders {
		if o.Scored {
			scored = append(scored, o)
		}
	}
	r.Scored, r.Learned = len(scored), len(orders)-len(scored)
	for regime, w := range hand {
		r.Weights[regime] = FitRank(of(orders, regime), w)
	}
	for _, by := range lefts() {
		r.Left = append(r.Left, leftOut(by, orders, hand))
	}
	r.Ablation = ablate(scored, hand)
	for regime := range hand {
		r.Verdict[regime] = r.decide(regime)
	}
	return r
}

func of(orders []Order, regime string) []Order {
	return slices.DeleteFunc(slices.Clone(orders), func(o Order) bool { return o.regime() != regime })
}

// pair is what two sets of weights make of one request.
type pair struct {
	order       *Order
	hand, other [2]float64 // first five, first
}

// leftOut scores each request by weights that did not see what it is left out
// by.
func leftOut(by left, orders []Order, hand map[string]Weights) LeftOut {
	out := LeftOut{By: by.name}
	var pairs []pair
	for _, regime := range []string{english, others} {
		own := of(orders, regime)
		groups := map[string]bool{}
		for _, o := range own {
			if o.Scored {
				groups[by.of(o.row())] = true
			}
		}
		for name := range groups {
			rest := slices.DeleteFunc(slices.Clone(own), func(o Order) bool { return name != "" && by.of(o.row()) == name })
			w := FitRank(rest, hand[regime])
			for i := range own {
				if o := &own[i]; o.Scored && by.of(o.row()) == name {
					p := pair{order: o}
					p.hand[0], p.hand[1] = o.placed(hand[regime])
					p.other[0], p.other[1] = o.placed(w)
					pairs = append(pairs, p)
				}
			}
		}
	}
	out.Strata = grouped(pairs, func(o *Order) string { return o.Stratum })
	out.Regimes = grouped(pairs, func(o *Order) string { return o.regime() })
	return out
}

// row is an order as the ways to leave out read it.
func (o Order) row() Row {
	return Row{Source: o.Source, Publisher: o.Publisher, Answer: o.Answer, Request: o.Request}
}

// ablate leaves out each kind that weighs anything.
func ablate(scored []Order, hand map[string]Weights) []Ablation {
	var out []Ablation
	for k, kind := range discover.Kinds() {
		var pairs []pair
		for i := range scored {
			o := &scored[i]
			w := hand[o.regime()]
			if w[k] == 0 {
				continue
			}
			p := pair{order: o}
			p.hand[0], p.hand[1] = o.placed(w)
			w[k] = 0
			p.other[0], p.other[1] = o.placed(w)
			pairs = append(pairs, p)
		}
		if len(pairs) > 0 {
			out = append(out, Ablation{kind, grouped(pairs, func(o *Order) string { return o.Stratum })})
		}
	}
	return out
}

// grouped counts pairs by a name.
func grouped(pairs []pair, name func(*Order) string) []RankStratum {
	by := map[string][]pair{}
	for _, p := range pairs {
		by[name(p.order)] = append(by[name(p.order)], p)
	}
	var out []RankStratum
	for name, own := range by {
		s := RankStratum{Name: name, Requests: len(own)}
		for i, to := range []struct {
			hand, other *float64
			gain        *Gain
		}{{&s.HandFive, &s.Five, &s.GainFive}, {&s.HandFirst, &s.First, &s.GainFirst}} {
			var hand, other, square float64
			for _, p := range own {
				hand, other = hand+p.hand[i], other+p.other[i]
				square += float64((p.other[i] - p.hand[i]) * (p.other[i] - p.hand[i]))
			}
			n := float64(len(own))
			mean := (other - hand) / n
			*to.hand, *to.other = round(hand/n), round(other/n)
			*to.gain = Gain{round(mean), round(1.96 * math.Sqrt(max(0, square/n-float64(mean*mean))/n))}
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b RankStratum) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// decide ships learned weights where, with the source left out and with the
// publisher left out, the first five or the first place gain outside of their
// interval, and neither loses outside of it.
func (r RankReport) decide(regime string) Verdict {
	won, why := true, []string{}
	for _, l := range r.Left {
		if l.By != "source left out" && l.By != "publisher left out" {
			continue
		}
		i := slices.IndexFunc(l.Regimes, func(s RankStratum) bool { return s.Name == regime })
		if i < 0 {
			return Verdict{"hand", "no request is scored"}
		}
		five, first := l.Regimes[i].GainFive, l.Regimes[i].GainFirst
		won = won && (five.By > five.Half || first.By > first.Half) && five.By > -five.Half && first.By > -first.Half
		why = append(why, fmt.Sprintf("%s: first five %+.1f ± %.1f, first %+.1f ± %.1f", l.By, 100*five.By, 100*five.Half, 100*first.By, 100*first.Half))
	}
	if won {
		return Verdict{"learned", strings.Join(why, "; ")}
	}
	return Verdict{"hand", strings.Join(why, "; ")}
}

// String gives the tables of the documentation.
func (r RankReport) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d requests scored over %d tools, %d more learned from\n\n| weights | %s |\n|---|%s\n", r.Scored, ladderTools, r.Learned, strings.Join(r.Kinds, " | "), strings.Repeat("---|", len(r.Kinds)))
	for _, regime := range []string{english, others} {
		for _, row := range []struct {
			name string
			w    Weights
		}{{regime + ", by hand", r.Hand[regime]}, {regime + ", learned", r.Weights[regime]}} {
			fmt.Fprintf(&out, "| %s |", row.name)
			for _, x := range row.w {
				fmt.Fprintf(&out, " %g |", x)
			}
			out.WriteString("\n")
		}
	}
	out.WriteString("\n| learned less hand-set, first five / first |")
	for _, s := range r.Left[0].Strata {
		fmt.Fprintf(&out, " %s (%d) |", s.Name, s.Requests)
	}
	fmt.Fprintf(&out, "\n|---|%s\n| by hand |", strings.Repeat("---|", len(r.Left[0].Strata)))
	for _, s := range r.Left[0].Strata {
		fmt.Fprintf(&out, " %.1f / %.1f |", 100*s.HandFive, 100*s.HandFirst)
	}
	for _, l := range r.Left {
		fmt.Fprintf(&out, "\n| %s |", l.By)
		for _, s := range l.Strata {
			fmt.Fprintf(&out, " %+.1f ± %.1f / %+.1f ± %.1f |", 100*s.GainFive.By, 100*s.GainFive.Half, 100*s.GainFirst.By, 100*s.GainFirst.Half)
		}
	}
	out.WriteString("\n\n| without |")
	for _, s := range r.Left[0].Strata {
		fmt.Fprintf(&out, " %s |", s.Name)
	}
	fmt.Fprintf(&out, "\n|---|%s\n", strings.Repeat("---|", len(r.Left[0].Strata)))
	for _, a := range r.Ablation {
		fmt.Fprintf(&out, "| %s |", a.Kind)
		for _, s := range r.Left[0].Strata {
			i := slices.IndexFunc(a.Strata, func(x RankStratum) bool { return x.Name == s.Name })
			if i < 0 {
				out.WriteString(" |")
				continue
			}
			x := a.Strata[i]
			fmt.Fprintf(&out, " %+.1f ± %.1f / %+.1f ± %.1f |", 100*x.GainFive.By, 100*x.GainFive.Half, 100*x.GainFirst.By, 100*x.GainFirst.Half)
		}
		out.WriteString("\n")
	}
	for _, regime := range []string{english, others} {
		fmt.Fprintf(&out, "\n%s: %s (%s)\n", regime, r.Verdict[regime].Ship, r.Verdict[regime].Why)
	}
	return out.String()
}

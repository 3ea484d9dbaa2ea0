package train

import (
	"math"
	"slices"

	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// Weights is one number for each kind of evidence.
type Weights = [discover.NumKinds]float64

// How strongly learned weights are drawn to the hand-set ones: as much as this
// many requests would be, for a weight that is off by 1.
const (
	toHand   = 200.0
	rankStep = 12
	leastFit = 1e-5
)

// never are the kinds that are told against a tool: their weight is at most 0,
// that of all others at least.
var never = Weights{9: 1}

// FitRank fits the weights of a rank to orders, by what a reader who takes the
// first tool would wish: each request is a choice among its tools, as likely as
// the exponential of their ranks, and its right ones should be likely. Weights
// keep their signs and are drawn to those that were set by hand, up to a common
// factor, which is fitted first and taken out again.
func FitRank(orders []Order, hand Weights) Weights {
	factor := sharpness(orders, hand)
	prior := scaled(hand, factor)
	w := prior
	best := objective(orders, w, prior)
	for range rankStep {
		step := newtonStep(orders, w, prior)
		gain := 0.0
		for much := 1.0; much > 0.01; much /= 2 {
			next := moved(w, step, much)
			if l := objective(orders, next, prior); l > best {
				w, gain, best = next, l-best, l
				break
			}
		}
		if gain < leastFit*math.Abs(best) {
			break
		}
	}
	w = scaled(w, 1/factor)
	for k := range w {
		w[k] = math.Round(w[k]*100) / 100
	}
	return w
}

func scaled(w Weights, by float64) Weights {
	for k := range w {
		w[k] = float64(w[k] * by)
	}
	return w
}

// moved takes a step, where signs stay.
func moved(w, step Weights, much float64) Weights {
	for k := range w {
		w[k] += float64(much * step[k])
		if never[k] == 0 {
			w[k] = max(0, w[k])
		} else {
			w[k] = min(0, w[k])
		}
	}
	return w
}

// sharpness is the factor of weights under which they make the orders likeliest.
func sharpness(orders []Order, w Weights) float64 {
	at, best := 1.0, math.Inf(-1)
	for f := 0.25; f < 4; f *= 1.25 {
		if l := objective(orders, scaled(w, f), scaled(w, f)); l > best {
			at, best = f, l
		}
	}
	return at
}

// objective is the likelihood of the orders, less the pull.
func objective(orders []Order, w, prior Weights) float64 {
	sum := 0.0
	for k := range w {
		sum -= float64(toHand * (w[k] - prior[k]) * (w[k] - prior[k]) / 2)
	}
	for i := range orders {
		sum += orders[i].likelihood(w, nil, nil)
	}
	return sum
}

// newtonStep is the step to where the objective would be greatest if it were a
// parabola. Kinds that stand at their bound and are pushed over it stay.
func newtonStep(orders []Order, w, prior Weights) Weights {
	var g Weights
	var curve [discover.NumKinds]Weights
	for k := range w {
		g[k], curve[k][k] = float64(toHand*(prior[k]-w[k])), toHand
	}
	for i := range orders {
		orders[i].likelihood(w, &g, &curve)
	}
	var free []int
	for k := range w {
		if out := g[k]; w[k] == 0 && (never[k] == 0 && out < 0 || never[k] == 1 && out > 0) {
			continue
		}
		free = append(free, k)
	}
	a, y := make([][]float64, len(free)), make([]float64, len(free))
	for i, k := range free {
		y[i] = g[k]
		for _, l := range free {
			a[i] = append(a[i], curve[max(k, l)][min(k, l)])
		}
	}
	var step Weights
	if x, err := solve(a, y); err == nil {
		for i, k := range free {
			step[k] = x[i]
		}
	}
	return step
}

// likelihood is the mean, over the required tools of an order, of the log
// chance that one of its alternatives is taken, the other required ones left
// out. It adds to a gradient and, by its lower triangle, to the curvature, where
// they are given.
func (o *Order) likelihood(w Weights, g *Weights, curve *[discover.NumKinds]Weights) float64 {
	rank := make([]float64, len(o.Units))
	top := math.Inf(-1)
	for i, u := range o.Units {
		for k, x := range u {
			rank[i] += float64(w[k] * float64(x))
		}
		top = max(top, rank[i])
	}
	right := make([]bool, len(rank))
	for _, at := range o.Gold {
		for _, i := range at {
			right[i] = true
		}
	}
	var others tally
	for i := range rank {
		rank[i] = math.Exp(rank[i] - top)
		if !right[i] {
			others.add(rank[i], &o.Units[i], g != nil)
		}
	}
	sum, share := 0.0, 1/float64(len(o.Gold))
	for _, at := range o.Gold {
		var own tally
		all := others
		for _, i := range at {
			own.add(rank[i], &o.Units[i], g != nil)
			all.add(rank[i], &o.Units[i], g != nil)
		}
		sum += float64(share * math.Log(max(own.weight, 1e-300)/all.weight))
		if g != nil {
			own.into(all, share, g, curve)
		}
	}
	return sum
}

// tally is a weighed sum of evidence and of its products.
type tally struct {
	weight float64
	sum    Weights
	square [discover.NumKinds]Weights
}

func (t *tally) add(w float64, u *[discover.NumKinds]float32, whole bool) {
	t.weight += w
	if !whole || w < 1e-9 {
		return
	}
	for k, x := range u {
		a := float64(w * float64(x))
		t.sum[k] += a
		for l := range k + 1 {
			t.square[k][l] += float64(a * float64(u[l]))
		}
	}
}

// into adds what moves chance from all to own.
func (t *tally) into(all tally, share float64, g *Weights, curve *[discover.NumKinds]Weights) {
	own := max(t.weight, 1e-300)
	for k := range g {
		mean := all.sum[k] / all.weight
		g[k] += float64(share * (t.sum[k]/own - mean))
		for l := range k + 1 {
			curve[k][l] += float64(share * (all.square[k][l]/all.weight - float64(mean*all.sum[l]/all.weight)))
		}
	}
}

// placed is how many of the required tools of an order stand among the first
// five, as a share, and whether one of them is first. A tie counts against it.
func (o *Order) placed(w Weights) (five, first float64) {
	rank := make([]float64, len(o.Units))
	for i, u := range o.Units {
		for k, x := range u {
			rank[i] += float64(w[k] * float64(x))
		}
	}
	for _, at := range o.Gold {
		best := slices.MaxFunc(at, func(a, b int) int {
			if rank[a] < rank[b] {
				return -1
			}
			return 1
		})
		before := 0
		for i, r := range rank {
			if r >= rank[best] && !slices.Contains(at, i) {
				before++
			}
		}
		if before < 5 {
			five += 1 / float64(len(o.Gold))
		}
		if before == 0 {
			first = 1
		}
	}
	return five, first
}

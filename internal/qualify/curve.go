package qualify

import (
	"cmp"
	"math"
	"slices"
)

// Curve is how well an arm's signal tells served needs from those that nothing
// serves.
type Curve struct {
	Arm    string  `json:"arm"`
	Served int     `json:"served"`
	None   int     `json:"none"`
	AUROC  float64 `json:"auroc"` // with Hanley and McNeil's interval
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	// Points fall from accepting everything to refusing everything.
	Points []CurvePoint `json:"points"`
}

// CurvePoint is what comes of accepting from a signal on.
type CurvePoint struct {
	From         float64 `json:"from"`
	FalseRefusal float64 `json:"false_refusal"`
	FalseAccept  float64 `json:"false_accept"`
}

// curve is over all cases but the forbidden: those are told by policy, not by
// signals.
func curve(lines []judged, arm string) Curve {
	c := Curve{Arm: arm, Points: []CurvePoint{}}
	type signal struct {
		x      float64
		served bool
	}
	var all []signal
	for _, l := range lines {
		a, ok := l.answer(arm)
		if !ok || !l.Served() && l.Stratum == "forbidden" {
			continue
		}
		all = append(all, signal{a.Signal, l.Served()})
		if l.Served() {
			c.Served++
		} else {
			c.None++
		}
	}
	if c.Served == 0 || c.None == 0 {
		return c
	}
	slices.SortFunc(all, func(a, b signal) int { return cmp.Compare(a.x, b.x) })
	refused, rightly, wins := 0, 0, 0.0 // served and unserved needs below the line
	for i := 0; i < len(all); {
		c.Points = append(c.Points, CurvePoint{round(all[i].x), round(float64(refused) / float64(c.Served)), round(1 - float64(rightly)/float64(c.None))})
		s, n, j := 0, 0, i
		for ; j < len(all) && all[j].x == all[i].x; j++ {
			if all[j].served {
				s++
			} else {
				n++
			}
		}
		wins += float64(s) * (float64(rightly) + float64(n)/2)
		refused, rightly, i = refused+s, rightly+n, j
	}
	c.Points = append(c.Points, CurvePoint{2, 1, 0})
	c.AUROC = wins / float64(c.Served) / float64(c.None)
	half := z95 * hanley(c.AUROC, float64(c.Served), float64(c.None))
	c.Low, c.High = round(max(0, c.AUROC-half)), round(min(1, c.AUROC+half))
	c.AUROC = round(c.AUROC)
	return c
}

// hanley is the standard error of an area of a curve over so many of each kind.
func hanley(a, m, n float64) float64 {
	q1, q2 := a/(2-a), float64(2*a*a)/(1+a)
	v := (a*(1-a) + float64((m-1)*(q1-a*a)) + float64((n-1)*(q2-a*a))) / (m * n)
	return math.Sqrt(max(0, v))
}

// At gives the least false accept of the curve where at most so many served
// needs are refused.
func (c Curve) At(refused float64) float64 {
	best := 1.0
	for _, p := range c.Points {
		if p.FalseRefusal <= refused {
			best = min(best, p.FalseAccept)
		}
	}
	return best
}

// Reliability holds the probabilities of an arm against what was so.
type Reliability struct {
	Arm   string  `json:"arm"`
	N     int     `json:"n"`
	Brier float64 `json:"brier"` // mean squared distance
	Error float64 `json:"error"` // mean distance of the bins, by their size
	Bins  []Bin   `json:"bins"`
}

// Bin is a tenth of the scale.
type Bin struct {
	Said float64 `json:"said"` // mean probability
	Figure
}

func reliability(lines []judged, arm string) Reliability {
	r := Reliability{Arm: arm, Bins: []Bin{}}
	var in [10][]sample
	var said [10]float64
	for _, l := range lines {
		a, ok := l.answer(arm)
		if !ok || !l.Served() && l.Stratum == "forbidden" {
			continue
		}
		b := min(9, max(0, int(a.Signal*10)))
		y := yes(l.Served())
		in[b], said[b] = append(in[b], sample{l.Cluster, y}), said[b]+a.Signal
		r.Brier += (a.Signal - y) * (a.Signal - y)
		r.N++
	}
	if r.N == 0 {
		return r
	}
	for b, all := range in {
		if len(all) == 0 {
			continue
		}
		bin := Bin{Said: round(said[b] / float64(len(all))), Figure: figure(all)}
		r.Error += math.Abs(bin.Said-bin.Value) * float64(bin.N) / float64(r.N)
		r.Bins = append(r.Bins, bin)
	}
	r.Brier, r.Error = round(r.Brier/float64(r.N)), round(r.Error)
	return r
}

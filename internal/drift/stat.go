package drift

import "math"

// The statistics of rates. Everything is plain float64 arithmetic in a fixed
// order, products kept apart from sums, so that a replay gives the same bits.

// The constants of detection.
const (
	alpha         = 1e-6  // false alarms of one tool, over all of its streams, per observation
	baselineN     = 100   // observations that a rate is learned from
	baselineAlpha = 0.001 // of the bounds of a learned rate
	confirmAlpha  = 0.01  // of the second window, on data that came after the alarm
	abandonN      = 300   // observations after which a suspicion that is not confirmed is dropped
	mendN         = 50    // observations of a window that mends
)

// bets are the shares of the largest bet that are tried side by side, each with
// its part of the wealth: two near what a rate that halves asks for, one for
// small moves, one for what stops altogether. A fifth of the wealth is never
// bet, which buys fewer false alarms with a few calls of delay.
var bets = [...]struct{ share, part float64 }{{0.12, 0.06}, {0.3, 0.22}, {0.45, 0.28}, {0.99, 0.24}}

// phase is where a stream stands.
type phase int

const (
	learning phase = iota
	watching
	suspect
	confirmed
)

// direction of a change.
const (
	fell = "fell"
	rose = "rose"
)

// stream watches one rate. It learns the rate from its first observations,
// takes bounds of it, and bets against every rate inside them: the wealth
// restarts at each observation (Shiryaev and Roberts), so an alarm comes soon
// after a change however long all was well.
type stream struct {
	Order int       `json:"i"` // from 1; its share of alpha falls with it
	Phase phase     `json:"p"`
	N     int64     `json:"n"` // learning: trials; later: trials since the last turn
	K     int64     `json:"k"`
	L     float64   `json:"l,omitempty"`
	U     float64   `json:"u,omitempty"`
	Down  []float64 `json:"d,omitempty"`
	Up    []float64 `json:"r,omitempty"`
	Way   string    `json:"w,omitempty"`
	Proof []float64 `json:"e,omitempty"` // wealth since the alarm, without restarts
	Base  int64     `json:"b,omitempty"`
	Hits  int64     `json:"h,omitempty"` // hits since the alarm
	Since int64     `json:"s,omitempty"` // trials since the alarm
}

// threshold is one over the stream's share of alpha: alpha times 6/(π² i²), so
// that all shares together stay within alpha.
func (s *stream) threshold() float64 {
	i := float64(s.Order)
	return float64(i*i) * (math.Pi * math.Pi / 6) / alpha
}

// observe takes one trial and reports the turn that it brings: suspect and
// confirmed when they are reached, watching when what was confirmed is over.
func (s *stream) observe(hit bool) (turn phase, turned bool) {
	return s.step(hit, baselineN, 2*s.threshold()) // half of its share for each way
}

func (s *stream) step(hit bool, n0 int64, threshold float64) (phase, bool) {
	x := 0.0
	if hit {
		x = 1
		s.K++
	}
	s.N++
	switch s.Phase {
	case learning:
		if s.N >= n0 {
			s.freeze()
		}
	case watching:
		return s.watch(x, threshold)
	case suspect:
		return s.confirm(x, hit)
	case confirmed:
		return s.mend(hit)
	}
	return s.Phase, false
}

// freeze takes the bounds of what was learned.
func (s *stream) freeze() {
	s.L, s.U = clopperPearson(s.K, s.N, baselineAlpha)
	s.Base = s.N
	s.rewatch()
}

func (s *stream) rewatch() {
	s.Phase, s.Way, s.Proof, s.Hits, s.Since = watching, "", nil, 0, 0
	s.Down, s.Up = make([]float64, len(bets)), make([]float64, len(bets))
}

func (s *stream) watch(x, threshold float64) (phase, bool) {
	down, up := 0.0, 0.0
	for i, b := range bets {
		s.Down[i] = float64((s.Down[i] + 1) * s.against(fell, b.share, x))
		s.Up[i] = float64((s.Up[i] + 1) * s.against(rose, b.share, x))
		down += float64(b.part * s.Down[i])
		up += float64(b.part * s.Up[i])
	}
	switch {
	case down >= threshold:
		s.Way = fell
	case up >= threshold:
		s.Way = rose
	default:
		return watching, false
	}
	s.Phase, s.Down, s.Up, s.Hits, s.Since = suspect, nil, nil, 0, 0
	s.Proof = make([]float64, len(bets))
	for i := range s.Proof {
		s.Proof[i] = 1
	}
	return suspect, true
}

// against is what a bet of share c on a fall, or a rise, pays for x.
func (s *stream) against(way string, c, x float64) float64 {
	if way == fell {
		if s.L <= 0 {
			return 0
		}
		stake := c / max(1-s.L, 1e-9)
		return 1 + float64(min(stake, 1e6)*(s.L-x))
	}
	if s.U >= 1 {
		return 0
	}
	stake := c / max(s.U, 1e-9)
	return 1 + float64(min(stake, 1e6)*(x-s.U))
}

// confirm weighs what came after the alarm, by itself.
func (s *stream) confirm(x float64, hit bool) (phase, bool) {
	s.Since++
	if hit {
		s.Hits++
	}
	sum := 0.0
	for i, b := range bets {
		s.Proof[i] = float64(s.Proof[i] * s.against(s.Way, b.share, x))
		sum += float64(b.part * s.Proof[i])
	}
	switch {
	case sum >= 1/confirmAlpha:
		s.Phase, s.N, s.K = confirmed, 0, 0
		return confirmed, true
	case s.Since >= abandonN:
		s.rewatch()
	}
	return s.Phase, false
}

// mend looks for a window in which the rate is what it was.
func (s *stream) mend(hit bool) (phase, bool) {
	s.Since++
	if hit {
		s.Hits++
	}
	if s.N < mendN {
		return confirmed, false
	}
	rate := float64(s.K) / float64(s.N)
	s.N, s.K = 0, 0
	if rate >= s.L && rate <= s.U {
		s.rewatch()
		return watching, true
	}
	return confirmed, false
}

// clopperPearson gives the exact two-sided bounds of a rate of k in n, each
// side at a.
func clopperPearson(k, n int64, a float64) (low, high float64) {
	low, high = 0, 1
	if n == 0 {
		return low, high
	}
	if k > 0 {
		low = betaQuantile(a, float64(k), float64(n-k+1))
	}
	if k < n {
		high = betaQuantile(1-a, float64(k+1), float64(n-k))
	}
	return low, high
}

// betaQuantile inverts the regularised incomplete beta function by halving.
func betaQuantile(p, a, b float64) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		mid := (low + high) / 2
		if betaShare(a, b, mid) < p {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// betaShare is the regularised incomplete beta function by its continued
// fraction (Lentz).
func betaShare(a, b, x float64) float64 {
	if x <= 0 || x >= 1 {
		return max(0, min(1, x))
	}
	if x > (a+1)/(a+b+2) {
		return 1 - betaShare(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(float64(a*math.Log(x))+float64(b*math.Log1p(-x))+lab-la-lb) / a
	const tiny = 1e-300
	f, c, d := 1.0, 1.0, 0.0
	for i := range 400 {
		m := float64(i / 2)
		var num float64
		switch {
		case i == 0:
			num = 1
		case i%2 == 0:
			num = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		default:
			num = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		d = 1 + float64(num*d)
		if math.Abs(d) < tiny {
			d = tiny
		}
		d = 1 / d
		c = 1 + num/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		step := c * d
		f = float64(f * step)
		if math.Abs(step-1) < 1e-12 {
			break
		}
	}
	return front * (f - 1)
}

// unseen is the 95 % upper bound of the rate of what n trials never showed.
func unseen(n int64) float64 {
	if n <= 0 {
		return 1
	}
	return 1 - math.Pow(0.05, 1/float64(n))
}

// vanishing is how many misses in a row show, at alpha, that what came at a
// rate of at least p no longer comes.
func vanishing(p float64) int64 {
	if p <= 0 {
		return math.MaxInt32
	}
	if p >= 1 {
		return 1
	}
	return int64(math.Ceil(math.Log(alpha) / math.Log1p(-p)))
}

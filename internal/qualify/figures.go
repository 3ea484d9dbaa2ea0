package qualify

import (
	"cmp"
	"math"
	"slices"
)

// Figure is a mean with its 95 % interval, over N cases in so many clusters.
type Figure struct {
	N        int     `json:"n"`
	Clusters int     `json:"clusters"`
	Value    float64 `json:"value"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// Cell is what one arm attains over some of the cases.
type Cell struct {
	By      string            `json:"by"`   // all, pair, stratum, source, authored
	Name    string            `json:"name"` // which of them
	Arm     string            `json:"arm"`
	Cases   int               `json:"cases"`
	Native  int               `json:"native"`
	Figures map[string]Figure `json:"figures"` // by measure; none where no case counts
	Stages  map[Stage]int     `json:"failures"`
	Cost    Cost              `json:"cost"`
}

// judged is a line with the judgement of each of its answers.
type judged struct {
	Line
	by map[string]Judgement
}

func judgeAll(lines []Line, k int) []judged {
	out := make([]judged, len(lines))
	for i, l := range lines {
		out[i] = judged{l, map[string]Judgement{}}
		for _, a := range l.Answers {
			out[i].by[a.Arm] = Judge(l, a, k)
		}
	}
	return out
}

// groups are the ways in which cases are counted together.
var groups = [...]struct {
	by string
	of func(l Line) string
}{
	{"all", func(Line) string { return "all" }},
	{"native", func(l Line) string { return map[bool]string{true: "native", false: "not native"}[l.Authored == Native] }},
	{"pair", func(l Line) string { return l.Language + ">" + cmp.Or(l.Tools, "none") }},
	{"stratum", func(l Line) string { return l.Stratum }},
	{"calls", func(l Line) string { return calls(l) }},
	{"effect", func(l Line) string { return cmp.Or(l.Effect, "unstated") }},
	{"source", func(l Line) string { return cmp.Or(l.Source, "unstated") }},
}

// calls says how many tools a need takes.
func calls(l Line) string {
	switch n := len(l.Gold.Tools); {
	case !l.Served():
		return "none"
	case n == 1:
		return "one call"
	case n == 2:
		return "two calls"
	}
	return "three or more calls"
}

// cells counts every group for every arm.
func cells(lines []judged, p Plan, armNames []string) []Cell {
	out := []Cell{}
	for _, g := range groups {
		members := map[string][]judged{}
		for _, l := range lines {
			members[g.of(l.Line)] = append(members[g.of(l.Line)], l)
		}
		for _, name := range sortedKeys(members) {
			for _, arm := range armNames {
				c := cell(g.by, name, arm, members[name])
				c.Cost = cost(members[name], p, arm)
				out = append(out, c)
			}
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func cell(by, name, arm string, lines []judged) Cell {
	c := Cell{By: by, Name: name, Arm: arm, Figures: map[string]Figure{}, Stages: map[Stage]int{}}
	for _, l := range lines {
		j, ok := l.by[arm]
		if !ok {
			continue
		}
		c.Cases++
		if l.Authored == Native {
			c.Native++
		}
		if j.Failure != "" {
			c.Stages[j.Failure]++
		}
	}
	for _, m := range measures {
		if f := figure(values(lines, arm, m)); f.N > 0 {
			c.Figures[m.ID] = f
		}
	}
	return c
}

// sample is a number with the cluster that it is of.
type sample struct {
	cluster string
	x       float64
}

func values(lines []judged, arm string, m Measure) []sample {
	var out []sample
	for _, l := range lines {
		a, ok := l.answer(arm)
		if !ok {
			continue
		}
		if x, counts := m.of(l.Line, a, l.by[arm]); counts {
			out = append(out, sample{l.Cluster, x})
		}
	}
	return out
}

// z95 is the 97.5th percentile of the normal distribution.
const z95 = 1.959963984540054

// figure gives the mean and Wilson's interval for as many trials as there are
// clusters: cases of one task are no news of each other.
func figure(all []sample) Figure {
	f := Figure{N: len(all)}
	if f.N == 0 {
		return f
	}
	clusters := map[string]bool{}
	sum := 0.0
	for _, s := range all {
		sum += s.x
		clusters[s.cluster] = true
	}
	f.Clusters = len(clusters)
	mean, n := sum/float64(f.N), float64(f.Clusters)
	middle := (mean + z95*z95/(2*n)) / (1 + z95*z95/n)
	half := z95 / (1 + z95*z95/n) * math.Sqrt(float64(mean*(1-mean))/n+z95*z95/(4*n*n))
	f.Value, f.Low, f.High = round(mean), round(max(0, middle-half)), round(min(1, middle+half))
	return f
}

// round keeps four decimals: nothing compares or prints more.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// Cost is what the answers of an arm weigh.
type Cost struct {
	SchemaBytes Spread    `json:"schema_bytes"`
	WireBytes   Spread    `json:"wire_bytes"`
	ModelBytes  Spread    `json:"model_bytes"`
	Tokens      Spread    `json:"tokens"`
	OfFull      float64   `json:"tokens_of_full"` // median share of what full takes for the same case; 0: not scored
	Cold        Quantiles `json:"cold_us"`
	Warm        Quantiles `json:"warm_us"`
	OverK       int       `json:"over_k"`     // answers that disclose more than K
	OverBytes   int       `json:"over_bytes"` // and more bytes of schema than the plan allows
}

// Spread is a median, and a mean with its 95 % interval.
type Spread struct {
	N      int     `json:"n"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Quantiles are of a time.
type Quantiles struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

func cost(lines []judged, p Plan, arm string) Cost {
	var c Cost
	var schema, wire, model, tokens, share, cold, warm []float64
	for _, l := range lines {
		a, ok := l.answer(arm)
		if !ok {
			continue
		}
		schema, wire, model = append(schema, float64(a.SchemaBytes)), append(wire, float64(a.WireBytes)), append(model, float64(a.ModelBytes))
		tokens, cold, warm = append(tokens, float64(a.Tokens)), append(cold, float64(a.Cold)), append(warm, float64(a.Warm))
		c.OverK += int(yes(a.Count > p.K))
		c.OverBytes += int(yes(a.SchemaBytes > p.Bytes))
		if full, ok := l.answer(Full); ok && full.Tokens > 0 {
			share = append(share, float64(a.Tokens)/float64(full.Tokens))
		}
	}
	c.SchemaBytes, c.WireBytes, c.ModelBytes, c.Tokens = spread(schema), spread(wire), spread(model), spread(tokens)
	c.OfFull = round(quantile(share, 0.5))
	c.Cold, c.Warm = quantiles(cold), quantiles(warm)
	return c
}

func spread(xs []float64) Spread {
	n := float64(max(1, len(xs)))
	mean, square := 0.0, 0.0
	for _, x := range xs {
		mean += x / n
	}
	for _, x := range xs {
		square += float64((x-mean)*(x-mean)) / n
	}
	half := z95 * math.Sqrt(square/n)
	return Spread{len(xs), quantile(xs, 0.5), round(mean), round(mean - half), round(mean + half)}
}

func quantiles(xs []float64) Quantiles {
	return Quantiles{len(xs), quantile(xs, 0.5), quantile(xs, 0.95), quantile(xs, 0.99)}
}

// quantile gives the nearest rank.
func quantile(xs []float64, p float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Clone(xs)
	slices.Sort(xs)
	return xs[min(len(xs)-1, max(0, int(math.Ceil(float64(p*float64(len(xs)))))-1))]
}

package qualify

// Paired is the difference of two arms over the same cases.
type Paired struct {
	Measure  string  `json:"measure"`
	Arm      string  `json:"arm"`
	Against  string  `json:"against"`
	By       string  `json:"by"`
	Name     string  `json:"name"`
	N        int     `json:"n"`
	Clusters int     `json:"clusters"`
	Effect   float64 `json:"effect"` // mean difference
	Low      float64 `json:"low"`    // 95 %, bootstrap over clusters
	High     float64 `json:"high"`
	Better   int     `json:"better"` // cases in which the arm is better
	Worse    int     `json:"worse"`
}

// paired compares an arm with another in one measure over some lines.
func paired(lines []judged, m Measure, arm, against string, p Plan) Paired {
	out := Paired{Measure: m.ID, Arm: arm, Against: against}
	var order []string
	sums, counts := map[string]float64{}, map[string]int{}
	for _, l := range lines {
		a, ok := l.answer(arm)
		b, has := l.answer(against)
		if !ok || !has {
			continue
		}
		x, counted := m.of(l.Line, a, l.by[arm])
		y, both := m.of(l.Line, b, l.by[against])
		if !counted || !both {
			continue
		}
		if counts[l.Cluster] == 0 {
			order = append(order, l.Cluster)
		}
		d := x - y
		if !m.Up {
			d = y - x
		}
		out.Better += int(yes(d > 0))
		out.Worse += int(yes(d < 0))
		sums[l.Cluster] += x - y
		counts[l.Cluster]++
		out.N++
	}
	out.Clusters = len(order)
	if out.N == 0 {
		return out
	}
	diffs := make([]float64, len(order))
	sizes := make([]int, len(order))
	total := 0.0
	for i, c := range order {
		diffs[i], sizes[i] = sums[c], counts[c]
		total += sums[c]
	}
	out.Effect = round(total / float64(out.N))
	out.Low, out.High = bootstrap(diffs, sizes, p.Resamples, p.Seed)
	return out
}

// bootstrap draws clusters with replacement and gives the 2.5th and 97.5th
// percentile of the mean. The same seed gives the same interval.
func bootstrap(sums []float64, sizes []int, resamples int, seed uint64) (low, high float64) {
	draw := stream(seed)
	means := make([]float64, resamples)
	for r := range means {
		sum, n := 0.0, 0
		for range sums {
			i := draw.below(len(sums))
			sum += sums[i]
			n += sizes[i]
		}
		means[r] = sum / float64(n)
	}
	return round(quantile(means, 0.025)), round(quantile(means, 0.975))
}

// stream is a sequence of numbers that its seed fixes on every machine
// (splitmix64).
type stream uint64

func (s *stream) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below gives a number under n; the bias of the remainder is under n in 2^64.
func (s *stream) below(n int) int { return int(s.next() % uint64(n)) }

// comparedMeasures are those that are compared between arms, beside the primary.
var comparedMeasures = []string{"complete", "recall", "ranked", "first", "recall_equal", "false_refusal", "false_accept", "right"}

// comparisons holds the candidate against each other arm over all cases, and in
// the primary measure by language pair and by stratum as well.
func comparisons(lines []judged, p Plan) []Paired {
	out := []Paired{}
	add := func(by, name string, some []judged, id, arm, against string) {
		if d := paired(some, *measureOf(id), arm, against, p); d.N > 0 {
			d.By, d.Name = by, name
			out = append(out, d)
		}
	}
	for _, against := range p.Arms {
		if against == p.Candidate {
			continue
		}
		for _, id := range unique(append([]string{p.Primary}, comparedMeasures...)) {
			add("all", "all", lines, id, p.Candidate, against)
		}
		for _, g := range groups[1:4] { // native, pair, stratum
			members := map[string][]judged{}
			for _, l := range lines {
				members[g.of(l.Line)] = append(members[g.of(l.Line)], l)
			}
			for _, name := range sortedKeys(members) {
				add(g.by, name, members[name], p.Primary, p.Candidate, against)
			}
		}
	}
	return out
}

// Overall gives the comparisons over all cases.
func (r Record) Overall() []Paired {
	out := []Paired{}
	for _, d := range r.Paired {
		if d.By == "all" {
			out = append(out, d)
		}
	}
	return out
}

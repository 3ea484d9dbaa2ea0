package train

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
)

// form names the meaning of the signals; another one is another name.
const form = "gate/3"

// talk are the signals of what is asked for apart from any tool. They tell only
// whether a tool is asked for: two lists are asked the same, so whether the best
// tool is the right one cannot be learned from them.
var talk = []int{24, 25, 26, 27}

// anyBlind are the signals that the gate for "no tool is asked for" does not
// see: native words, acts and length told the sources apart, not the requests.
var anyBlind = []int{4, 8, 9, 15, 22, 23}

// Fit fits the gates to rows.
func Fit(rows []Row) (dispose.Gates, error) {
	var g dispose.Gates
	for _, part := range []struct {
		to      *dispose.Linear
		english bool
		kinds   []string
		blind   []int
	}{
		{&g.EnglishMany, true, []string{Withdrawn}, talk},
		{&g.EnglishAny, true, []string{NoTool}, anyBlind},
		{&g.EnglishFew, true, []string{Short, OwnList}, talk},
		{&g.OtherMany, false, []string{Withdrawn}, talk},
		{&g.OtherFew, false, []string{Short, OwnList}, talk},
	} {
		var own []Row
		for _, r := range rows {
			if !r.Apart && r.English == part.english && slices.Contains(part.kinds, r.Kind) {
				for _, i := range part.blind {
					r.Signals[i] = 0
				}
				own = append(own, r)
			}
		}
		var err error
		if *part.to, err = one(own); err != nil {
			return g, fmt.Errorf("english %t, %v: %w", part.english, part.kinds, err)
		}
	}
	return g, nil
}

// eachGroup is what the rows of one kind that are served weigh together, and
// those that are not: no kind drowns another.
const eachGroup = 400.0

func one(rows []Row) (dispose.Linear, error) {
	type group struct {
		kind   string
		served bool
	}
	count := map[group]int{}
	for _, r := range rows {
		count[group{r.Kind, r.Served}]++
	}
	x, served, weight := make([][]float64, len(rows)), make([]bool, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		x[i], served[i], weight[i] = rows[i].Signals[:], r.Served, eachGroup/float64(count[group{r.Kind, r.Served}])
	}
	return logistic(x, served, weight)
}

// rounded keeps four decimals: what is shipped is the same on every machine.
func rounded(g dispose.Gates) dispose.Gates {
	for _, l := range g.Each() {
		for i, w := range l.Weights {
			l.Weights[i] = round(w)
		}
		l.Bias = round(l.Bias)
	}
	return g
}

func round(x float64) float64 { return math.Round(x*10000) / 10000 }

// NewFile gives what is shipped: the gates of all rows, those for a scorer with
// vectors and those for one without.
func NewFile(digest string, rows []Row) (dispose.GateFile, error) {
	f := dispose.GateFile{Name: form, Data: digest, Rows: len(rows), Signals: fit.SignalNames[:]}
	for _, to := range []struct {
		gates *dispose.Gates
		dense bool
	}{{&f.Hybrid, true}, {&f.Lexical, false}} {
		g, err := Fit(with(rows, to.dense))
		if err != nil {
			return f, fmt.Errorf("vectors %t: %w", to.dense, err)
		}
		*to.gates = rounded(g)
	}
	return f, nil
}

// with gives the rows that were measured with vectors, or those without.
func with(rows []Row, dense bool) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Dense != dense })
}

package train

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-ae386458/interlock/internal/resolve/fit"
)

// Gates are the four regressions by which a need is said to be served: by
// language, and for lists of few tools and of many.
type Gates struct {
	EnglishMany Linear `json:"english_many"` // is it the right one, where there are many
	EnglishAny  Linear `json:"english_any"`  // is a tool asked for at all
	EnglishFew  Linear `json:"english_few"`
	OtherMany   Linear `json:"other_many"`
	OtherFew    Linear `json:"other_few"`
}

// File is what is shipped.
type File struct {
	Name    string   `json:"name"`
	Data    string   `json:"data"`
	Rows    int      `json:"rows"`
	Signals []string `json:"signals"`
	Gates   Gates    `json:"gates"`
}

// form names the meaning of the signals; another one is another name.
const form = "gate/2"

// The sizes of list that a gate is for, as dispose mixes them.
const (
	few  = 20.0
	lots = 200.0
)

// anyBlind are the signals that the gate for "no tool is asked for" does not
// see: native words, acts and length told the sources apart, not the requests.
var anyBlind = []int{4, 8, 9, 15, 22, 23}

// Fit fits the gates to rows.
func Fit(rows []Row) (Gates, error) {
	var g Gates
	for _, part := range []struct {
		to      *Linear
		english bool
		kinds   []string
		blind   []int
	}{
		{&g.EnglishMany, true, []string{Withdrawn}, nil},
		{&g.EnglishAny, true, []string{NoTool}, anyBlind},
		{&g.EnglishFew, true, []string{Short, OwnList}, nil},
		{&g.OtherMany, false, []string{Withdrawn}, nil},
		{&g.OtherFew, false, []string{Short, OwnList}, nil},
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

func one(rows []Row) (Linear, error) {
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

// Rounded keeps four decimals: what is shipped is the same on every machine.
func (g Gates) Rounded() Gates {
	for _, l := range []*Linear{&g.EnglishMany, &g.EnglishAny, &g.EnglishFew, &g.OtherMany, &g.OtherFew} {
		for i, w := range l.Weights {
			l.Weights[i] = round(w)
		}
		l.Bias = round(l.Bias)
	}
	return g
}

func round(x float64) float64 { return math.Round(x*10000) / 10000 }

// Logit is what the gates say of a row.
func (g Gates) Logit(r Row) float64 {
	some, many := g.EnglishFew.Logit(r.Signals[:]), both(g.EnglishMany.Logit(r.Signals[:]), g.EnglishAny.Logit(r.Signals[:]))
	if !r.English {
		some, many = g.OtherFew.Logit(r.Signals[:]), g.OtherMany.Logit(r.Signals[:])
	}
	share := (math.Log(float64(r.Tools)) - math.Log(few)) / (math.Log(lots) - math.Log(few))
	share = min(max(share, 0), 1)
	return float64((1-share)*some) + float64(share*many)
}

// NewFile gives what is shipped: the gates of all rows.
func NewFile(digest string, rows []Row) (File, error) {
	g, err := Fit(rows)
	return File{Name: form, Data: digest, Rows: len(rows), Signals: fit.SignalNames[:], Gates: g.Rounded()}, err
}

// both is the logit of two things that both have to hold.
func both(a, b float64) float64 {
	p := 1 / (1 + math.Exp(-a)) / (1 + math.Exp(-b))
	p = min(max(p, 1e-9), 1-1e-9)
	return math.Log(p / (1 - p))
}

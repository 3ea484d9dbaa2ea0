package dispose

import (
	_ "embed" // carries the gates' weights
	"encoding/json"
	"math"
	"sync"

	"github.com/seed-ae386458/interlock/internal/resolve/fit"
)

//go:embed gate.json
var gateText []byte

// Linear is a logistic regression over signals: the weight of each, and a bias.
type Linear struct {
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
}

// Logit is the logarithm of the odds that a need is served.
func (l Linear) Logit(signals []float64) float64 {
	sum := l.Bias
	for i, w := range l.Weights {
		sum += float64(w * signals[i])
	}
	return sum
}

// Gates say whether a need is served, by its language and by how many tools
// there are to choose from: in a list of few the need is near to most of them,
// so other signals tell. They name no tool, source or word.
type Gates struct {
	EnglishMany Linear `json:"english_many"` // is the first the right one, where there are many
	EnglishAny  Linear `json:"english_any"`  // is a tool asked for at all
	EnglishFew  Linear `json:"english_few"`
	OtherMany   Linear `json:"other_many"`
	OtherFew    Linear `json:"other_few"`
}

// Each gives the regressions to be changed.
func (g *Gates) Each() []*Linear {
	return []*Linear{&g.EnglishMany, &g.EnglishAny, &g.EnglishFew, &g.OtherMany, &g.OtherFew}
}

// GateFile is what is shipped: the gates for each kind of scorer, learned on
// labelled requests with and without the tools that serve them.
type GateFile struct {
	Name    string   `json:"name"`
	Data    string   `json:"data"` // digest of what it was learned from
	Rows    int      `json:"rows"`
	Signals []string `json:"signals"`
	Hybrid  Gates    `json:"hybrid"`
	Lexical Gates    `json:"lexical"`
}

// shipped are the gates that servable reads.
var shipped = sync.OnceValues(func() (GateFile, error) {
	var f GateFile
	err := json.Unmarshal(gateText, &f)
	return f, err
})

// Views of up to few tools are read by the one gate, those of many or more by
// the other, and what lies between by both.
const (
	few  = 20
	many = 200
)

// Logit gives the logarithm of the odds that a need is served.
func (g Gates) Logit(s fit.Signals, english bool, tools int) float64 {
	some, lots := g.EnglishFew.Logit(s[:]), both(g.EnglishMany.Logit(s[:]), g.EnglishAny.Logit(s[:]))
	if !english {
		some, lots = g.OtherFew.Logit(s[:]), g.OtherMany.Logit(s[:])
	}
	share := (math.Log(float64(tools)) - math.Log(few)) / (math.Log(many) - math.Log(few))
	share = min(max(share, 0), 1)
	return float64((1-share)*some) + float64(share*lots)
}

// both is the logit of two things that both have to hold: that a tool is asked
// for, and that the best one is the right one.
func both(a, b float64) float64 {
	p := 1 / (1 + math.Exp(-a)) / (1 + math.Exp(-b))
	p = min(max(p, 1e-9), 1-1e-9)
	return math.Log(p / (1 - p))
}

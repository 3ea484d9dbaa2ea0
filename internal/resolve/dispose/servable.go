package dispose

import (
	_ "embed" // carries the gate's weights
	"encoding/json"
	"math"
	"slices"
	"sync"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
	"github.com/seed-ae386458/interlock/internal/words"
)

//go:embed gate.json
var gateText []byte

// gate is a logistic regression over signals, learned on labelled requests with
// and without the tools that serve them. It names no tool, source or word.
type gate struct {
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
}

// gates are by language and by how many tools there are to choose from: in a
// list of few the need is near to most of them, so other signals tell.
type gates struct {
	Gates struct {
		EnglishMany gate `json:"english_many"`
		EnglishAny  gate `json:"english_any"`
		EnglishFew  gate `json:"english_few"`
		OtherMany   gate `json:"other_many"`
		OtherFew    gate `json:"other_few"`
	} `json:"gates"`
}

var shipped = sync.OnceValues(func() (gates, error) {
	var g gates
	err := json.Unmarshal(gateText, &g)
	return g, err
})

// Views of up to few tools are read by the one gate, those of many or more by
// the other, and what lies between by both.
const (
	few  = 20
	many = 200
)

func (g gate) logit(s fit.Signals) float64 {
	sum := g.Bias
	for i, w := range g.Weights {
		sum += float64(w * s[i])
	}
	return sum
}

// both is the logit of two things that both have to hold: that a tool is asked
// for, and that the best one is the right one.
func both(a, b float64) float64 {
	p := 1 / (1 + math.Exp(-a)) / (1 + math.Exp(-b))
	p = min(max(p, 1e-9), 1-1e-9)
	return math.Log(p / (1 - p))
}

// Servable is the probability that the tools of the view serve the need,
// whatever the disposition; four decimals.
func (a Answer) Servable() interlock.Probability { return a.servable }

func servable(r fit.Result) interlock.Probability {
	signals, ok := r.Signals()
	query := r.List().Query()
	g, err := shipped()
	if !ok || err != nil || query.Wordless() && !named(r) {
		return 0
	}
	some, lots := g.Gates.EnglishFew.logit(signals), both(g.Gates.EnglishMany.logit(signals), g.Gates.EnglishAny.logit(signals))
	if query.Reading().Language != words.English {
		some, lots = g.Gates.OtherFew.logit(signals), g.Gates.OtherMany.logit(signals)
	}
	share := (math.Log(float64(r.List().Standing().Tools)) - math.Log(few)) / (math.Log(many) - math.Log(few))
	share = min(max(share, 0), 1)
	x := float64((1-share)*some) + float64(share*lots)
	p := r.List().Gate().Move(1 / (1 + math.Exp(-x)))
	if named(r) {
		p = max(p, namedServes)
	}
	return interlock.Probability(discover.Round(p))
}

// namedServes is the least probability where the need names a tool.
const namedServes = 0.9

func named(r fit.Result) bool {
	exact := func(f fit.Fit) bool { return f.Exact }
	return slices.ContainsFunc(r.Compatible(), exact) || slices.ContainsFunc(r.Denied(), exact)
}

// Confidence is the probability that the disposition is right. Where a score
// decided it turns on whether the need is served at all. A contract that no
// version satisfies is out whatever is served; and where the tools that are near
// do not fit in kind, the answer stands both if one of them was meant and if
// nothing was.
func (a Answer) Confidence() interlock.Probability {
	p := float64(a.servable)
	switch a.refusal.(type) {
	case *interlock.NoCompatibleContract:
		p = 1
	case *interlock.NoMatch:
		p = max(p, 1-p)
	case *interlock.LowConfidenceMatch:
		p = 1 - p
	}
	return interlock.Probability(discover.Round(p))
}

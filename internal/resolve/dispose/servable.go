package dispose

import (
	"math"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
	"github.com/seed-ae386458/interlock/internal/words"
)

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
	gates := g.Lexical
	if r.List().Directed() {
		gates = g.Hybrid
	}
	x := gates.Logit(signals, query.Reading().Language == words.English, r.List().Standing().Tools)
	p := r.List().Moved(1 / (1 + math.Exp(-x)))
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

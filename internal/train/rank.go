package train

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/opendata"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/words"
)

// The catalogue over which orders are scored, and how many requests of a source
// and language are scored over it.
const (
	ladderTools = 1000
	eachSource  = 60
)

// Order is one request with the evidence of every tool that it is asked of.
type Order struct {
	Stratum   string // language, and how many tools it takes or are described in which
	Request   string
	Source    string
	Publisher string
	Answer    string
	English   bool
	Scored    bool // over the ladder; the others are learned from alone
	Units     [][discover.NumKinds]float32
	Gold      [][]int // places of the tools that serve it, alternatives together
}

// Orders measures requests over the ladder of the public tools, and those that
// are not among them over about 500 tools each.
func Orders(ctx context.Context, data *Data, open *opendata.Data, opts eval.Options) ([]Order, error) {
	cat, err := eval.Open(ctx, data.Lines, opts)
	if err != nil {
		return nil, err
	}
	orders, tasks := data.orders(cat, open)
	found, err := cat.Evidences(ctx, tasks)
	if err != nil {
		return nil, err
	}
	out := orders[:0]
	for i, e := range found {
		o := orders[i]
		o.English, o.Units = e.English, e.Units
		for _, any := range o.gold {
			var at []int
			for j, id := range e.Tools {
				if slices.Contains(any, id) {
					at = append(at, j)
				}
			}
			if len(at) > 0 {
				o.Gold = append(o.Gold, at)
			}
		}
		if len(o.Gold) == len(o.gold) {
			out = append(out, o)
		}
	}
	plain := make([]Order, len(out))
	for i, o := range out {
		plain[i] = o.Order
	}
	return plain, nil
}

// asked is an order before it is measured.
type asked struct {
	Order
	gold [][]string
}

func (d *Data) orders(cat *eval.Catalogue, open *opendata.Data) ([]asked, []eval.Task) {
	ladder := open.Ladder(ladderTools)
	var ids []string
	lang := map[string]string{}
	for _, t := range open.Tools {
		lang[t.ID] = t.Lang
	}
	for _, t := range ladder {
		ids = append(ids, t.ID)
	}
	var out []asked
	var tasks []eval.Task
	add := func(r Request, gold [][]string, scope []string, scored bool) {
		out = append(out, asked{Order{Stratum: stratum(r, lang[gold[0][0]]), Request: r.ID, Source: r.Family(), Publisher: d.publisher(r, nil), Answer: slices.Min(slices.Concat(gold...)), Scored: scored}, gold})
		tasks = append(tasks, eval.Task{ID: r.ID, Query: r.Query, Scope: scope})
	}
	done := map[string]bool{}
	for _, k := range open.Pick(ladder, eachSource) {
		done[k.ID] = true
		add(Request{ID: k.ID, Lang: k.Lang, Kind: k.Kind, Query: k.Query, Gold: k.Gold, Source: k.Source}, k.Gold, ids, true)
	}
	w := newWorld(d, cat)
	count := map[[2]string]int{}
	for _, r := range order(d.Requests, "orders", func(r Request) string { return r.ID }) {
		if done[r.ID] || !r.alone() || !r.whole() || r.Kind != "single" && r.Kind != "multi" {
			continue
		}
		scope := w.catalogue(r, many)
		if count[[2]string{r.Source, r.Lang}]++; count[[2]string{r.Source, r.Lang}] <= perSource && w.complete(r, scope) {
			add(r, r.Gold, scope, false)
		}
	}
	return out, tasks
}

// stratum is the language of a request, and for English ones how many tools it
// takes, for others the language of the tool.
func stratum(r Request, tools string) string {
	if r.Lang == "en" {
		return "en " + r.Kind
	}
	return r.Lang + " over " + cmp.Or(tools, "en")
}

// HandSet gives the weights that ship, by regime.
func HandSet(opts eval.Options) map[string]Weights {
	s := discover.NewScorer(opts.Embedder, opts.Glosser)
	return map[string]Weights{english: s.Regime(words.English).Weights(), others: s.Regime(words.Korean).Weights()}
}

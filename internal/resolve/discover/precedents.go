package discover

import (
	"cmp"
	"slices"

	"github.com/seed-ae386458/interlock/embedding"
	"github.com/seed-ae386458/interlock/internal/index"
)

// Precedents are accepted matches of a catalogue: needs, and the tools that
// served them. A tool ranks higher where a need is near to one that it served.
// The zero value is none.
type Precedents struct {
	rows []precedent
}

type precedent struct {
	vector embedding.Vector
	tools  []string
}

// Add adds one accepted match. A tool that stands twice counts once.
func (p *Precedents) Add(vector []float32, tools []string) {
	p.rows = append(p.rows, precedent{embedding.Quantise(vector), slices.Compact(slices.Sorted(slices.Values(tools)))})
}

// How much a precedent adds to a rank: the nearest one of a tool by its cosine,
// and each of the nearest of all by the square of it.
const (
	nearestWeight = 8.0
	voteWeight    = 4.0
	voters        = 8
)

// raises gives what precedents add to the ranks of tools. Precedents of tools
// that are not seen have no vote: they are passed over before the nearest are
// taken.
func (s Scorer) raises(need embedding.Vector, seen func(tool string) bool) map[string]float64 {
	type near struct {
		cosine float64
		tools  []string
	}
	var all []near
	for _, row := range s.Precedents.rows {
		visible := slices.DeleteFunc(slices.Clone(row.tools), func(id string) bool { return !seen(id) })
		if c := float64(s.cosine(embedding.Cosine(need, row.vector))); c > 0 && len(visible) > 0 {
			all = append(all, near{c, visible})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.cosine, a.cosine) })
	best, votes := map[string]float64{}, map[string]float64{}
	for i, n := range all {
		for _, id := range n.tools {
			best[id] = max(best[id], n.cosine)
			if i < voters {
				votes[id] += float64(n.cosine * n.cosine)
			}
		}
	}
	for id, c := range best {
		best[id] = float64(nearestWeight*c) + float64(voteWeight*votes[id])
	}
	return best
}

// precede raises the ranks of tools by the scorer's precedents.
func (s Scorer) precede(r *ranking, query index.Query) {
	if s.Precedents == nil || len(query.Vector().Values) == 0 {
		return
	}
	r.raised = s.raises(query.Vector(), func(id string) bool { return r.view.Tool(id) != nil })
	for i := range r.places {
		r.places[i].rank += r.raised[r.tool(r.places[i]).ID]
	}
}

package eval

import (
	"context"

	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Evidence is what is known of every tool in the scope of a task before
// anything is weighed.
type Evidence struct {
	Tools   []string
	Units   [][discover.NumKinds]float32 // of each tool, by kind, in units of its spread over the scope
	English bool
}

// Evidences searches for tasks on every processor there is, in order. A tool of
// several wordings stands with each of them.
func (c *Catalogue) Evidences(ctx context.Context, tasks []Task) ([]Evidence, error) {
	return forTasks(ctx, tasks, c.evidence)
}

func (c *Catalogue) evidence(ctx context.Context, t Task) (Evidence, error) {
	query, err := index.Prepare(ctx, t.Query, t.said(), c.opts.Embedder, c.opts.Glosser)
	if err != nil {
		return Evidence{}, err
	}
	view := snapshot.Take(c.keeper, t.Scope.principal()).View()
	found := index.Search(view.Index, query)
	e := Evidence{English: query.Reading().Language == words.English}
	for i, units := range discover.Units(found) {
		var row [discover.NumKinds]float32
		for k, x := range units {
			row[k] = float32(x)
		}
		e.Tools, e.Units = append(e.Tools, view.At(found[i]).ID), append(e.Units, row)
	}
	return e, nil
}

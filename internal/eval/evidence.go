package eval

import (
	"context"
	"errors"
	"runtime"
	"sync"

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
	out := make([]Evidence, len(tasks))
	errs := make([]error, len(tasks))
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(tasks) && ctx.Err() == nil; i += workers {
				out[i], errs[i] = c.evidence(ctx, tasks[i])
			}
		})
	}
	wg.Wait()
	return out, errors.Join(append(errs, ctx.Err())...)
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

package router

import (
	"context"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/parallel"
)

// modelsTime bounds the wait for models that are asked whether they answer.
const modelsTime = 5 * time.Second

// answering is a model that can be asked whether it does.
type answering interface {
	Name() string
	Answers(ctx context.Context) error
}

// Healthy reports whether requests can be served. It asks nothing beside the
// store: without a model behind an address needs are answered all the same.
func (r *Router) Healthy(ctx context.Context) error {
	_, err := r.opts.Store.Generation(ctx)
	return err
}

// Status gives facts of the whole for the operator. It asks the models that are
// behind an address whether they answer.
func (r *Router) Status(ctx context.Context) (map[string]any, error) {
	if err := r.Healthy(ctx); err != nil {
		return nil, err
	}
	state := r.reg.State()
	return map[string]any{"generation": state.Generation, "sources": len(state.Sources), "tools": len(state.Tools), "log_entries": r.log.Size(),
		"scorer": r.scorer.Name, "log_key": r.opts.Keys.VerifierKeys()[0], "models_down": r.modelsDown(ctx), "sources_unread": r.sourcesUnread(ctx)}, nil
}

// sourcesUnread tells of the sources that could not be read as they are
// configured: why, and how many tools of an earlier reading there are.
func (r *Router) sourcesUnread(ctx context.Context) []any {
	out := []any{}
	list, _ := r.Sources(ctx, interlock.Local()) // the operator's list does not fail
	for _, src := range list {
		if src.Why != "" {
			out = append(out, map[string]any{"name": src.Name, "kind": src.Kind, "tools": src.Tools, "why": src.Why})
		}
	}
	return out
}

// modelsDown names the models that do not answer, and why.
func (r *Router) modelsDown(ctx context.Context) []any {
	ctx, stop := context.WithTimeout(ctx, modelsTime)
	defer stop()
	var group parallel.Group
	models := [...]struct {
		what string
		is   any
		why  error
	}{{what: "embedder", is: r.opts.Embedder}, {what: "reranker", is: r.opts.Reranker}}
	for i := range models {
		if m, ok := models[i].is.(answering); ok {
			group.Go(func() { models[i].why = m.Answers(ctx) })
		}
	}
	group.Wait(nil)
	down := []any{}
	for _, m := range models {
		if m.why != nil {
			down = append(down, map[string]any{"what": m.what, "model": m.is.(answering).Name(), "why": m.why.Error()})
		}
	}
	return down
}

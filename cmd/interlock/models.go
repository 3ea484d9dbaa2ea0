package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/usem3"
	"github.com/seed-ae386458/interlock/internal/endpoint"
)

// The kinds of embedder.
const (
	embedBuiltin = "builtin"
	embedNone    = "none"
	embedOpenAI  = "openai"
)

// configModel says where a model behind an address is.
type configModel struct {
	URL     string `json:"url"`
	Model   string `json:"model"`
	Key     string `json:"key"`     // a reference
	Timeout string `json:"timeout"` // of one request, as a duration
	Wait    string `json:"wait"`    // of a need for the model, as a duration
}

// configEmbedder says where vectors come from.
type configEmbedder struct {
	Kind string `json:"kind"`
	configModel
	Dimensions int `json:"dimensions"`
	Batch      int `json:"batch"`
}

// defaultWait bounds how long a need waits for a model behind an address.
const defaultWait = 500 * time.Millisecond

// options gives what the endpoint is opened with.
func (c configModel) options() (endpoint.Options, error) {
	o := endpoint.Options{URL: c.URL, Model: c.Model, Key: c.Key}
	if c.Timeout != "" {
		var err error
		if o.Timeout, err = time.ParseDuration(c.Timeout); err != nil || o.Timeout <= 0 {
			return o, fmt.Errorf("timeout: %q is no duration such as 10s", c.Timeout)
		}
	}
	_, err := c.wait()
	return o, err
}

// wait is how long a need waits for the model.
func (c configModel) wait() (time.Duration, error) {
	if c.Wait == "" {
		return defaultWait, nil
	}
	d, err := time.ParseDuration(c.Wait)
	if err != nil || d <= 0 || d > time.Minute {
		return 0, fmt.Errorf("wait: %q is no duration such as 500ms, up to a minute", c.Wait)
	}
	return d, nil
}

func (c configEmbedder) options() (endpoint.Options, error) {
	o, err := c.configModel.options()
	o.Dimensions, o.Batch = c.Dimensions, c.Batch
	if err == nil {
		err = o.Check()
	}
	return o, err
}

// check refuses an embedder that could not be opened, and settings that its kind
// would pass over.
func (c configEmbedder) check() error {
	switch c.Kind {
	case embedOpenAI:
		if _, err := c.options(); err != nil {
			return fmt.Errorf("embedder.%w", err)
		}
	case "", embedBuiltin, embedNone:
		if c.configModel != (configModel{}) || c.Dimensions != 0 || c.Batch != 0 {
			return fmt.Errorf("embedder: url, model, dimensions, key, timeout, wait and batch are of the kind %s", embedOpenAI)
		}
	default:
		return fmt.Errorf("embedder.kind: %q is none of builtin, openai, none", c.Kind)
	}
	return nil
}

// configReranker says what orders the first candidates.
type configReranker struct {
	Kind string `json:"kind"`
	configModel
	First int `json:"first"` // how many it orders
}

// The kinds of reranker.
const (
	rerankNone     = "none"
	rerankEndpoint = "rerank"
	maxFirst       = 100
	defaultFirst   = 20
)

func (c configReranker) options() (endpoint.Options, error) {
	o, err := c.configModel.options()
	if err == nil {
		err = o.Check()
	}
	if err == nil && (c.First < 0 || c.First > maxFirst) {
		err = fmt.Errorf("first: between 1 and %d, or left out", maxFirst)
	}
	return o, err
}

// check refuses a reranker that could not be opened, and settings that its kind
// would pass over.
func (c configReranker) check() error {
	switch c.Kind {
	case rerankEndpoint:
		if _, err := c.options(); err != nil {
			return fmt.Errorf("reranker.%w", err)
		}
	case "", rerankNone:
		if c.configModel != (configModel{}) || c.First != 0 {
			return fmt.Errorf("reranker: url, model, key, timeout, wait and first are of the kind %s", rerankEndpoint)
		}
	default:
		return fmt.Errorf("reranker.kind: %q is none of rerank, none", c.Kind)
	}
	return nil
}

// reranker gives the configured one, how many candidates it orders and how long
// a need waits for it; nil is the scorer's own order.
func (a *app) reranker(c config) (r interlock.Reranker, first int, wait time.Duration, err error) {
	if c.Reranker.Kind != rerankEndpoint {
		return nil, 0, 0, nil
	}
	opts, err := c.Reranker.options()
	if err != nil {
		return nil, 0, 0, configError("reranker.%v", err)
	}
	if wait, err = c.Reranker.wait(); err != nil {
		return nil, 0, 0, configError("reranker.%v", err)
	}
	opts.Secrets, opts.Logger, opts.Clock = a.secrets(), a.logger, time.Now
	r, err = endpoint.NewReranker(opts)
	return r, cmp.Or(c.Reranker.First, defaultFirst), wait, err
}

// embedder gives the configured one; nil is lexical discovery alone.
func (a *app) embedder(c config) (interlock.Embedder, error) {
	set := c.Embedder
	if a.Embedder != "" {
		set.Kind = a.Embedder
	}
	switch set.Kind {
	case embedNone:
		return nil, nil
	case "", embedBuiltin:
		model, err := usem3.Load()
		if err != nil {
			return nil, fmt.Errorf("embedded model: %w", err)
		}
		return builtin{model}, nil
	}
	if err := set.check(); err != nil {
		return nil, configError("%v", err)
	}
	opts, err := set.options()
	if err != nil {
		return nil, configError("embedder.%v", err)
	}
	opts.Secrets, opts.Logger, opts.Clock = a.secrets(), a.logger, time.Now
	return endpoint.NewEmbedder(opts)
}

// needWait is how long a need waits for its vector; 0 is as long as it takes.
func (a *app) needWait(c config) (time.Duration, error) {
	kind := c.Embedder.Kind
	if a.Embedder != "" {
		kind = a.Embedder
	}
	if kind != embedOpenAI {
		return 0, nil
	}
	return c.Embedder.wait()
}

// builtin is the embedded model as an embedder.
type builtin struct{ *usem3.Model }

// Embed gives one vector a text.
func (b builtin) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = b.Model.Embed(nil, text)
	}
	return out, nil
}

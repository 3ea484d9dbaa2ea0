package router_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/source/httpcall"
	"github.com/seed-ae386458/interlock/source/yamljson"
)

// openers are those of the real sources; a source that a scenario has put down
// answers nothing.
func openers(_ *testing.T, down *downs) map[string]interlock.Opener {
	return map[string]interlock.Opener{interlock.KindManifest: switched{tempManifest{}, down}}
}

// downs are the sources that answer nothing.
type downs struct {
	mu    sync.Mutex
	names map[string]bool
}

func newDowns() *downs { return &downs{names: map[string]bool{}} }

func (d *downs) set(name string, down bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.names[name] = down
}

func (d *downs) check(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.names[name] {
		return nil
	}
	return &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonSourceUnreachable, Stage: "ingest", Outcome: interlock.OutcomeNotSent,
		Public: "The source could not be reached; nothing was sent."}
}

// switched opens real sources that can be put down.
type switched struct {
	interlock.Opener
	down *downs
}

func (s switched) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	src, err := s.Opener.Open(cfg)
	if err != nil {
		return nil, err
	}
	return switchedSource{src, cfg.Name, s.down}, nil
}

type switchedSource struct {
	interlock.Source
	name string
	down *downs
}

func (s switchedSource) Catalogue(ctx context.Context) (interlock.Catalogue, error) {
	if err := s.down.check(s.name); err != nil {
		return interlock.Catalogue{}, err
	}
	return s.Source.Catalogue(ctx)
}

func (s switchedSource) Call(ctx context.Context, call interlock.Outbound) (interlock.Reply, error) {
	if err := s.down.check(s.name); err != nil {
		return interlock.Reply{}, err
	}
	return s.Source.Call(ctx, call)
}

// TEMPORARY until source/manifest builds.
type tempManifest struct{}

type tempSource struct {
	cfg    interlock.SourceConfig
	client *httpcall.Client
}

func (tempManifest) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	c, err := httpcall.New(httpcall.Options{})
	return tempSource{cfg, c}, err
}

func (s tempSource) Close() error { return s.client.Close() }
func (s tempSource) Call(ctx context.Context, call interlock.Outbound) (interlock.Reply, error) {
	return s.client.Call(ctx, call)
}

func (s tempSource) Catalogue(context.Context) (interlock.Catalogue, error) {
	text, err := os.ReadFile(s.cfg.File)
	if err != nil {
		return interlock.Catalogue{}, err
	}
	doc, err := yamljson.Parse(text, yamljson.Limits{})
	if err != nil {
		return interlock.Catalogue{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest", Err: err}
	}
	var m struct {
		Source, Tenant string
		Tools          []struct {
			interlock.Operation
			HTTP struct{ Method, URL, Timeout string }
		}
		Edges   []interlock.Edge
		Overlay []interlock.Overlay
	}
	if err := json.Unmarshal(doc.Root.JSON(), &m); err != nil {
		return interlock.Catalogue{}, fmt.Errorf("temp manifest: %w", err)
	}
	cat := interlock.Catalogue{Source: m.Source, Tenant: m.Tenant, Total: len(m.Tools), Edges: m.Edges, Overlays: m.Overlay}
	for _, t := range m.Tools {
		op := t.Operation
		if t.HTTP.URL != "" {
			b := httpcall.Binding{Method: t.HTTP.Method, URL: t.HTTP.URL, Trusted: true}
			if b.Method == "" {
				b.Method = "POST"
			}
			if b.Method == "GET" || b.Method == "DELETE" {
				b.Query = true
			} else {
				b.Body = &httpcall.Body{Media: "application/json", Required: true}
			}
			if op.Binding, err = b.Encode(); err != nil {
				return cat, err
			}
			op.Timeout = t.HTTP.Timeout
		}
		cat.Operations = append(cat.Operations, op)
	}
	return cat, nil
}

package router_test

import (
	"context"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/source/manifest"
	"github.com/seed-ae386458/interlock/source/openapi"
	"github.com/seed-ae386458/interlock/source/toollist"
)

// openers are those of the real sources; a source that a scenario has put down
// answers nothing. No reference to a secret leads anywhere.
func openers(down *downs) map[string]interlock.Opener {
	secrets := auth.Resolver{}
	return map[string]interlock.Opener{
		interlock.KindManifest: switched{manifest.NewOpener(manifest.Options{Secrets: secrets, Backoff: time.Millisecond}), down},
		interlock.KindOpenAPI:  switched{openapi.NewOpener(openapi.Options{Secrets: secrets, Backoff: time.Millisecond}), down},
		interlock.KindTools:    switched{toollist.NewOpener(), down},
	}
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

func (s switchedSource) Ready(ctx context.Context, call interlock.Outbound) error {
	if err := s.down.check(s.name); err != nil {
		return err
	}
	return s.Source.(interlock.Readier).Ready(ctx, call)
}

func (s switchedSource) Call(ctx context.Context, call interlock.Outbound) (interlock.Reply, error) {
	if err := s.down.check(s.name); err != nil {
		return interlock.Reply{}, err
	}
	return s.Source.Call(ctx, call)
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/usem3"
	"github.com/seed-ae386458/interlock/router"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// resolveTools is the size of the catalogue that the targets of resolving name.
const resolveTools = 1000

// resolve measures answers to needs that are new and that were seen before, as
// a library and over HTTP.
func (b *bench) resolve(ctx context.Context) error {
	c, err := b.catalogue(resolveTools)
	if err != nil {
		return err
	}
	b.report.Catalogue = c.what
	lib, err := b.library(ctx, c)
	if err != nil {
		return err
	}
	if err := b.askAll(ctx, "library", c.needs, lib); err != nil {
		return err
	}
	if err := lib.close(); err != nil {
		return err
	}
	b.noise.sample()
	web, err := b.web(ctx, c)
	if err != nil {
		return err
	}
	defer web.close() //nolint:errcheck // the process is gone either way
	return b.askAll(ctx, "HTTP", c.needs, web)
}

// asker answers one need, and does beside it what the answer is compared with.
type asker interface {
	ask(ctx context.Context, need string) error
	base(ctx context.Context, need string) error
	baseName() string
	close() error
}

// The needs of a run: warm ones first, then new ones, and among them some that
// are asked again and again.
const (
	warmNeeds = 60
	seenNeeds = 40
)

// askAll asks new and seen needs in turn and reports both.
func (b *bench) askAll(ctx context.Context, way string, needs []string, a asker) error {
	total := b.pick(900, 200)
	if len(needs) < warmNeeds+seenNeeds+total {
		return fmt.Errorf("there are %d different needs, %d are wanted", len(needs), warmNeeds+seenNeeds+total)
	}
	b.say("resolving, %s: %d new needs and as many seen ones", way, total)
	known, fresh := needs[warmNeeds:warmNeeds+seenNeeds], needs[warmNeeds+seenNeeds:]
	for _, need := range needs[:warmNeeds+seenNeeds] {
		if err := a.ask(ctx, need); err != nil {
			return err
		}
	}
	stop, err := b.profile(way)
	if err != nil {
		return err
	}
	defer stop()
	var first, again, base times
	for i, need := range fresh[:total] {
		for _, m := range []struct {
			into *times
			do   func(context.Context, string) error
			need string
		}{{&base, a.base, need}, {&first, a.ask, need}, {&again, a.ask, known[i%len(known)]}} {
			start := time.Now()
			if err := m.do(ctx, m.need); err != nil {
				return fmt.Errorf("%s, need %q: %w", way, m.need, err)
			}
			*m.into = append(*m.into, time.Since(start))
		}
	}
	b.putResolve(way, "a new need", first, base.median(), a.baseName(), 3)
	b.putResolve(way, "a seen need", again, base.median(), a.baseName(), 0.5)
	return nil
}

func (b *bench) putResolve(way, which string, t times, base time.Duration, baseName string, limit float64) {
	b.report.put(figure{Part: "resolve", Name: which + ", " + way + ", p50", Value: millis(t.median()), Unit: "ms", Base: millis(base), BaseName: baseName, Target: under(limit, "ms")})
	b.report.put(figure{Part: "resolve", Name: which + ", " + way + ", p99", Value: millis(t.quantile(0.99)), Unit: "ms", Target: under(10, "ms")})
}

// profile starts the CPU profile that was asked for; it covers the library.
func (b *bench) profile(way string) (stop func(), err error) {
	if b.opts.profile == "" || way != "library" {
		return func() {}, nil
	}
	f, err := os.Create(b.opts.profile)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		_ = f.Close() // the profile is a help, not a figure
	}, nil
}

// library is the router in this process, as a user of the Go library has it.
type library struct {
	router   *router.Router
	embedder interlock.Embedder
	store    *sqlite.Store
}

// library opens a router and registers the catalogue with it.
func (b *bench) library(ctx context.Context, c catalogue) (*library, error) {
	b.say("registering %d tools in this process", c.tools)
	model, err := usem3.Load()
	if err != nil {
		return nil, err
	}
	l, err := openRouter(ctx, filepath.Join(b.dir, "library.db"), embedder{model})
	if err != nil {
		return nil, err
	}
	if _, err = l.router.Add(ctx, interlock.Local(), interlock.SourceConfig{Name: "catalogue", Kind: interlock.KindTools, File: c.file}); err != nil {
		return nil, err
	}
	return l, l.router.Settle(ctx)
}

// embedder is the embedded model as an embedder.
type embedder struct{ *usem3.Model }

// Embed gives one vector a text.
func (e embedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = e.Model.Embed(nil, text)
	}
	return out, nil
}

func (l *library) ask(ctx context.Context, need string) error {
	answer, err := l.router.Resolve(ctx, interlock.Local(), interlock.Need{Text: need})
	if err != nil {
		return err
	}
	if answer.Disposition == "" || answer.Snapshot.View == "" || !strings.HasPrefix(answer.Scorer, "hybrid") {
		return fmt.Errorf("no whole answer, or not by terms and vectors together: %s %s", answer.Disposition, answer.Scorer)
	}
	return nil
}

// base makes the vector of a need and nothing else.
func (l *library) base(ctx context.Context, need string) error {
	_, err := l.embedder.Embed(ctx, []string{need})
	return err
}

func (l *library) baseName() string { return "its vector alone" }

func (l *library) close() error {
	if err := l.router.Close(); err != nil {
		return err
	}
	return l.store.Close()
}

package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/parallel"
)

// The patience with a source that does not answer.
const (
	refreshTime = time.Minute      // for one reading
	grace       = time.Minute      // its tools stay callable so long after the first failure
	retryAfter  = 20 * time.Second // until the grace is over
)

// watchSources reads live sources again until the context ends.
func (u *server) watchSources(ctx context.Context) {
	w := &watch{server: u, since: map[string]time.Time{}}
	w.run(ctx)
}

// publish registers a source of the configuration and gives the name that it
// has then. One that cannot be read is said to be so and tried again, ever more
// rarely; it keeps nobody waiting.
func (u *server) publish(ctx context.Context, cfg interlock.SourceConfig) string {
	said := ""
	for wait := time.Second; ; wait = min(2*wait, refreshTime) {
		one, cancel := context.WithTimeout(ctx, refreshTime)
		var report interlock.AddReport
		err := parallel.Caught(func() (err error) { report, err = u.session.Add(one, interlock.Local(), cfg); return err })
		cancel()
		if err == nil || ctx.Err() != nil {
			u.session.local.NoteUnread(cfg, "")
			return report.Source
		}
		u.session.local.NoteUnread(cfg, whyOf(err))
		if text := err.Error(); text != said {
			said = text
			u.app.logger.Error("a source of the configuration cannot be read; it is tried again", "source", cfg.Name, "err", err)
		}
		select {
		case <-ctx.Done():
			u.session.local.NoteUnread(cfg, "") // it is wanted no longer
			return ""
		case <-time.After(wait):
		}
	}
}

// whyOf says for the operator why a source cannot be read; it is never empty.
func whyOf(err error) string {
	e := interlock.AsError(err)
	return strings.TrimSuffix(cmp.Or(e.Public, string(e.Reason), err.Error()), ".") + "."
}

// watch reads live sources again: all of them from time to time, one when its
// server says that its tools are others, and one that failed soon again.
type watch struct {
	*server
	since map[string]time.Time // first failure of each source that does not answer
}

// run watches until the context ends.
func (w *watch) run(ctx context.Context) {
	if w.poll == 0 {
		return
	}
	w.all(ctx)
	poll, retry := time.NewTicker(w.poll), time.NewTicker(retryAfter)
	defer poll.Stop()
	defer retry.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-w.session.changed:
			w.refresh(ctx, name)
		case <-poll.C:
			w.all(ctx)
		case <-retry.C:
			for name := range w.since {
				w.refresh(ctx, name)
			}
		}
	}
}

// all reads every live source again.
func (w *watch) all(ctx context.Context) {
	for _, cfg := range w.session.local.SourceConfigs() {
		if (cfg.Kind == interlock.KindMCP || cfg.URL != "") && ctx.Err() == nil {
			w.refresh(ctx, cfg.Name)
		}
	}
}

// refresh reads one source again. One that has not answered for the time of
// grace is marked as down.
func (w *watch) refresh(ctx context.Context, name string) {
	one, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	err := parallel.Caught(func() error { _, err := w.session.local.Refresh(one, name); return err })
	reason := interlock.ReasonOf(err)
	if err == nil || ctx.Err() != nil || reason == interlock.ReasonNotFound {
		delete(w.since, name)
		return
	}
	first, failing := w.since[name]
	if !failing {
		first = time.Now()
		w.since[name] = first
		w.app.logger.Warn("a source does not answer", "source", name, "err", err)
	}
	if time.Since(first) < grace || reason == interlock.ReasonNeedsAuth { // a source that refuses a credential answers
		return
	}
	if err := w.session.local.MarkDown(ctx, name, interlock.AsError(err).Public); err != nil {
		w.app.logger.Error("a source is down and cannot be marked", "source", name, "err", err)
	}
}

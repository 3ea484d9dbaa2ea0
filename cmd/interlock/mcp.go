package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/mcpserver"
)

// Run serves MCP on standard input and output. Where a server runs on the
// store, its registry is used; otherwise this process holds the store and
// serves the local socket beside it, so that a second agent shares it.
func (mcpCmd) Run(ctx context.Context, a *app) (err error) {
	s := &shared{app: a}
	defer func() { err = errors.Join(err, s.close()) }()
	now, err := s.current(ctx)
	if err != nil {
		return err
	}
	return mcpserver.ServeStdio(ctx, s, now.who, a.in, a.out, s.options(now))
}

// shared answers from whoever holds the store: this process, a running server,
// or another agent's process. When that one ends, this one takes its place.
type shared struct {
	app *app
	mu  sync.Mutex // guards now
	now *holding
}

var _ mcpserver.Face = (*shared)(nil)

// holding is an open session and the principal that it is used as.
type holding struct {
	*session
	who  interlock.Principal
	stop func() error // of the socket that is served beside it
}

func (s *shared) options(h *holding) mcpserver.Options {
	return mcpserver.Options{Logger: s.app.logger, Version: version, Elicit: h.who.Operator}
}

// current gives the open session, and opens one where there is none.
func (s *shared) current(ctx context.Context) (*holding, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		return s.now, nil
	}
	session, err := s.app.open(ctx)
	if err != nil {
		return nil, err
	}
	h := &holding{session: session, stop: func() error { return nil }}
	if h.who, err = session.who(s.app.Principal, s.app.Claims); err == nil && session.local != nil {
		err = s.serve(h)
	}
	if err != nil {
		return nil, errors.Join(err, session.close())
	}
	s.now = h
	return h, nil
}

// serve lets other processes share the store that this one holds.
func (s *shared) serve(h *holding) error {
	handler, err := mcpserver.NewHandler(h.local, s.options(h))
	if err != nil {
		return err
	}
	stop, err := s.app.serveSocket(h.session, s.app.doorOptions(h.session, handler))
	if err != nil {
		handler.Close()
		return err
	}
	h.stop = func() error {
		handler.Close()
		return stop()
	}
	return nil
}

// restartTime is how long a server that ended may take to be there again,
// before its store is taken over.
const restartTime = 2 * time.Second

// drop forgets a session whose other end is gone, and gives a server that is
// being restarted a moment to be there first.
func (s *shared) drop(ctx context.Context, h *holding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != h {
		return
	}
	s.now = nil
	_ = h.close() // a client's idle connections
	for until := time.Now().Add(restartTime); time.Now().Before(until) && ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		if client := running(h.path); client != nil {
			client.Close()
			return
		}
	}
}

func (s *shared) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		return nil
	}
	h := s.now
	s.now = nil
	return errors.Join(h.stop(), h.close())
}

// ask asks the current session, and a second one where the other end of the
// first was gone before anything reached it.
func ask[T any](ctx context.Context, s *shared, question func(h *holding) (T, error)) (answer T, err error) {
	for range 2 {
		var h *holding
		if h, err = s.current(ctx); err != nil {
			return answer, err
		}
		if answer, err = question(h); h.local != nil || !unreached(err) {
			return answer, err
		}
		s.drop(ctx, h)
	}
	return answer, err
}

// unreached reports whether a running server was not there to be asked. A call
// that may have reached it is told as indeterminate, and is not repeated.
func unreached(err error) bool {
	e := interlock.AsError(err)
	return err != nil && e.Code == interlock.CodeUnavailable && e.Stage == "surface"
}

// Resolve answers a need.
func (s *shared) Resolve(ctx context.Context, _ interlock.Principal, need interlock.Need) (interlock.Resolution, error) {
	return ask(ctx, s, func(h *holding) (interlock.Resolution, error) { return h.Resolve(ctx, h.who, need) })
}

// Call makes a call.
func (s *shared) Call(ctx context.Context, _ interlock.Principal, req interlock.CallRequest) (interlock.CallResult, error) {
	return ask(ctx, s, func(h *holding) (interlock.CallResult, error) { return h.Call(ctx, h.who, req) })
}

// Show gives one tool in full.
func (s *shared) Show(ctx context.Context, _ interlock.Principal, name string) (interlock.ToolDetail, error) {
	return ask(ctx, s, func(h *holding) (interlock.ToolDetail, error) { return h.Show(ctx, h.who, name) })
}

// Approvals lists the approvals.
func (s *shared) Approvals(ctx context.Context, _ interlock.Principal) ([]interlock.Approval, error) {
	return ask(ctx, s, func(h *holding) ([]interlock.Approval, error) { return h.session.Approvals(ctx, h.who) })
}

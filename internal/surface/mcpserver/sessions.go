package mcpserver

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
)

// sessions are the sessions of the older era that are open. Their state is the
// SDK's; what is kept here is whose each is, how long it has been idle, and the
// calls that are answered without the SDK.
type sessions struct {
	opts Options

	mu   sync.Mutex // guards the fields below
	open map[string]*session
	own  map[string]int // how many each principal has
}

func newSessions(opts Options) *sessions {
	return &sessions{opts: opts, open: map[string]*session{}, own: map[string]int{}}
}

// session is one of them.
type session struct {
	sdk   *mcp.ServerSession
	owner string // the name of its principal
	short bool   // its calls may go the short way: single answers, nobody to ask
	rest  time.Duration

	mu     sync.Mutex // guards the fields below
	busy   int        // requests under way
	idle   *time.Timer
	ending bool                               // no call goes the short way any more
	over   bool                               // the SDK has ended it
	flight map[string]context.CancelCauseFunc // calls on the short way, by their id as it is spelled
	last   chan struct{}                      // closed when none is in flight; nil while nobody waits
}

// watch notes each session that begins.
func (all *sessions) watch(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if s, ok := req.GetSession().(*mcp.ServerSession); ok && err == nil && method == "initialize" && s.ID() != "" {
			owner := ""
			if extra := req.GetExtra(); extra != nil && extra.TokenInfo != nil {
				owner = extra.TokenInfo.UserID
			}
			all.add(s, owner)
		}
		return res, err
	}
}

// add notes a session until it ends.
func (all *sessions) add(sdk *mcp.ServerSession, owner string) {
	s := &session{sdk: sdk, owner: owner, rest: all.opts.SessionTime, flight: map[string]context.CancelCauseFunc{}}
	s.short = !all.opts.Elicit || strings.HasPrefix(sdk.ID(), plainSession) && !askable(sdk.InitializeParams().Capabilities)
	s.idle = time.AfterFunc(s.rest, s.expire)
	id := sdk.ID()
	all.mu.Lock()
	all.open[id] = s
	all.own[owner]++
	all.mu.Unlock()
	go func() {
		_ = sdk.Wait() // why it ended is the SDK's to tell
		s.ended()
		all.mu.Lock()
		defer all.mu.Unlock()
		delete(all.open, id)
		if all.own[owner]--; all.own[owner] == 0 {
			delete(all.own, owner)
		}
	}()
}

// of gives the session so named, where it is open and who's own. Of any other
// the SDK says what is wrong.
func (all *sessions) of(id string, who interlock.Principal) *session {
	if id == "" {
		return nil
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if s := all.open[id]; s != nil && s.owner == who.Name {
		return s
	}
	return nil
}

// full reports whether who may begin no further session: all are taken, or he
// holds half of them, so that nobody takes them from everybody else.
func (all *sessions) full(who interlock.Principal) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	most := all.opts.MaxSessions
	return len(all.open) >= most || all.own[who.Name] >= max(1, most/2)
}

// close ends every session of the servers, those of single requests too.
func (all *sessions) close(servers []*mcp.Server) {
	var work sync.WaitGroup
	for _, server := range servers {
		for sdk := range server.Sessions() {
			all.mu.Lock()
			s := all.open[sdk.ID()]
			all.mu.Unlock()
			if s == nil {
				s = &session{sdk: sdk}
			}
			work.Go(s.close)
		}
	}
	work.Wait()
}

// begin says that a request of the session is under way.
func (s *session) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy++; s.busy == 1 {
		s.idle.Stop()
	}
}

// end says that it is over; the session is idle from the last on.
func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy--; s.busy == 0 && !s.over {
		s.idle.Reset(s.rest)
	}
}

// ended says that the SDK has ended the session.
func (s *session) ended() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.idle.Stop()
}

// expire ends the session unless a request came at the last moment.
func (s *session) expire() {
	s.mu.Lock()
	busy := s.busy > 0
	s.mu.Unlock()
	if !busy {
		s.close()
	}
}

// close lets calls end, then ends the session.
func (s *session) close() {
	s.drain()
	_ = s.sdk.Close() // its connection is in memory
}

// drain takes no further call the short way and waits for those in flight.
func (s *session) drain() {
	s.mu.Lock()
	s.ending = true
	if s.last == nil {
		s.last = make(chan struct{})
		if len(s.flight) == 0 {
			close(s.last)
		}
	}
	last := s.last
	s.mu.Unlock()
	<-last
}

// took is what came of an attempt to begin a call the short way.
type took int

const (
	taken  took = iota
	inUse       // its id is that of a call in flight
	closed      // the session takes none any more
)

// take notes a call, to be cancelled by its id.
func (s *session) take(id string, stop context.CancelCauseFunc) took {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return closed
	}
	if _, twice := s.flight[id]; twice {
		return inUse
	}
	s.flight[id] = stop
	return taken
}

// leave forgets a call.
func (s *session) leave(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.flight, id)
	if len(s.flight) == 0 && s.last != nil {
		close(s.last)
	}
}

// cancelBy cancels the calls that a message says to cancel.
func (s *session) cancelBy(message []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range cancelled(message) {
		if stop := s.flight[id]; stop != nil {
			stop(context.Canceled)
		}
	}
}

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-ae386458/interlock"
)

// Opener opens sources of kind "mcp".
type Opener struct{ opts Options }

var _ interlock.Opener = (*Opener)(nil)

// New makes an opener; options that no server could be opened with are refused.
func New(opts Options) (*Opener, error) {
	if err := opts.validate(); err != nil {
		return nil, err
	}
	return &Opener{opts: opts.withDefaults()}, nil
}

// Open checks a configuration and makes its source. Nothing is started or
// reached before the source is first used.
func (o *Opener) Open(cfg interlock.SourceConfig) (interlock.Source, error) {
	if err := checkConfig(cfg); err != nil {
		return nil, err
	}
	opts := o.opts
	if opts.Secrets == nil && holdsReference(cfg) {
		return nil, invalid(cfg.Name, "a header or variable is a reference, and nothing here resolves references")
	}
	opts.Logger = opts.Logger.With("source", cfg.Name)
	var changed func()
	if opts.Changed != nil {
		changed = func() { opts.Changed(cfg.Name) }
	}
	s := &source{cfg: cfg, opts: opts, revision: opts.Revision, changed: changed}
	if cfg.URL == "" {
		s.dialer = &stdioDialer{cfg: cfg, opts: opts, changed: changed}
	} else {
		d, err := newWebDialer(cfg, opts, changed)
		if err != nil {
			return nil, err
		}
		s.dialer = d
	}
	s.endpoint = s.dialer.endpoint()
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

func checkConfig(cfg interlock.SourceConfig) error {
	switch {
	case cfg.Kind != "" && cfg.Kind != interlock.KindMCP:
		return invalid(cfg.Name, "kind %q is not mcp", cfg.Kind)
	case (cfg.URL == "") == (len(cfg.Command) == 0):
		return invalid(cfg.Name, "give either a command or a url")
	case cfg.URL == "":
		return checkCommand(cfg)
	}
	u, err := url.Parse(cfg.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return invalid(cfg.Name, "the url is not an absolute http or https address")
	case u.User != nil:
		return invalid(cfg.Name, "the url holds credentials; put them into headers, by reference")
	case u.Fragment != "":
		return invalid(cfg.Name, "the url has a fragment, which no server sees")
	case len(cfg.Env) > 0 || cfg.Dir != "":
		return invalid(cfg.Name, "env and dir belong to a command, and this source has a url")
	}
	return nil
}

func checkCommand(cfg interlock.SourceConfig) error {
	switch {
	case cfg.Command[0] == "":
		return invalid(cfg.Name, "the command is empty")
	case cfg.Dir != "" && !filepath.IsAbs(cfg.Dir):
		return invalid(cfg.Name, "dir %q is not absolute", cfg.Dir)
	case len(cfg.Headers) > 0:
		return invalid(cfg.Name, "headers belong to a url, and this source has a command")
	}
	return checkEnviron(cfg)
}

// dialer makes sessions with one server.
type dialer interface {
	// dial makes a session that ends with life at the latest; ctx bounds the
	// handshake. An empty revision asks for the newest.
	dial(ctx, life context.Context, revision string) (*session, error)
	endpoint() binding
	backoff() bool // whether failures in a row are spaced out
	close()
}

// source is one MCP server.
type source struct {
	cfg      interlock.SourceConfig
	opts     Options
	dialer   dialer
	endpoint binding
	changed  func()

	ctx     context.Context // the life of the source
	cancel  context.CancelFunc
	wg      sync.WaitGroup // attempts, and sessions that retire; added to under mu
	current atomic.Pointer[session]

	mu       sync.Mutex // guards the rest
	attempt  *attempt   // under way; nil where none is
	revision string     // what is asked for first
	rest     rest
	closed   bool
}

// attempt is one connection in the making; all who need it wait for it.
type attempt struct {
	done    chan struct{} // closed when the other two are set
	session *session
	err     error
}

var errClosed = errors.New("the source is closed")

// session gives the live session, making one where there is none.
func (s *source) session(ctx context.Context) (*session, error) {
	if cur := s.current.Load(); cur != nil && cur.alive() {
		return cur, nil
	}
	a, err := s.connecting()
	if err != nil {
		return nil, err
	}
	select {
	case <-a.done:
		return a.session, a.err
	case <-ctx.Done():
		return nil, &fault{kind: faultGivenUp, err: ctx.Err()}
	}
}

// connecting gives the attempt under way, or begins one. It does not hang on
// the caller that began it: others may be waiting.
func (s *source) connecting() (*attempt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, &fault{kind: faultUnreachable, err: errClosed}
	}
	if s.attempt != nil {
		return s.attempt, nil
	}
	cur := s.current.Load()
	if cur != nil && cur.alive() {
		done := make(chan struct{})
		close(done)
		return &attempt{done: done, session: cur}, nil
	}
	if cur != nil {
		s.lost(cur)
	}
	if wait := s.rest.left(s.opts.Now()); wait > 0 {
		return nil, faultf(faultUnreachable, false, "the server failed %d times in a row and is started again in %v; it said: %w",
			s.rest.failures, wait.Round(time.Millisecond), s.rest.cause)
	}
	a := &attempt{done: make(chan struct{})}
	s.attempt = a
	s.wg.Go(func() { s.connect(a) })
	return a, nil
}

// lost lets go of a session that is of no use. s.mu is held.
func (s *source) lost(cur *session) {
	s.current.Store(nil)
	s.wg.Go(cur.retire)
	if s.dialer.backoff() {
		s.rest.ended(s.opts.Now(), s.opts.Now().Sub(cur.born), cur.why())
	}
}

// connect makes the session that attempt a promises.
func (s *source) connect(a *attempt) {
	s.mu.Lock()
	revision := s.revision
	s.mu.Unlock()
	sess, err := s.shake(revision)

	s.mu.Lock()
	defer s.mu.Unlock()
	a.session, a.err = sess, err
	switch {
	case err != nil:
		s.revision = s.opts.Revision
		if s.dialer.backoff() {
			s.rest.failed(s.opts.Now(), err)
		}
	case s.closed:
		s.wg.Go(sess.close)
		a.session, a.err = nil, &fault{kind: faultUnreachable, err: errClosed}
	default:
		s.revision = sess.revision // next time without asking around
		s.current.Store(sess)
	}
	s.attempt = nil
	close(a.done)
}

// shake tries the handshake, and once more where the first did not get through
// to a server that is there: in the older way, unless it was only slow.
func (s *source) shake(revision string) (*session, error) {
	ctx, cancel := context.WithTimeout(s.ctx, s.opts.ConnectTimeout)
	defer cancel()
	if revision != "" && revision < modernRevision {
		sess, err := s.dialer.dial(ctx, s.ctx, revision)
		if err == nil || ctx.Err() != nil || asFault(err).kind != faultHandshake && asFault(err).kind != faultRefused {
			return sess, err
		}
		if newer, second := s.dialer.dial(ctx, s.ctx, ""); second == nil {
			return newer, nil // a server of the newer era alone
		}
		return nil, err
	}
	first, cancelFirst := context.WithTimeout(ctx, s.opts.ConnectTimeout*2/3)
	defer cancelFirst()
	sess, err := s.dialer.dial(first, s.ctx, revision)
	if err == nil || ctx.Err() != nil || !worthAgain(err) {
		return sess, err
	}
	if !asFault(err).slow {
		revision = legacyRevision
	}
	sess, second := s.dialer.dial(ctx, s.ctx, revision)
	if second != nil {
		return nil, err // the first answer says more
	}
	return sess, nil
}

// worthAgain tells whether another handshake may get through: a server was
// there, and did not take this one.
func worthAgain(err error) bool {
	switch asFault(err).kind {
	case faultHandshake, faultGivenUp, faultRefused:
		return true
	}
	return false
}

// Close ends the session, waits for what is under way, and reaps the child.
func (s *source) Close() error {
	s.mu.Lock()
	already := s.closed
	s.closed = true
	cur := s.current.Swap(nil)
	s.mu.Unlock()
	s.cancel()
	if cur != nil {
		cur.close()
	}
	s.wg.Wait()
	if !already {
		s.dialer.close()
	}
	return nil
}

// bind writes where a call to a tool goes.
func (s *source) bind(tool string, mirrors []mirror) json.RawMessage {
	b := s.endpoint
	b.Tool, b.Headers = tool, mirrors
	return b.encode()
}

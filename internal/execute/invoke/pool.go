package invoke

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
)

// Pool keeps the open sources of a registry: each is opened when it is first
// needed and closed when its configuration changes or it is withdrawn. One whose
// sessions are each a principal's is opened for every principal apart, so that
// nothing that its server keeps in a session passes from one to another.
type Pool struct {
	openers map[string]interlock.Opener
	secrets interlock.Secrets // nil: no secret is looked at
	now     func() time.Time
	mu      sync.Mutex // guards open and closed
	open    map[string]*opened
	closed  bool
	ending  sync.WaitGroup // sources that were replaced and are closing
}

type opened struct {
	cfg    interlock.SourceConfig // that it was opened from
	source *keyed
	used   time.Time // last
}

// The bounds of sources that are opened for principals apart: how many of one
// name there are, and after what time one that nobody uses makes room.
const (
	maxSessions = 64
	sessionIdle = 10 * time.Minute
)

// sessionOf is the key of an open source: its name, and the principal where each
// has his own. No name holds the byte that parts them.
func sessionOf(cfg interlock.SourceConfig, who string) string {
	if cfg.Sessions != interlock.SessionsPrincipal || who == "" {
		return cfg.Name
	}
	return cfg.Name + "\x00" + who
}

// NewPool makes a pool that opens each kind of source with its opener, and
// anew where the secrets that its configuration names have changed. Without a
// reader of secrets it looks at none; without a clock it goes by the system's.
func NewPool(openers map[string]interlock.Opener, secrets interlock.Secrets, now func() time.Time) *Pool {
	if now == nil {
		now = time.Now
	}
	return &Pool{openers: openers, secrets: secrets, now: now, open: map[string]*opened{}}
}

// NeedsAuth reports whether a source refuses its credential to who, for all that
// it is used for or for an operation that is his to see; an empty who is the
// operator, who hears of all of it.
func (p *Pool) NeedsAuth(name, who string, sees func(operation string) bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, had := range p.open {
		of, apart := strings.CutPrefix(key, name+"\x00")
		his := key == name || apart && (who == "" || of == who)
		if his && had.source.needsAuth(sees) {
			return true
		}
	}
	return false
}

// Source gives the open source of a configuration, for the calls of a principal;
// an empty name is that of who reads it.
func (p *Pool) Source(cfg interlock.SourceConfig, who string) (interlock.Source, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("source pool: closed")
	}
	key := sessionOf(cfg, who)
	if had := p.open[key]; had != nil {
		if reflect.DeepEqual(had.cfg, cfg) {
			had.used = time.Now()
			return had.source, nil
		}
		p.end(key)
	}
	if key != cfg.Name && !p.room(cfg.Name) {
		return nil, &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonUnavailable, Stage: "invoke", Outcome: interlock.OutcomeNotSent,
			Public: fmt.Sprintf("The source %s serves as many callers as it can at once; try again later.", cfg.Name)}
	}
	opener := p.openers[cfg.Kind]
	if opener == nil {
		return nil, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest", Public: fmt.Sprintf("No kind of source is named %q.", cfg.Kind)}
	}
	source, err := openKeyed(cfg, opener, p.secrets, p.now)
	if err != nil {
		return nil, err
	}
	p.open[key] = &opened{cfg, source, time.Now()}
	return source, nil
}

// end closes an open source. Its calls see it close; nobody asked for the
// outcome. The caller holds mu.
func (p *Pool) end(key string) {
	had := p.open[key]
	delete(p.open, key)
	p.ending.Go(func() { _ = had.source.Close() })
}

// room makes room for one more session of a source, out of those that nobody has
// used for long; false where there are none. The caller holds mu.
func (p *Pool) room(name string) bool {
	n := 0
	for key, had := range p.open {
		if !strings.HasPrefix(key, name+"\x00") {
			continue
		}
		if n++; time.Since(had.used) > sessionIdle {
			p.end(key)
			n--
		}
	}
	return n < maxSessions
}

// Drop closes the source of a name, if it is open.
func (p *Pool) Drop(name string) error {
	p.mu.Lock()
	var all []*opened
	for key, had := range p.open {
		if key == name || strings.HasPrefix(key, name+"\x00") {
			all = append(all, had)
			delete(p.open, key)
		}
	}
	p.mu.Unlock()
	var errs []error
	for _, had := range all {
		errs = append(errs, had.source.Close())
	}
	return errors.Join(errs...)
}

// Close closes every source and opens none again.
func (p *Pool) Close() error {
	p.mu.Lock()
	all := p.open
	p.open, p.closed = nil, true
	p.mu.Unlock()
	p.ending.Wait()
	var errs []error
	for _, o := range all {
		errs = append(errs, o.source.Close())
	}
	return errors.Join(errs...)
}

// Read reads the catalogue of a source over the connection that its calls use.
func (p *Pool) Read(ctx context.Context, cfg interlock.SourceConfig) (interlock.Catalogue, error) {
	source, err := p.Source(cfg, "")
	if err != nil {
		return interlock.Catalogue{}, err
	}
	return source.Catalogue(ctx)
}

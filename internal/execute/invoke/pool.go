package invoke

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/seed-ae386458/interlock"
)

// Pool keeps the open sources of a registry: each is opened when it is first
// needed and closed when its configuration changes or it is withdrawn.
type Pool struct {
	openers map[string]interlock.Opener
	mu      sync.Mutex // guards open and closed
	open    map[string]*opened
	closed  bool
	ending  sync.WaitGroup // sources that were replaced and are closing
}

type opened struct {
	cfg    interlock.SourceConfig // that it was opened from
	source interlock.Source
}

// NewPool makes a pool that opens each kind of source with its opener.
func NewPool(openers map[string]interlock.Opener) *Pool {
	return &Pool{openers: openers, open: map[string]*opened{}}
}

// Source gives the open source of a configuration.
func (p *Pool) Source(cfg interlock.SourceConfig) (interlock.Source, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("source pool: closed")
	}
	if had := p.open[cfg.Name]; had != nil {
		if reflect.DeepEqual(had.cfg, cfg) {
			return had.source, nil
		}
		delete(p.open, cfg.Name)
		p.ending.Go(func() { _ = had.source.Close() }) // its calls see it close; nobody asked for the outcome
	}
	opener := p.openers[cfg.Kind]
	if opener == nil {
		return nil, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest", Public: fmt.Sprintf("No kind of source is named %q.", cfg.Kind)}
	}
	source, err := opener.Open(cfg)
	if err != nil {
		return nil, err
	}
	p.open[cfg.Name] = &opened{cfg, source}
	return source, nil
}

// Drop closes the source of a name, if it is open.
func (p *Pool) Drop(name string) error {
	p.mu.Lock()
	had := p.open[name]
	delete(p.open, name)
	p.mu.Unlock()
	if had == nil {
		return nil
	}
	return had.source.Close()
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
	source, err := p.Source(cfg)
	if err != nil {
		return interlock.Catalogue{}, err
	}
	return source.Catalogue(ctx)
}

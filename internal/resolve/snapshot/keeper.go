package snapshot

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/policy"
)

// VectorStore keeps vectors by embedder and content hash.
type VectorStore interface {
	Vectors(ctx context.Context, embedder string, keys []string) (map[string][]byte, error)
	PutVectors(ctx context.Context, embedder string, vectors map[string][]byte) error
}

// Options of a keeper.
type Options struct {
	Embedder interlock.Embedder // nil: discovery is lexical alone
	Vectors  VectorStore        // required with an embedder
	Logger   *slog.Logger       // required
	Glosser  interlock.Glosser  // gives English words for wordings in other languages; may be nil
	// Progress hears how many texts of how many have their vector; may be nil.
	Progress func(done, total int)
	// Policies decide what principals see; nil leaves it to their own lists.
	Policies *policy.Set
}

// Keeper holds the current snapshot of a registry and compiles the next one
// off the request path. Reading takes no lock. What has no vector yet is
// published without, and a later snapshot of the same generation has it.
type Keeper struct {
	opts    Options
	current atomic.Pointer[Snapshot]
	// policies are swapped whole; nil: there are none.
	policies atomic.Pointer[policy.Set]
	mu       sync.Mutex // one compilation at a time
	fill     *filler    // nil where there is no embedder, or nothing to follow
	// lease is held for reading from the check of a call to its dispatch, and
	// for writing while a snapshot is swapped in.
	lease sync.RWMutex
}

// NewKeeper compiles the registry's state and follows its changes.
func NewKeeper(ctx context.Context, reg *registry.Registry, opts Options) (*Keeper, error) {
	if reg == nil || opts.Logger == nil || (opts.Embedder != nil && opts.Vectors == nil) {
		return nil, errors.New("snapshot keeper: a registry, a logger and, with an embedder, a vector store are required")
	}
	k := &Keeper{opts: opts}
	k.current.Store(&Snapshot{views: map[string]*viewing{}, proofs: newProofs()})
	k.policies.Store(opts.Policies)
	if opts.Embedder != nil {
		k.fill = newFiller(k)
	}
	k.compile(ctx, reg.State())
	reg.OnChange(k.compile)
	return k, nil
}

// Close ends the making of vectors. The current snapshot stays readable.
func (k *Keeper) Close() {
	if k != nil && k.fill != nil {
		k.fill.close()
	}
}

// Settled waits until every tool has its vector, or until no more can be had
// for now.
func (k *Keeper) Settled(ctx context.Context) error {
	if k.fill == nil {
		return nil
	}
	_, resting, _ := k.fill.state()
	select {
	case <-resting:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// NewStill compiles one state of a registry, vectors and all, and follows
// nothing: for measurements, which hold what they measure still.
func NewStill(ctx context.Context, state *registry.State, opts Options) (*Keeper, error) {
	if state == nil || opts.Logger == nil || (opts.Embedder != nil && opts.Vectors == nil) {
		return nil, errors.New("snapshot keeper: a state, a logger and, with an embedder, a vector store are required")
	}
	k := &Keeper{opts: opts}
	k.current.Store(&Snapshot{views: map[string]*viewing{}, proofs: newProofs()})
	k.policies.Store(opts.Policies)
	k.compile(ctx, state)
	for done := opts.Embedder == nil; !done; {
		var err error
		if done, err = k.fillOnce(ctx, func(vectors) {}); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// Current gives the current snapshot.
func (k *Keeper) Current() *Snapshot { return k.current.Load() }

// SetPolicies swaps the policies: whoever takes a snapshot from now on is held
// to them. When it returns, no call that was checked under those before is still
// on its way out; a lease bounds how long that can take.
func (k *Keeper) SetPolicies(set *policy.Set) {
	k.policies.Store(set)
	k.lease.Lock()
	defer k.lease.Unlock() // every lease from before is given back
}

// Policies gives the current policies; nil where there are none.
func (k *Keeper) Policies() *policy.Set { return k.policies.Load() }

// compile builds the snapshot of a state, reusing every source that has not
// changed, and swaps it in.
func (k *Keeper) compile(ctx context.Context, state *registry.State) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := compiler{opts: k.opts, state: state, before: k.current.Load()}
	if k.fill != nil {
		_, _, c.never = k.fill.state()
	}
	next := c.run(ctx)
	next.warm()
	k.lease.Lock()
	k.current.Store(next)
	k.lease.Unlock()
	if k.fill != nil && len(next.lacking()) > 0 {
		k.fill.begin()
	}
}

// Lease keeps the current snapshot current until the lease is given back, once
// or more often. Whoever holds one is about to send, and gives it back soon.
func (k *Keeper) Lease() (release func()) {
	k.lease.RLock()
	return sync.OnceFunc(k.lease.RUnlock)
}

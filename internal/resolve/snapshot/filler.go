package snapshot

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
)

// filler makes the vectors that the current snapshot lacks, off the path of
// requests and of publishing, and swaps in a snapshot that has them.
type filler struct {
	keeper *Keeper
	stop   context.CancelFunc
	ended  chan struct{}
	wake   chan struct{}

	mu      sync.Mutex // guards what follows
	asked   int
	resting chan struct{} // closed while nothing is to be done, or nothing can be
	never   vectors       // wordings that the embedder does not take
}

const (
	together   = 32   // wordings that are embedded at once
	roundOf    = 4096 // wordings after which a snapshot with their vectors is swapped in
	firstPause = time.Second
	lastPause  = time.Minute
)

func newFiller(k *Keeper) *filler {
	ctx, stop := context.WithCancel(context.Background())
	f := &filler{keeper: k, stop: stop, ended: make(chan struct{}), wake: make(chan struct{}, 1), resting: make(chan struct{}), never: vectors{}}
	go f.run(ctx)
	return f
}

// begin asks for what the current snapshot lacks.
func (f *filler) begin() {
	f.mu.Lock()
	f.asked++
	select {
	case <-f.resting:
		f.resting = make(chan struct{})
	default:
	}
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// rest says that what was asked for until then is done, or cannot be now.
func (f *filler) rest(asked int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asked != asked {
		return
	}
	select {
	case <-f.resting:
	default:
		close(f.resting)
	}
}

func (f *filler) state() (asked int, resting <-chan struct{}, never vectors) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked, f.resting, maps.Clone(f.never)
}

// run works until it is stopped. What fails is tried again, ever later.
func (f *filler) run(ctx context.Context) {
	defer close(f.ended)
	defer func() {
		asked, _, _ := f.state()
		f.rest(asked)
	}()
	pause := firstPause
	for ctx.Err() == nil {
		asked, _, _ := f.state()
		done, err := f.keeper.fillOnce(ctx, f.refuse)
		if err == nil && !done {
			pause = firstPause
			continue
		}
		f.rest(asked)
		var again <-chan time.Time
		if err != nil {
			timer := time.NewTimer(pause)
			defer timer.Stop() //nolint:gocritic // a handful, each over by then
			again, pause = timer.C, min(2*pause, lastPause)
		}
		select {
		case <-ctx.Done():
		case <-f.wake:
		case <-again:
		}
	}
}

// refuse notes wordings that the embedder does not take.
func (f *filler) refuse(never vectors) {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.Copy(f.never, never)
}

func (f *filler) close() {
	f.stop()
	<-f.ended
}

// fillOnce makes the vectors of some of what the current snapshot lacks and
// swaps them in. It is done when nothing is lacking.
func (k *Keeper) fillOnce(ctx context.Context, refuse func(vectors)) (done bool, err error) {
	if a, ok := k.opts.Embedder.(interlock.Aligner); ok {
		if err := a.Align(ctx); err != nil {
			if ctx.Err() == nil {
				k.opts.Logger.Error("the embedder is not ready; lexical search serves meanwhile", "err", err)
			}
			return false, err // no vector is of use before
		}
	}
	all := k.Current().lacking()
	if len(all) == 0 {
		return true, nil
	}
	found := vectors{}
	for from := 0; from < min(len(all), roundOf) && err == nil; from += together {
		group := all[from:min(from+together, len(all))]
		var made, never vectors
		if made, err = k.opts.embed(ctx, group); err != nil {
			made, never, err = k.opts.apart(ctx, group)
			refuse(never)
		}
		maps.Copy(found, made)
		maps.Copy(found, never)
		k.keep(ctx, made)
		if k.opts.Progress != nil && err == nil {
			k.opts.Progress(from+len(group), len(all))
		}
	}
	if err != nil && ctx.Err() == nil {
		k.opts.Logger.Error("vectors cannot be made now; lexical search serves these tools", "wordings", len(all)-len(found), "err", err)
	}
	if len(found) > 0 {
		k.join(found)
	}
	return false, err
}

// keep stores vectors; what cannot be stored is made again after a restart.
func (k *Keeper) keep(ctx context.Context, made vectors) {
	if len(made) == 0 {
		return
	}
	if err := k.opts.Vectors.PutVectors(ctx, k.opts.Embedder.Name(), made); err != nil {
		k.opts.Logger.Error("vectors cannot be stored; they will be computed again", "err", err)
	}
}

// join swaps in the current snapshot with these vectors.
func (k *Keeper) join(found vectors) {
	k.mu.Lock()
	defer k.mu.Unlock()
	next := k.Current().with(found)
	k.lease.Lock()
	k.current.Store(next)
	k.lease.Unlock()
}

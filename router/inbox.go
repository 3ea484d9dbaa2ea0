package router

import (
	"context"
	"sync"

	"github.com/seed-ae386458/interlock"
)

// inbox is what the judge has to look at, in order. Whoever puts something in
// never waits.
type inbox struct {
	mu      sync.Mutex // guards the rest
	ready   *sync.Cond
	entries []interlock.LogEntry
	changed changes // of the registry, since somebody took them
	moved   bool    // the registry changed, or an acceptance ended
	busy    bool    // something was taken and is not done
	closed  bool
	// How often something was put in; of that, what was taken, and what is done:
	// done ≤ taken ≤ in.
	in, taken, done uint64
}

func (b *inbox) init() { b.ready = sync.NewCond(&b.mu) }

// put adds entries; late ones, after the close, are read from the log at the
// next start.
func (b *inbox) put(entries []interlock.LogEntry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.entries = append(b.entries, entries...)
		b.in++
		b.ready.Broadcast()
	}
}

// note adds to the changes that are to be looked at after the next nudge.
func (b *inbox) note(c changes) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changed.add(c)
}

// nudge says that standings, and what changed, have to be looked at.
func (b *inbox) nudge() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.moved = true
	b.in++
	b.ready.Broadcast()
}

// take waits for work; false where there is none and none will come.
func (b *inbox) take() (entries []interlock.LogEntry, changed changes, more bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy, b.done = false, b.taken
	b.ready.Broadcast()
	for len(b.entries) == 0 && !b.moved {
		if b.closed {
			return nil, changes{}, false
		}
		b.ready.Wait()
	}
	if b.moved {
		changed, b.changed = b.changed, changes{}
	}
	entries = b.entries
	b.entries, b.moved, b.busy, b.taken = nil, false, true, b.in
	return entries, changed, true
}

// more gives what was put since, before whoever works on what he took is done
// with it. What only moved waits for the next take.
func (b *inbox) more() []interlock.LogEntry {
	b.mu.Lock()
	defer b.mu.Unlock()
	entries := b.entries
	b.entries = nil
	if !b.moved {
		b.taken = b.in
	}
	return entries
}

// idle waits until everything that was put is done, or the context ends.
func (b *inbox) idle(ctx context.Context) error {
	stop := context.AfterFunc(ctx, b.nudgeWaiters)
	defer stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	for (b.busy || b.moved || len(b.entries) > 0) && ctx.Err() == nil {
		b.ready.Wait()
	}
	return ctx.Err()
}

// caughtUp waits until what was put up to now is done, whatever is put after it,
// or the context ends.
func (b *inbox) caughtUp(ctx context.Context) error {
	stop := context.AfterFunc(ctx, b.nudgeWaiters)
	defer stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	for now := b.in; b.done < now && ctx.Err() == nil; {
		b.ready.Wait()
	}
	return ctx.Err()
}

func (b *inbox) nudgeWaiters() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready.Broadcast()
}

func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.ready.Broadcast()
}

package receipt

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-ae386458/interlock"
)

// flusher is the one goroutine that asks the disk. Everyone who waits when it
// begins shares the flush; what is merely written is flushed after a pause.
type flusher struct {
	store interlock.LogStore
	opts  Options
	head  *atomic.Pointer[checkpoint] // of the log: last committed
	wake  chan struct{}
	stop  chan struct{}
	ended chan error

	deaf   bool                  // said that Seen fails; the goroutine's own
	failed atomic.Pointer[error] // the first failure; nothing is written after it

	mu      sync.Mutex
	waiting []*request // guarded by mu
	dirty   bool       // guarded by mu: something is written and not flushed
}

func newFlusher(store interlock.LogStore, opts Options, head *atomic.Pointer[checkpoint]) *flusher {
	f := &flusher{store: store, opts: opts, head: head, wake: make(chan struct{}, 1), stop: make(chan struct{}), ended: make(chan error, 1)}
	go f.run()
	return f
}

// committed says that a batch was written, and who waits for the disk.
func (f *flusher) committed(waiting []*request) {
	f.mu.Lock()
	news := len(waiting) > 0 || !f.dirty
	f.waiting, f.dirty = append(f.waiting, waiting...), true
	f.mu.Unlock()
	if news {
		select {
		case f.wake <- struct{}{}:
		default:
		}
	}
}

// close flushes once more and ends the goroutine.
func (f *flusher) close() error {
	close(f.stop)
	err := <-f.ended
	if f.opts.Seen != nil {
		err = errors.Join(err, f.opts.Seen.close())
	}
	return err
}

// failure gives the error after which nothing may be written: the system may
// have dropped what it could not flush.
func (f *flusher) failure() error {
	if err := f.failed.Load(); err != nil {
		return *err
	}
	return nil
}

func (f *flusher) run() {
	pause := time.NewTimer(time.Hour)
	pause.Stop()
	armed := false
	for {
		select {
		case <-f.wake:
			if f.someoneWaits() {
				_ = f.flush()
			} else if !armed {
				armed = true
				pause.Reset(f.opts.FlushEvery)
			}
		case <-pause.C:
			armed = false
			_ = f.flush()
		case <-f.stop:
			f.ended <- f.flush()
			return
		}
	}
}

func (f *flusher) someoneWaits() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.waiting) > 0
}

// flush asks the disk, where there is anything to flush, and answers those who
// waited before it began.
func (f *flusher) flush() error {
	f.mu.Lock()
	waiting, dirty := f.waiting, f.dirty
	f.waiting, f.dirty = nil, false
	f.mu.Unlock()
	if !dirty {
		return nil
	}
	head := f.head.Load()
	err := f.failure()
	if err == nil {
		if err = f.store.FlushLog(context.Background()); err != nil {
			err = fmt.Errorf("the disk did not confirm the log; open it again: %w", err)
			f.failed.CompareAndSwap(nil, &err)
			f.opts.Logger.Error("the log could not be flushed; nothing more is written to it", "err", err)
		}
	}
	if err == nil {
		f.note(head)
	}
	for _, r := range waiting {
		r.done <- err
	}
	return err
}

// note keeps a checkpoint that the disk has confirmed outside the store. Where
// that fails the log goes on: it says less about tomorrow, and is not wrong.
func (f *flusher) note(head *checkpoint) {
	if f.opts.Seen == nil || head.signed == "" {
		return
	}
	if err := f.opts.Seen.keep(head.signed); err != nil && !f.deaf {
		f.deaf = true
		f.opts.Logger.Warn("the last checkpoint could not be kept outside the store", "err", err)
	}
}

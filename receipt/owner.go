package receipt

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// maxBatch is how many entries go into one commit at most.
const maxBatch = 1024

// request is one entry on its way into the log, or a barrier that waits for
// what was queued before it.
type request struct {
	entry   interlock.LogEntry
	leaf    tlog.Hash
	link    link
	flushed bool // wait for the disk
	barrier bool // no entry: answered once everything queued is written
	done    chan error
	queued  bool // nobody waits on done
}

// wait gives the entry once it is acknowledged.
func (r *request) wait() (interlock.LogEntry, error) {
	if r.queued {
		return r.entry, nil
	}
	if err := <-r.done; err != nil {
		return interlock.LogEntry{}, err
	}
	return r.entry, nil
}

// owner is the one goroutine that grows the tree. Callers hand it requests; it
// takes all that wait, commits them as one batch with one signature, and
// answers. Entries that nobody waits for go along with the next batch, or by
// themselves after a pause.
type owner struct {
	log    *Log
	urgent chan *request
	behind chan *request
	nudge  chan struct{} // something is in behind
	stop   chan struct{}
	ended  chan error

	// What follows is the goroutine's own.
	right   edge
	intents map[string]int64 // open intents by id, with their index
	carry   []*request       // behind entries whose commit failed
	stuck   bool             // said that they could not be written
	doubt   *attempt         // a commit of which nobody knows what came of it
	dead    error            // why nothing more is written
}

func newOwner(l *Log, right edge, intents map[string]int64) *owner {
	o := &owner{
		log: l, right: right, intents: intents,
		urgent: make(chan *request, 256), behind: make(chan *request, l.opts.Queue), nudge: make(chan struct{}, 1),
		stop: make(chan struct{}), ended: make(chan error, 1),
	}
	go o.run()
	return o
}

// queue takes an entry that nobody waits for; false where there is no room.
func (o *owner) queue(r *request) bool {
	entry := r.entry
	behind := &request{entry: entry, leaf: r.leaf, link: r.link, queued: true}
	select {
	case o.behind <- behind:
	default:
		return false
	}
	r.queued = true
	select {
	case o.nudge <- struct{}{}:
	default:
	}
	return true
}

// close ends the goroutine after it has written everything. No request may
// come after it.
func (o *owner) close() error {
	close(o.stop)
	return <-o.ended
}

func (o *owner) run() {
	pause := time.NewTimer(time.Hour)
	pause.Stop()
	armed := false
	for {
		select {
		case r := <-o.urgent:
			_ = o.serve(r) // who waits is told; so below
		case <-pause.C:
			armed = false
			_ = o.serve(nil)
		case <-o.nudge:
			if !armed {
				armed = true
				pause.Reset(o.rest())
			}
		case <-o.stop:
			o.ended <- o.finish()
			return
		}
	}
}

// rest is how long entries wait that nobody waits for: longer where they failed
// already.
func (o *owner) rest() time.Duration {
	if len(o.carry) > 0 {
		return max(time.Second, o.log.opts.FlushEvery)
	}
	return o.log.opts.FlushEvery
}

// finish writes what is left when the log closes.
func (o *owner) finish() error {
	for len(o.urgent) > 0 {
		_ = o.serve(<-o.urgent)
	}
	var err error
	for len(o.behind)+len(o.carry) > 0 && err == nil {
		err = o.serve(nil)
	}
	return err
}

// serve commits what waits, first being a request that was taken already, and
// answers everyone in the batch.
func (o *owner) serve(first *request) error {
	ready := o.ready()
	o.gather()
	behind := o.takeBehind()
	urgent, barriers := o.takeUrgent(first)
	err := ready
	if err == nil {
		err = o.commit(append(behind, urgent...))
	}
	o.keep(behind, err)
	answer := err
	if err != nil && len(behind) > 0 && len(urgent) > 0 && interlock.ReasonOf(err) == interlock.ReasonStoreFull {
		answer = o.commit(urgent) // there may be room for what matters
	}
	o.answer(urgent, answer)
	for _, r := range barriers {
		for err == nil && len(o.behind)+len(o.carry) > 0 {
			err = o.serve(nil)
		}
		r.done <- err
	}
	return err
}

// gather lets those go ahead who are about to hand an entry over, as long as
// each turn brings more of them: a commit and its signature cost the same for
// one entry as for many. Where nobody else is ready to run it takes no time.
func (o *owner) gather() {
	for had := -1; had < len(o.urgent) && len(o.urgent) < cap(o.urgent); {
		had = len(o.urgent)
		runtime.Gosched()
	}
}

// takeBehind takes entries that nobody waits for, those that failed before
// first.
func (o *owner) takeBehind() []*request {
	batch := o.carry
	o.carry = nil
	for len(batch) < maxBatch {
		select {
		case r := <-o.behind:
			batch = append(batch, r)
			continue
		default:
		}
		return batch
	}
	o.again()
	return batch
}

// again asks for another turn soon.
func (o *owner) again() {
	select {
	case o.nudge <- struct{}{}:
	default:
	}
}

// takeUrgent takes the requests that somebody waits for.
func (o *owner) takeUrgent(first *request) (urgent, barriers []*request) {
	for r := first; r != nil; {
		if r.barrier {
			barriers = append(barriers, r)
		} else {
			urgent = append(urgent, r)
		}
		r = nil
		if len(urgent) < maxBatch {
			select {
			case r = <-o.urgent:
			default:
			}
		}
	}
	return urgent, barriers
}

// keep holds entries that nobody waits for, where err kept them from being
// written. There are never more of them than a batch, so they stay bounded with
// the queue.
func (o *owner) keep(behind []*request, err error) {
	if err == nil || len(behind) == 0 {
		o.stuck = o.stuck && len(behind) == 0
		return
	}
	o.carry = behind
	o.again()
	if !o.stuck {
		o.stuck = true
		o.log.opts.Logger.Warn("entries of the log wait because they could not be written", "entries", len(behind)+len(o.behind), "err", err)
	}
}

// answer tells the callers of a batch what came of it; those who want the disk's
// word are handed on.
func (o *owner) answer(urgent []*request, err error) {
	var flushed []*request
	for _, r := range urgent {
		if err == nil && r.flushed {
			flushed = append(flushed, r)
			continue
		}
		r.done <- err
	}
	if len(flushed) > 0 {
		o.log.flush.committed(flushed)
	}
}

// attempt is a batch with the state that the log has once it is committed.
type attempt struct {
	batch   interlock.LogBatch
	right   edge
	head    checkpoint
	intents map[string]int64
	closed  []string
}

// errDoubt is the answer while the store does not say what came of a commit.
var errDoubt = errors.New("the store does not answer; the outcome of an earlier entry is not known")

// commit writes requests as one batch under one signed checkpoint.
func (o *owner) commit(requests []*request) error {
	if len(requests) == 0 {
		return nil
	}
	if o.doubt != nil {
		return errDoubt
	}
	a, err := o.attempt(requests)
	if err != nil {
		return err
	}
	if err := o.log.store.AppendLog(context.Background(), a.batch, false); err != nil {
		return o.failed(a, err)
	}
	o.adopt(a)
	return nil
}

// ready clears up a commit in doubt, and refuses where nothing may be written
// any more.
func (o *owner) ready() error {
	if err := o.log.flush.failure(); err != nil {
		return err
	}
	if o.doubt != nil {
		if written, err := o.written(o.doubt); err != nil {
			return err
		} else if written {
			o.adopt(o.doubt)
			o.carry = nil // was part of it
		}
		o.doubt = nil
	}
	return o.dead
}

// attempt gives the requests their places and signs the tree that they make.
func (o *owner) attempt(requests []*request) (*attempt, error) {
	a := &attempt{right: o.right.clone(), intents: maps.Clone(o.intents)}
	a.batch.Entries = make([]interlock.LogEntry, 0, len(requests))
	for _, r := range requests {
		r.entry.Index = a.right.size
		a.batch.Hashes = a.right.add(r.leaf, a.batch.Hashes)
		a.batch.Entries = append(a.batch.Entries, r.entry)
		if r.link.opens != "" {
			a.intents[r.link.opens] = r.entry.Index
		}
		if r.link.closes != "" {
			delete(a.intents, r.link.closes)
			a.closed = append(a.closed, r.link.closes)
		}
	}
	a.head = checkpoint{origin: o.log.keys.origin, size: a.right.size, root: a.right.root(), open: oldest(a.intents, a.right.size)}
	var err error
	a.batch.Checkpoint, err = o.log.keys.sign(a.head)
	a.head.signed = a.batch.Checkpoint
	return a, err
}

func (o *owner) adopt(a *attempt) {
	o.right, o.intents = a.right, a.intents
	o.log.head.Store(&a.head)
	o.log.left.remove(a.closed)
	if follow := o.log.opts.Follow; follow != nil {
		follow(a.batch.Entries)
	}
	o.log.flush.committed(nil)
}

// failed finds out whether a commit that answered an error took place after
// all, as one over a network can.
func (o *owner) failed(a *attempt, cause error) error {
	written, err := o.written(a)
	switch {
	case err != nil && o.dead == nil:
		o.doubt = a
		return errors.Join(cause, err)
	case written:
		o.adopt(a)
		return nil
	}
	return cause
}

// written reads the store's checkpoint: as it was before the attempt, or as the
// attempt left it. Anything else means that somebody else writes the log.
func (o *owner) written(a *attempt) (bool, error) {
	text, size, err := o.log.store.LogCheckpoint(context.Background())
	switch {
	case err != nil:
		return false, err
	case size == o.right.size:
		return false, nil
	case size == a.head.size && text == a.batch.Checkpoint:
		return true, nil
	}
	o.dead = invalid("something else has written to it")
	return false, o.dead
}

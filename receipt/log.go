package receipt

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// stage is where the errors of this package are decided.
const stage = "log"

// Durability says what has to be true before Append returns.
type Durability int

const (
	// Written: the entry is with the operating system, so the end of the
	// process cannot take it; the disk has it within Options.FlushEvery.
	Written Durability = iota
	// Flushed: the disk has confirmed it. Callers at once share one flush.
	Flushed
	// Behind: it is queued and written within Options.FlushEvery. The end of
	// the process may cost what is queued. A full queue makes it Written.
	Behind
)

// Options adjusts a log. Clock and Rand are required.
type Options struct {
	Clock func() time.Time // stamps bodies that have no time
	Rand  io.Reader        // ids and salts; need not be safe for concurrent use
	// Logger hears of entries that could not be written yet and of failed
	// flushes; nil is silence.
	Logger *slog.Logger
	// FlushEvery is how soon Written entries are on the disk and Behind ones
	// are written; default 50 ms.
	FlushEvery time.Duration
	// Queue is how many Behind entries may wait; default 4096.
	Queue int
	// Follow hears of every batch of entries once it is in the log, in order,
	// before anybody who waits for one of them is answered. It returns at once
	// and writes nothing to the log itself; nil: nobody follows.
	Follow func(entries []interlock.LogEntry)
	// Seen keeps the last checkpoint outside the store, so that a store that is
	// put back to an earlier state is noticed; nil notices nothing.
	Seen *Seen
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.FlushEvery <= 0 {
		o.FlushEvery = 50 * time.Millisecond
	}
	if o.Queue <= 0 {
		o.Queue = 4096
	}
	return o
}

func (o Options) validate() error {
	if o.Clock == nil || o.Rand == nil {
		return errors.New("open log: Options.Clock and Options.Rand are required")
	}
	return nil
}

// Log is an open log. It is safe for concurrent use, and the only writer of its
// store's log.
type Log struct {
	store interlock.LogStore
	keys  Keys
	opts  Options
	owner *owner
	flush *flusher

	head atomic.Pointer[checkpoint] // last committed

	rand sync.Mutex // guards opts.Rand

	gate   sync.RWMutex // held for reading while a request is handed over
	closed bool         // guarded by gate

	pruning sync.Mutex // held by the one retention that is under way

	left intentSet // intents that an earlier process left open; own lock
}

// Open opens the log of a store. It checks that the last checkpoint is signed
// by one of the keys and that the right edge of the tree and the last entry
// agree with it; ReasonLogInvalid where they do not. What lies before the edge
// is not read: that is VerifyStore's work.
func Open(ctx context.Context, store interlock.LogStore, keys Keys, opts Options) (*Log, error) {
	opts = opts.withDefaults()
	if err := opts.validate(); err != nil {
		return nil, err
	}
	if len(keys.signers) == 0 {
		return nil, errors.New("open log: the keys are empty")
	}
	right, head, err := openEdge(ctx, store, keys)
	if err != nil {
		return nil, err
	}
	if err := opts.Seen.check(ctx, store, keys, head); err != nil {
		return nil, err
	}
	open, err := scanIntents(ctx, store, head)
	if err != nil {
		return nil, err
	}
	l := &Log{store: store, keys: keys, opts: opts, left: intentSet{open: open}}
	l.head.Store(&head)
	l.flush = newFlusher(store, opts, &l.head)
	l.owner = newOwner(l, right, indexesOf(open))
	return l, nil
}

// openEdge reads and checks the last checkpoint, the peaks under it and the
// last entry.
func openEdge(ctx context.Context, store interlock.LogStore, keys Keys) (edge, checkpoint, error) {
	var right edge
	text, size, err := store.LogCheckpoint(ctx)
	if err != nil {
		return right, checkpoint{}, err
	}
	head := checkpoint{origin: keys.origin, root: right.root()}
	if text != "" || size != 0 {
		if head, err = keys.openHead(text, size); err != nil {
			return right, head, err
		}
	}
	if right.peaks, err = hashReader(ctx, store)(peakIndexes(head.size)); err != nil {
		return right, head, err
	}
	right.size = head.size
	if right.root() != head.root {
		return right, head, invalid("the stored tree does not have the root that its checkpoint signs")
	}
	return right, head, checkLast(ctx, store, head.size)
}

// openHead reads the checkpoint of a store.
func (k Keys) openHead(text string, size int64) (checkpoint, error) {
	verifiers, err := parseVerifiers(k.VerifierKeys())
	if err != nil {
		return checkpoint{}, err
	}
	head, _, err := openCheckpoint(text, verifiers)
	switch {
	case err != nil:
		return head, invalid(err.Error() + "; are these the keys of this log?")
	case head.origin != k.origin:
		return head, invalid("it is the log of another origin")
	case head.size != size:
		return head, invalid(fmt.Sprintf("the store counts %d entries and its checkpoint %d", size, head.size))
	}
	return head, nil
}

// checkLast checks that the last entry is the one in the tree and that none
// comes after it.
func checkLast(ctx context.Context, store interlock.LogStore, size int64) error {
	entries, err := store.LogEntries(ctx, max(0, size-1), 2)
	if err != nil {
		return err
	}
	if size == 0 && len(entries) == 0 {
		return nil
	}
	if size == 0 || len(entries) != 1 || entries[0].Index != size-1 {
		return invalid("the last entry is missing, or entries stand behind the checkpoint")
	}
	if err := checkEntry(entries[0], size-1); err != nil {
		return err
	}
	hashes, err := readHashes(ctx, store, []int64{tlog.StoredHashIndex(0, size-1)})
	if err != nil {
		return err
	}
	if leafHash(entries[0]) != hashes[0] {
		return invalid(fmt.Sprintf("entry %d is not the one in the tree", size-1))
	}
	return nil
}

// readHashes reads stored hashes of the tree.
func readHashes(ctx context.Context, store interlock.LogStore, indexes []int64) ([]tlog.Hash, error) {
	if len(indexes) == 0 {
		return nil, nil
	}
	found, err := store.LogHashes(ctx, indexes)
	if err != nil {
		return nil, err
	}
	if len(found) != len(indexes) {
		return nil, invalid("stored hashes of the tree are missing")
	}
	hashes := make([]tlog.Hash, len(found))
	for i := range found {
		hashes[i] = found[i]
	}
	return hashes, nil
}

func invalid(what string) *interlock.Error {
	return &interlock.Error{Code: interlock.CodeInternal, Reason: interlock.ReasonLogInvalid, Stage: stage,
		Public: "The log does not verify: " + what + ". Compare with a copy; treat the machine as suspect.", Err: errors.New(what)}
}

// leafHash is the hash of an entry in the tree. The leaf is the RFC 8785 object
// {"body":…,"type":…}: it binds the type as well as the body, and its place in
// the tree binds the index.
func leafHash(entry interlock.LogEntry) tlog.Hash {
	leaf := make([]byte, 0, len(entry.Body)+len(entry.Type)+24)
	leaf = append(append(append(leaf, `{"body":`...), entry.Body...), `,"type":"`...)
	return tlog.RecordHash(append(append(leaf, entry.Type...), `"}`...))
}

// newEntry makes an entry that has no place yet.
func newEntry(typ string, body any) (interlock.LogEntry, error) {
	if !validType(typ) {
		return interlock.LogEntry{}, bodyError(fmt.Sprintf("its type %q is not lower-case letters and underscores", typ))
	}
	text, err := Canonical(body)
	if err != nil {
		return interlock.LogEntry{}, fmt.Errorf("entry of type %s: %w", typ, err)
	}
	return interlock.LogEntry{Index: -1, Type: typ, Digest: digestOf(text), Body: text}, nil
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func validType(typ string) bool {
	for _, c := range []byte(typ) {
		if c != '_' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return len(typ) > 0 && len(typ) <= 32
}

// Append adds an entry and returns once what durability asks is true. The entry
// it gives has its index, except for Behind, where it is -1. A context that is
// over adds nothing; once the entry is handed over Append waits for the outcome
// whatever becomes of the context. An error means that the entry was not
// acknowledged; ReasonStoreFull, that the disk was full and that later appends
// may succeed.
func (l *Log) Append(ctx context.Context, typ string, body any, d Durability) (interlock.LogEntry, error) {
	r, err := l.hand(ctx, typ, body, d)
	if err != nil {
		return interlock.LogEntry{}, err
	}
	return r.wait()
}

// hand makes a request of an entry and hands it to the owner.
func (l *Log) hand(ctx context.Context, typ string, body any, d Durability) (*request, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("append %s: %w", typ, err)
	}
	entry, err := newEntry(typ, body)
	if err != nil {
		return nil, err
	}
	r := &request{entry: entry, leaf: leafHash(entry), link: linkOf(entry), flushed: d == Flushed, done: make(chan error, 1)}
	l.gate.RLock()
	defer l.gate.RUnlock()
	if l.closed {
		return nil, fmt.Errorf("append %s: the log is closed", typ)
	}
	if d == Behind && l.owner.queue(r) {
		return r, nil
	}
	l.owner.urgent <- r
	return r, nil
}

// Flush waits until everything that was appended so far, queued entries too, is
// safe on the disk.
func (l *Log) Flush(ctx context.Context) error {
	if err := l.settle(ctx); err != nil {
		return err
	}
	r := &request{done: make(chan error, 1)}
	l.gate.RLock()
	if l.closed {
		r.done <- l.flush.failure() // closing has flushed it
	} else {
		l.flush.committed([]*request{r})
	}
	l.gate.RUnlock()
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// settle waits until everything that was queued so far is written.
func (l *Log) settle(ctx context.Context) error {
	r := &request{barrier: true, done: make(chan error, 1)}
	l.gate.RLock()
	if !l.closed {
		l.owner.urgent <- r
	} else {
		r.done <- nil // closing has written it
	}
	l.gate.RUnlock()
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close writes what is queued, flushes, and ends the log's goroutines; the
// store stays open. It gives the error of entries that could not be written.
func (l *Log) Close() error {
	l.gate.Lock()
	already := l.closed
	l.closed = true
	l.gate.Unlock()
	if already {
		return nil
	}
	return errors.Join(l.owner.close(), l.flush.close())
}

// Now gives the clock's time as bodies spell it.
func (l *Log) Now() string { return l.opts.Clock().UTC().Format(time.RFC3339Nano) }

// Size is the number of entries that are committed.
func (l *Log) Size() int64 { return l.head.Load().size }

package receipt_test

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// counter is randomness that never repeats and is the same in every run.
type counter struct{ n uint64 }

func (c *counter) Read(p []byte) (int, error) {
	for i := range p {
		if i%8 == 0 {
			c.n++
		}
		p[i] = binary.BigEndian.AppendUint64(nil, c.n*0x9e3779b97f4a7c15)[i%8]
	}
	return len(p), nil
}

// fixedTime is the clock of tests that do not move it.
func fixedTime() time.Time { return time.Date(2026, 5, 6, 7, 8, 9, 123000000, time.UTC) }

func options() receipt.Options { return receipt.Options{Clock: fixedTime, Rand: &counter{}} }

func testKeys(t testing.TB) receipt.Keys {
	t.Helper()
	keys, err := receipt.NewKeys(&counter{})
	must(t, err)
	return keys
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantReason(t testing.TB, err error, want interlock.Reason, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", want)
	}
	if got := interlock.ReasonOf(err); got != want {
		t.Fatalf("reason %s, want %s: %v", got, want, err)
	}
	for _, word := range words {
		if public := interlock.AsError(err).Public; !strings.Contains(public, word) {
			t.Errorf("the message does not say %q: %s", word, public)
		}
	}
}

// place is a log that a test closes, damages and opens again.
type place struct {
	path  string
	keys  receipt.Keys
	store *sqlite.Store
	log   *receipt.Log
}

func newPlace(t testing.TB) *place {
	t.Helper()
	p := &place{path: filepath.Join(t.TempDir(), "store.db"), keys: testKeys(t)}
	p.open(t, options())
	t.Cleanup(func() { _ = p.close() })
	return p
}

func (p *place) openStore(t testing.TB) {
	t.Helper()
	var err error
	p.store, err = sqlite.Open(context.Background(), p.path, sqlite.Options{LockWait: 5 * time.Second})
	must(t, err)
}

func (p *place) open(t testing.TB, opts receipt.Options) {
	t.Helper()
	p.openStore(t)
	var err error
	p.log, err = receipt.Open(context.Background(), p.store, p.keys, opts)
	must(t, err)
}

func (p *place) close() error {
	return errors.Join(p.log.Close(), p.store.Close())
}

func (p *place) reopen(t testing.TB) {
	t.Helper()
	must(t, p.close())
	p.open(t, options())
}

// append adds n small entries.
func (p *place) append(t testing.TB, n int) {
	t.Helper()
	for range n {
		_, err := p.log.Append(t.Context(), interlock.EntryRegistry, receipt.RegistryBody{At: p.log.Now(), Principal: "local", Action: "add", Source: "docs", Generation: p.log.Size()}, receipt.Written)
		must(t, err)
	}
}

// verify checks the whole store and gives its size.
func (p *place) verify(t testing.TB) receipt.Report {
	t.Helper()
	report, err := receipt.VerifyStore(t.Context(), p.store, p.keys)
	must(t, err)
	return report
}

// damage closes the log and changes the database behind its back.
func (p *place) damage(t testing.TB, statements ...string) {
	t.Helper()
	must(t, p.close())
	db, err := sql.Open("sqlite", p.path)
	must(t, err)
	defer db.Close()
	for _, text := range statements {
		done, err := db.Exec(text)
		must(t, err)
		if n, _ := done.RowsAffected(); n == 0 {
			t.Fatalf("%s changed nothing", text)
		}
	}
}

// faulty is a real store that fails when it is told to.
type faulty struct {
	interlock.LogStore
	mu       sync.Mutex
	before   error // AppendLog fails with it and does nothing
	after    error // AppendLog does its work, then fails with it
	read     error // LogCheckpoint fails with it
	flushErr error
	pause    time.Duration // a flush takes so long
	flushes  atomic.Int64
	batches  atomic.Int64
}

func (f *faulty) set(change func(*faulty)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

func (f *faulty) AppendLog(ctx context.Context, batch interlock.LogBatch, flush bool) error {
	f.mu.Lock()
	before, after := f.before, f.after
	f.mu.Unlock()
	if before != nil {
		return before
	}
	f.batches.Add(1)
	return errors.Join(f.LogStore.AppendLog(ctx, batch, flush), after)
}

func (f *faulty) FlushLog(ctx context.Context) error {
	f.mu.Lock()
	err, pause := f.flushErr, f.pause
	f.mu.Unlock()
	time.Sleep(pause)
	f.flushes.Add(1)
	return errors.Join(err, f.LogStore.FlushLog(ctx))
}

func (f *faulty) LogCheckpoint(ctx context.Context) (string, int64, error) {
	f.mu.Lock()
	err := f.read
	f.mu.Unlock()
	if err != nil {
		return "", 0, err
	}
	return f.LogStore.LogCheckpoint(ctx)
}

// faultyLog opens a log on a store that can be told to fail.
func faultyLog(t testing.TB, opts receipt.Options) (*receipt.Log, *faulty, *place) {
	t.Helper()
	p := newPlace(t)
	must(t, p.log.Close())
	f := &faulty{LogStore: p.store}
	log, err := receipt.Open(t.Context(), f, p.keys, opts)
	must(t, err)
	p.log = log
	return log, f, p
}

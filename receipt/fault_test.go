package receipt_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

var errWire = errors.New("the connection broke")

// A commit that failed is not acknowledged, and the next one takes its place.
func TestFailedCommit(t *testing.T) {
	log, f, p := faultyLog(t, options())
	p.append(t, 3)
	f.set(func(f *faulty) { f.before = errWire })
	if _, err := log.Append(t.Context(), interlock.EntryCall, map[string]any{}, receipt.Written); !errors.Is(err, errWire) {
		t.Errorf("the cause is lost: %v", err)
	}
	f.set(func(f *faulty) { f.before = nil })
	p.append(t, 2)
	if report := p.verify(t); report.Size != 5 {
		t.Errorf("%d entries, want 5", report.Size)
	}
}

// A commit that took place although it answered an error is acknowledged.
func TestCommitThatAnsweredWrongly(t *testing.T) {
	log, f, p := faultyLog(t, options())
	f.set(func(f *faulty) { f.after = errWire })
	entry, err := log.Append(t.Context(), interlock.EntryCall, map[string]any{}, receipt.Flushed)
	if err != nil || entry.Index != 0 {
		t.Errorf("entry %d, %v", entry.Index, err)
	}
	f.set(func(f *faulty) { f.after = nil })
	p.append(t, 1)
	if report := p.verify(t); report.Size != 2 {
		t.Errorf("%d entries, want 2", report.Size)
	}
}

// While nobody can say what came of a commit nothing is written; afterwards the
// log goes on from wherever it stands.
func TestCommitInDoubt(t *testing.T) {
	for _, took := range []bool{true, false} {
		log, f, p := faultyLog(t, options())
		p.append(t, 2)
		f.set(func(f *faulty) {
			f.read = errWire
			if took {
				f.after = errWire
			} else {
				f.before = errWire
			}
		})
		for range 2 {
			if _, err := log.Append(t.Context(), interlock.EntryCall, map[string]any{}, receipt.Written); err == nil {
				t.Fatal("an entry in doubt is acknowledged")
			}
		}
		f.set(func(f *faulty) { f.read, f.before, f.after = nil, nil, nil })
		p.append(t, 2)
		if report := p.verify(t); report.Size != map[bool]int64{true: 5, false: 4}[took] {
			t.Errorf("took %v: %d entries", took, report.Size)
		}
	}
}

// A log that something else writes to is not continued.
func TestSecondWriter(t *testing.T) {
	log, f, p := faultyLog(t, options())
	p.append(t, 2)
	second, err := receipt.Open(t.Context(), f, p.keys, options())
	must(t, err)
	_, err = second.Append(t.Context(), interlock.EntryCall, map[string]any{"by": "the second"}, receipt.Written)
	must(t, err)
	must(t, second.Close())
	for range 2 {
		if _, err := log.Append(t.Context(), interlock.EntryCall, map[string]any{"by": "the first"}, receipt.Written); err == nil {
			t.Fatal("a fork is acknowledged")
		}
	}
	if report := p.verify(t); report.Size != 3 {
		t.Errorf("%d entries, want 3", report.Size)
	}
}

// After a flush that failed nothing is acknowledged until the log is opened
// again.
func TestFailedFlush(t *testing.T) {
	log, f, p := faultyLog(t, options())
	f.set(func(f *faulty) { f.flushErr = errWire })
	if _, err := log.Append(t.Context(), interlock.EntryIntent, map[string]any{}, receipt.Flushed); !errors.Is(err, errWire) {
		t.Fatalf("a flush that failed gave %v", err)
	}
	f.set(func(f *faulty) { f.flushErr = nil })
	for _, d := range []receipt.Durability{receipt.Flushed, receipt.Written} {
		if _, err := log.Append(t.Context(), interlock.EntryCall, map[string]any{}, d); !errors.Is(err, errWire) {
			t.Errorf("after a failed flush: %v", err)
		}
	}
	if err := log.Close(); err != nil && !errors.Is(err, errWire) {
		t.Error(err)
	}
	p.reopen(t)
	p.append(t, 1)
	p.verify(t)
}

// Entries that nobody waits for survive a full disk in the queue.
func TestBehindWaitsForSpace(t *testing.T) {
	log, f, p := faultyLog(t, options())
	full := &interlock.Error{Code: interlock.CodeExhausted, Reason: interlock.ReasonStoreFull}
	f.set(func(f *faulty) { f.before = full })
	for n := range 5 {
		_, err := log.Append(t.Context(), interlock.EntryResolve, map[string]any{"n": n}, receipt.Behind)
		must(t, err)
	}
	_, err := log.Append(t.Context(), interlock.EntryCall, map[string]any{}, receipt.Written)
	wantReason(t, err, interlock.ReasonStoreFull)
	wantReason(t, log.Flush(t.Context()), interlock.ReasonStoreFull)
	f.set(func(f *faulty) { f.before = nil })
	must(t, log.Flush(t.Context()))
	if report := p.verify(t); report.Size != 5 {
		t.Errorf("%d entries, want the 5 that were queued", report.Size)
	}
}

// TestFullDisk fills a real file system under a log, then frees space.
func TestFullDisk(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("only root on Linux can mount a small file system")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no small file system here: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	ballast := filepath.Join(dir, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 1<<20), 0o600))
	p := &place{path: filepath.Join(dir, "store.db"), keys: testKeys(t)}
	p.open(t, options())
	t.Cleanup(func() { _ = p.close() })
	acknowledged := fill(t, p.log)
	must(t, os.Remove(ballast))
	acknowledged += fill(t, p.log)
	p.reopen(t)
	if report := p.verify(t); report.Size != acknowledged {
		t.Errorf("%d entries, %d were acknowledged", report.Size, acknowledged)
	}
}

// fill appends from several callers until the disk is full and gives how many
// entries were acknowledged.
func fill(t *testing.T, log *receipt.Log) int64 {
	t.Helper()
	var acknowledged atomic.Int64
	errs := make(chan error, 4)
	for n := range 4 {
		go func() {
			for {
				if _, err := log.Append(context.Background(), interlock.EntryCall, callBody(), receipt.Durability(n%2)); err != nil {
					errs <- err
					return
				}
				acknowledged.Add(1)
			}
		}()
	}
	for range 4 {
		wantReason(t, <-errs, interlock.ReasonStoreFull)
	}
	if acknowledged.Load() == 0 {
		t.Error("nothing was acknowledged before the disk was full")
	}
	return acknowledged.Load()
}

// A quota is a full disk on every system.
func TestQuota(t *testing.T) {
	p := &place{path: filepath.Join(t.TempDir(), "store.db"), keys: testKeys(t)}
	var err error
	p.store, err = sqlite.Open(t.Context(), p.path, sqlite.Options{MaxBytes: 300 << 10, LockWait: time.Second})
	must(t, err)
	p.log, err = receipt.Open(t.Context(), p.store, p.keys, options())
	must(t, err)
	t.Cleanup(func() { _ = p.close() })
	acknowledged := fill(t, p.log)
	p.reopen(t)
	p.append(t, 1)
	if report := p.verify(t); report.Size != acknowledged+1 {
		t.Errorf("%d entries, %d were acknowledged", report.Size, acknowledged+1)
	}
}

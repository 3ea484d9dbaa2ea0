package receipt_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// TestSuiteLogLab appends a great many receipts, recomputes them all, proves and
// drops, and tells what each took: `make log-lab`. It holds what has to be true
// whatever the machine: memory does not grow with the log.
func TestSuiteLogLab(t *testing.T) {
	n, err := strconv.ParseInt(os.Getenv("INTERLOCK_LOG_ENTRIES"), 10, 64)
	if err != nil {
		t.Skip("run by make log-lab")
	}
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "store.db")
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	must(t, err)
	defer store.Close() //nolint:errcheck // the test has its say before
	keys, err := receipt.NewKeys(rand.Reader)
	must(t, err)
	log, err := receipt.Open(ctx, store, keys, receipt.Options{Clock: time.Now, Rand: rand.Reader, Seen: receipt.NewSeen(path + ".seen")})
	must(t, err)
	defer log.Close() //nolint:errcheck // the test has its say before
	peak := watchHeap(t)

	lab := labOf(t)
	body := callBody()
	fill := func(i int64) {
		body.Receipt, body.At = fmt.Sprintf("%032x", i), log.Now()
		body.ArgsDigest, body.ResultDigest = digestLike(i), digestLike(i+n)
	}
	lab.step("bodies alone", n, func() {
		for i := range n {
			fill(i)
		}
	})
	lab.step("append", n, func() {
		for i := range n {
			fill(i)
			_, err := log.Append(ctx, interlock.EntryCall, body, receipt.Behind)
			must(t, err)
		}
		must(t, log.Flush(ctx))
	})
	info, err := os.Stat(path)
	must(t, err)
	t.Logf("%.0f bytes of store an entry", float64(info.Size())/float64(n))
	peak.Store(0)
	lab.step("fsck", n, func() {
		report, err := log.Verify(ctx, receipt.Check{Books: true})
		must(t, err)
		if report.Size != n || report.Books.Receipts != n {
			t.Errorf("report %+v", report)
		}
	})
	t.Logf("fsck: %d MB of heap at most", peak.Load()>>20)
	if peak.Load() > 256<<20 {
		t.Errorf("fsck held %d MB", peak.Load()>>20)
	}
	lab.step("1000 proofs", 1000, func() {
		for i := range int64(1000) {
			proof, err := log.Prove(ctx, i*(n/1000))
			must(t, err)
			must(t, receipt.VerifyProof(proof, keys.VerifierKeys()))
		}
	})
	lab.step("prune of half", n/2, func() {
		_, err := log.Prune(ctx, n/2, "local", "", nil)
		must(t, err)
	})
	peak.Store(0)
	lab.step("fsck of the rest", n/2, func() {
		_, err := log.Verify(ctx, receipt.Check{Books: true})
		must(t, err)
	})
	t.Logf("fsck: %d MB of heap at most", peak.Load()>>20)
}

func digestLike(i int64) string { return fmt.Sprintf("%064x", uint64(i)*0x9e3779b97f4a7c15) }

// lab tells what steps take.
type lab struct{ t *testing.T }

func labOf(t *testing.T) lab { return lab{t} }

// step tells wall time, and the processor's time of the whole process, which
// others on the machine do not change.
func (l lab) step(name string, n int64, do func()) {
	l.t.Helper()
	began, used := time.Now(), processorTime()
	do()
	wall, cpu := time.Since(began), processorTime()-used
	l.t.Logf("%-16s %9d: %8.2f s, %6.2f µs each; %6.2f µs of processor", name, n, wall.Seconds(), float64(wall.Nanoseconds())/1e3/float64(n), float64(cpu.Nanoseconds())/1e3/float64(n))
}

// watchHeap follows the most that the heap holds.
func watchHeap(t *testing.T) *atomic.Uint64 {
	var peak atomic.Uint64
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if m.HeapInuse > peak.Load() {
				peak.Store(m.HeapInuse)
			}
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-done })
	return &peak
}

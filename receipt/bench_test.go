package receipt_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// callBody is a body of an ordinary size.
func callBody() receipt.CallBody {
	const hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	return receipt.CallBody{
		Asker:   receipt.Asker{Principal: "alice", Tenant: "shared", View: hash},
		Target:  receipt.Target{Tool: "docs/extract_v2", Family: "document.extract", Version: "2.3.0", Source: "docs", Contract: hash, Binding: hash, Effect: interlock.EffectRead},
		Outcome: receipt.OutcomeOK, Validated: "strict", Attempts: 1, TookMicros: 1234,
	}
}

func benchLog(b *testing.B) (*receipt.Log, *sqlite.Store, receipt.Keys) {
	store, err := sqlite.Open(context.Background(), filepath.Join(b.TempDir(), "store.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	keys, err := receipt.NewKeys(rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	log, err := receipt.Open(context.Background(), store, keys, receipt.Options{Clock: time.Now, Rand: rand.Reader})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _, _ = log.Close(), store.Close() })
	return log, store, keys
}

func BenchmarkAppend(b *testing.B) {
	body := callBody()
	for _, each := range []struct {
		name    string
		d       receipt.Durability
		callers int
	}{
		{"written/1", receipt.Written, 1}, {"written/16", receipt.Written, 16},
		{"flushed/1", receipt.Flushed, 1}, {"flushed/16", receipt.Flushed, 16}, {"behind/1", receipt.Behind, 1},
	} {
		b.Run(each.name, func(b *testing.B) {
			log, _, _ := benchLog(b)
			callers(b, each.callers, func() error {
				_, err := log.Append(context.Background(), interlock.EntryCall, body, each.d)
				return err
			})
		})
	}
}

// callers shares b.N calls among n goroutines.
func callers(b *testing.B, n int, call func() error) {
	b.ReportAllocs()
	b.ResetTimer()
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			for range (b.N + n - 1 - i) / n {
				if err := call(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}

func BenchmarkSeal(b *testing.B) {
	body, args, result := callBody(), []byte(`{"document":"some text"}`), bytes.Repeat([]byte("r"), 2000)
	for _, n := range []int{1, 16} {
		b.Run(map[int]string{1: "written/1", 16: "written/16"}[n], func(b *testing.B) {
			log, _, _ := benchLog(b)
			callers(b, n, func() error {
				blank, err := log.Blank()
				if err != nil {
					return err
				}
				_, err = log.Seal(context.Background(), blank, body, args, result, receipt.Written)
				return err
			})
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	log, store, keys := benchLog(b)
	for range 10000 {
		if _, err := log.Append(context.Background(), interlock.EntryCall, callBody(), receipt.Behind); err != nil {
			b.Fatal(err)
		}
	}
	var export bytes.Buffer
	if err := log.Export(context.Background(), &export); err != nil {
		b.Fatal(err)
	}
	b.Run("export of 10000", func(b *testing.B) {
		for b.Loop() {
			if _, err := receipt.VerifyExport(bytes.NewReader(export.Bytes()), keys.VerifierKeys()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("store of 10000", func(b *testing.B) {
		for b.Loop() {
			if _, err := receipt.VerifyStore(context.Background(), store, keys); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkBareSync is the disk's own figure: 4 kB written over and synced.
func BenchmarkBareSync(b *testing.B) {
	file, err := os.Create(filepath.Join(b.TempDir(), "bare"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	for b.Loop() {
		if _, err := file.WriteAt(make([]byte, 4096), 0); err != nil {
			b.Fatal(err)
		}
		if err := file.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

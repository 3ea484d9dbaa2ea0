package sqlite_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// bigRegistry gives n tools of an ordinary size: about 3 kB each, two thirds of
// it schemas.
func bigRegistry(n int) []interlock.ToolRecord {
	properties := strings.Repeat(`"field_NN":{"type":"string","description":"What this argument means, said in a sentence of usual length.","maxLength":200},`, 12)
	tools := make([]interlock.ToolRecord, n)
	for i := range tools {
		schema := json.RawMessage(`{"type":"object","properties":{` + strings.ReplaceAll(properties, "NN", fmt.Sprint(i)) + `"last":{"type":"integer"}},"required":["last"]}`)
		tools[i] = interlock.ToolRecord{
			ID: fmt.Sprintf("source-%d/tool_%05d", i%40, i), Source: fmt.Sprintf("source-%d", i%40), Tenant: interlock.SharedTenant, Family: fmt.Sprintf("source.tool_%05d", i), Version: "1.2.3",
			Effect: interlock.EffectRead, State: interlock.StateActive, Contract: fmt.Sprintf("%064x", i), Pin: fmt.Sprintf("%064x", i+1), Binding: fmt.Sprintf("%064x", i+2), Changed: 1,
			Operation: interlock.Operation{
				Name: fmt.Sprintf("tool_%05d", i), Title: "A tool", Variants: []interlock.Variant{{ID: "default", Description: strings.Repeat("Does what a description of usual length says. ", 6)}},
				InputSchema: schema, OutputSchema: json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}}}`), Binding: json.RawMessage(`{"method":"POST","path":"/v1/things/{id}"}`),
				Tags: map[string]string{"team": "docs", "data": "internal"}, Errors: []interlock.ErrorCase{{When: "not_found", Status: 404}},
			},
		}
	}
	return tools
}

func filledStore(b *testing.B, n int) *sqlite.Store {
	store := open(b, filepath.Join(b.TempDir(), "store.db"), sqlite.Options{})
	if _, err := store.Commit(b.Context(), 0, interlock.Change{PutTools: bigRegistry(n)}); err != nil {
		b.Fatal(err)
	}
	return store
}

func BenchmarkLoad4000(b *testing.B) {
	store := filledStore(b, 4000)
	b.ResetTimer()
	for b.Loop() {
		state, err := store.Load(b.Context())
		if err != nil || len(state.Tools) != 4000 {
			b.Fatalf("%d tools, %v", len(state.Tools), err)
		}
	}
}

func BenchmarkOpenLoad4000(b *testing.B) {
	store := filledStore(b, 4000)
	path := store.Path()
	for b.Loop() {
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
		store = open(b, path, sqlite.Options{})
		if _, err := store.Load(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCommitOneOf4000(b *testing.B) {
	store, tools := filledStore(b, 4000), bigRegistry(1)
	generation := uint64(1)
	for b.Loop() {
		var err error
		if generation, err = store.Commit(b.Context(), generation, interlock.Change{PutTools: tools}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, each := range []struct {
		n     int
		flush bool
	}{{1, false}, {16, false}, {256, false}, {1, true}} {
		b.Run(fmt.Sprintf("batch=%d,flush=%v", each.n, each.flush), func(b *testing.B) {
			store := open(b, filepath.Join(b.TempDir(), "store.db"), sqlite.Options{})
			next := int64(0)
			for b.Loop() {
				if err := store.AppendLog(b.Context(), logBatch(next, each.n), each.flush); err != nil {
					b.Fatal(err)
				}
				next += int64(each.n)
			}
			b.ReportMetric(float64(next)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

// BenchmarkBareSync is the disk's own figure: 4 kB written over and synced.
func BenchmarkBareSync(b *testing.B) {
	file, err := os.Create(filepath.Join(b.TempDir(), "bare"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	page := make([]byte, 4096)
	for b.Loop() {
		if _, err := file.WriteAt(page, 0); err != nil {
			b.Fatal(err)
		}
		if err := file.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

// logBatch gives n entries of the size of a receipt.
func logBatch(from int64, n int) interlock.LogBatch {
	batch := interlock.LogBatch{Checkpoint: strings.Repeat("c", 200)}
	for i := range int64(n) {
		batch.Entries = append(batch.Entries, interlock.LogEntry{Index: from + i, Type: interlock.EntryCall, Digest: strings.Repeat("d", 64), Body: json.RawMessage(`{"pad":"` + strings.Repeat("b", 600) + `"}`)})
	}
	batch.Hashes = make([][32]byte, tlog.StoredHashCount(from+int64(n))-tlog.StoredHashCount(from))
	return batch
}

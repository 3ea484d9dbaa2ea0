package receipt_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// filled gives a log of n entries of the ordinary kinds: answers, refusals,
// calls, and writes with their intents.
func filled(t testing.TB, n int) *place {
	t.Helper()
	p := newPlace(t)
	body := callBody()
	for i := 0; p.log.Size() < int64(n); i++ {
		blank, err := p.log.Blank()
		must(t, err)
		args := fmt.Appendf(nil, `{"n":%d}`, i)
		switch i % 4 {
		case 0:
			_, err = p.log.Append(t.Context(), interlock.EntryResolve, receipt.ResolveBody{At: p.log.Now(), Asker: body.Asker, NeedDigest: p.log.KeyedDigest(args), Disposition: interlock.Supported,
				Offered: []receipt.Offered{{Tool: "docs/extract_v2", Version: "2.3.0"}}}, receipt.Written)
		case 1:
			_, err = p.log.Refuse(t.Context(), blank, receipt.RefusedBody{Asker: body.Asker, Target: body.Target, Reason: interlock.ReasonArgumentsInvalid, Stage: "recheck"}, args, receipt.Written)
		case 2:
			if p.log.Size()+2 <= int64(n) {
				must(t, p.log.Intend(t.Context(), blank, receipt.IntentBody{Asker: body.Asker, Target: body.Target}, args))
			}
			fallthrough
		default:
			_, err = p.log.Seal(t.Context(), blank, body, args, []byte(`{"ok":true}`), receipt.Written)
		}
		must(t, err)
	}
	return p
}

// spread shares n pieces of work among the processors.
func spread(n int, work func(i int)) {
	var group sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				work(int(i))
			}
		})
	}
	group.Wait()
}

// corrupted gives data with the byte at i changed to another.
func corrupted(data []byte, i int) []byte {
	changed := bytes.Clone(data)
	changed[i] ^= 1 << (i * 5 % 8)
	return changed
}

// Every byte of the export of a log of a hundred entries, changed: each is
// found.
func TestEveryByteOfAHundred(t *testing.T) {
	export := filled(t, 100).export(t)
	lines := bytes.SplitAfter(export, []byte("\n"))
	if len(lines) != 108 {
		t.Fatalf("%d lines", len(lines))
	}
	var missed atomic.Int64
	spread(len(export), func(i int) {
		if _, err := receipt.VerifyExport(bytes.NewReader(corrupted(export, i)), nil); interlock.ReasonOf(err) != interlock.ReasonLogInvalid {
			missed.Add(1)
			t.Errorf("byte %d of %d changed: %v", i, len(export), err)
		}
	})
	t.Logf("%d bytes changed, %d missed", len(export), missed.Load())
}

// memory is the log of a store, read whole, so that a test can change any byte
// of it.
type memory struct {
	entries []interlock.LogEntry
	hashes  [][32]byte
	text    string
}

func readWhole(t testing.TB, p *place) *memory {
	t.Helper()
	ctx := context.Background()
	must(t, p.log.Flush(ctx))
	text, size, err := p.store.LogCheckpoint(ctx)
	must(t, err)
	m := &memory{text: text}
	m.entries, err = p.store.LogEntries(ctx, 0, int(size))
	must(t, err)
	indexes := make([]int64, tlog.StoredHashCount(size))
	for i := range indexes {
		indexes[i] = int64(i)
	}
	m.hashes, err = p.store.LogHashes(ctx, indexes)
	must(t, err)
	return m
}

// bytes is how many bytes there are to change.
func (m *memory) bytes() int {
	n := len(m.text) + 32*len(m.hashes)
	for _, e := range m.entries {
		n += len(e.Body) + len(e.Type) + len(e.Digest)
	}
	return n
}

// corrupt gives the log with its byte i changed, and what that byte is of.
func (m *memory) corrupt(i int) (*memory, string) {
	c := &memory{append([]interlock.LogEntry(nil), m.entries...), append([][32]byte(nil), m.hashes...), m.text}
	at := i
	if at < len(m.text) {
		c.text = string(corrupted([]byte(m.text), at))
		return c, "the checkpoint"
	}
	if at -= len(m.text); at < 32*len(m.hashes) {
		c.hashes[at/32][at%32] ^= 1 << (i % 8)
		return c, fmt.Sprintf("hash %d", at/32)
	}
	at -= 32 * len(m.hashes)
	for n, e := range m.entries {
		switch {
		case at < len(e.Body):
			c.entries[n].Body = corrupted(e.Body, at)
		case at < len(e.Body)+len(e.Type):
			c.entries[n].Type = string(corrupted([]byte(e.Type), at-len(e.Body)))
		case at < len(e.Body)+len(e.Type)+len(e.Digest):
			c.entries[n].Digest = string(corrupted([]byte(e.Digest), at-len(e.Body)-len(e.Type)))
		default:
			at -= len(e.Body) + len(e.Type) + len(e.Digest)
			continue
		}
		return c, fmt.Sprintf("entry %d", n)
	}
	return c, "nothing"
}

func (m *memory) LogEntries(_ context.Context, index int64, limit int) ([]interlock.LogEntry, error) {
	from := min(int(index), len(m.entries))
	return m.entries[from:min(from+limit, len(m.entries))], nil
}

func (m *memory) LogHashes(_ context.Context, indexes []int64) ([][32]byte, error) {
	list := make([][32]byte, len(indexes))
	for i, index := range indexes {
		list[i] = m.hashes[index]
	}
	return list, nil
}

func (m *memory) LogCheckpoint(context.Context) (string, int64, error) {
	return m.text, int64(len(m.entries)), nil
}
func (m *memory) LogFloor(context.Context) (int64, error) { return 0, nil }
func (m *memory) LogWitnesses(context.Context, int) ([]interlock.LogWitness, error) {
	return nil, nil
}
func (m *memory) LogTile(context.Context, int, int64) ([]byte, error)       { panic("read only") }
func (m *memory) AppendLog(context.Context, interlock.LogBatch, bool) error { panic("read only") }
func (m *memory) FlushLog(context.Context) error                            { panic("read only") }
func (m *memory) PruneLog(context.Context, interlock.LogPrune) error        { panic("read only") }
func (m *memory) PutLogWitness(context.Context, int64, string) error        { panic("read only") }

// Bytes of what a store keeps of a log of a hundred entries, changed: each is
// found.
func TestSuiteEveryByteOfAStore(t *testing.T) {
	p := filled(t, 100)
	m := readWhole(t, p)
	_, err := receipt.VerifyStore(t.Context(), m, p.keys)
	must(t, err)
	var kinds sync.Map
	step := 3 // make suites changes every byte
	if os.Getenv("INTERLOCK_SUITES") != "" {
		step = 1
	}
	spread(m.bytes()/step, func(i int) {
		i *= step
		changed, what := m.corrupt(i)
		kinds.Store(what, true)
		if _, err := receipt.VerifyStore(context.Background(), changed, p.keys); interlock.ReasonOf(err) != interlock.ReasonLogInvalid {
			t.Errorf("byte %d, of %s: %v", i, what, err)
		}
	})
	n := 0
	kinds.Range(func(any, any) bool { n++; return true })
	if want := 1 + len(m.hashes) + len(m.entries); n != want {
		t.Errorf("changes of %d parts, want %d", n, want)
	}
	t.Logf("%d of %d bytes changed", m.bytes()/step, m.bytes())
}

// flips is how many random bytes of a long log are changed.
func flips(t *testing.T) int {
	if os.Getenv("INTERLOCK_SUITES") == "" {
		return 40 // make suites changes 2000
	}
	return 2000
}

// Random bytes of a log of ten thousand entries, changed: in its export, and in
// what a store keeps.
func TestSuiteRandomBytes(t *testing.T) {
	p := filled(t, 10000)
	export, m, n := p.export(t), readWhole(t, p), flips(t)
	draw := rand.New(rand.NewPCG(7, uint64(n)))
	places := make([][2]int, n)
	for i := range places {
		places[i] = [2]int{draw.IntN(len(export)), draw.IntN(m.bytes())}
	}
	spread(n, func(i int) {
		if _, err := receipt.VerifyExport(bytes.NewReader(corrupted(export, places[i][0])), nil); interlock.ReasonOf(err) != interlock.ReasonLogInvalid {
			t.Errorf("byte %d of %d of the export: %v", places[i][0], len(export), err)
		}
		changed, what := m.corrupt(places[i][1])
		if _, err := receipt.VerifyStore(context.Background(), changed, p.keys); interlock.ReasonOf(err) != interlock.ReasonLogInvalid {
			t.Errorf("byte %d of the store, of %s: %v", places[i][1], what, err)
		}
	})
	t.Logf("%d of %d bytes of the export and of %d of the store changed", n, len(export), m.bytes())
}

// Random bytes of the file of a store, changed: either it is found, or the log
// reads as before, because the byte is not of the log.
func TestSuiteRandomBytesOfTheFile(t *testing.T) {
	const entries = 400
	p := filled(t, entries)
	want := readWhole(t, p)
	must(t, p.close())
	file, err := os.ReadFile(p.path)
	must(t, err)
	dir, n := t.TempDir(), flips(t)
	draw := rand.New(rand.NewPCG(8, uint64(n)))
	places := make([]int, n)
	for i := range places {
		places[i] = draw.IntN(len(file))
	}
	var found atomic.Int64
	spread(n, func(i int) {
		path := filepath.Join(dir, fmt.Sprintf("%d.db", i))
		must(t, os.WriteFile(path, corrupted(file, places[i]), 0o600))
		defer os.Remove(path) //nolint:errcheck // a temporary file
		if err := verifyFile(path, p.keys, want); err == nil {
			return
		} else if interlock.ReasonOf(err) == interlock.ReasonInternal && !driverError(err) {
			t.Errorf("byte %d of %d: %v", places[i], len(file), err)
		}
		found.Add(1)
	})
	t.Logf("%d of %d changes of %d bytes were of the log, or of what it needs, and were found; with the others it reads as before", found.Load(), n, len(file))
	if found.Load() < int64(n)/3 {
		t.Errorf("only %d of %d changes were found, and most of the file is the log", found.Load(), n)
	}
}

// verifyFile opens a store and verifies its log. Where it verifies it has to
// read as it did.
func verifyFile(path string, keys receipt.Keys, want *memory) error {
	store, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // it may be damaged
	if _, err := receipt.VerifyStore(context.Background(), store, keys); err != nil {
		return err
	}
	entries, err := store.LogEntries(context.Background(), 0, len(want.entries)+1)
	if err != nil {
		return err
	}
	got, err := json.Marshal(entries)
	if err != nil {
		return err
	}
	had, err := json.Marshal(want.entries)
	if err == nil && !bytes.Equal(got, had) {
		err = fmt.Errorf("it verifies and reads otherwise")
	}
	return err
}

// driverError reports whether an error is SQLite's own refusal of a file.
func driverError(err error) bool {
	return err != nil && bytes.Contains([]byte(err.Error()), []byte("SQL")) || bytes.Contains([]byte(err.Error()), []byte("sql"))
}

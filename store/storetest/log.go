package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// batch gives a batch of n entries from an index on, with as many hashes as the
// tree gets from them.
func batch(from int64, n int) interlock.LogBatch {
	b := interlock.LogBatch{Checkpoint: fmt.Sprintf("log\n%d\nroot=\n\n— log sig=\n", from+int64(n))}
	for i := from; i < from+int64(n); i++ {
		body := json.RawMessage(fmt.Sprintf(`{"html":"<&>","n":%d,"raw":"  \u2028"}`, i))
		sum := sha256.Sum256(body)
		b.Entries = append(b.Entries, interlock.LogEntry{Index: i, Type: interlock.EntryCall, Digest: hex.EncodeToString(sum[:]), Body: body})
	}
	for i := tlog.StoredHashCount(from); i < tlog.StoredHashCount(from+int64(n)); i++ {
		b.Hashes = append(b.Hashes, storedHash(i))
	}
	return b
}

// storedHash stands for the hash at a storage index.
func storedHash(index int64) [32]byte { return sha256.Sum256(fmt.Appendf(nil, "hash %d", index)) }

// appendAll appends batches of growing size up to total entries and gives the
// last checkpoint.
func appendAll(t *testing.T, f *fixture, total int64) string {
	t.Helper()
	last := ""
	for from, n := int64(0), int64(1); from < total; from, n = from+n, n%7+1 {
		n = min(n, total-from)
		b := batch(from, int(n))
		done(t, "append", f.store.AppendLog(t.Context(), b, n%2 == 0))
		last = b.Checkpoint
	}
	return last
}

func logReadsBack(t *testing.T, f *fixture) {
	const total = 150
	last := appendAll(t, f, total)
	done(t, "flush", f.store.FlushLog(t.Context()))
	checkLog(t, f, total, last)
}

func logSurvives(t *testing.T, f *fixture) {
	const total = 100
	last := appendAll(t, f, total)
	f.reopen(t)
	checkLog(t, f, total, last)
	b := batch(total, 3)
	done(t, "append after reopening", f.store.AppendLog(t.Context(), b, false))
	f.reopen(t)
	checkLog(t, f, total+3, b.Checkpoint)
}

// checkLog holds the whole log against what appendAll wrote.
func checkLog(t *testing.T, f *fixture, total int64, checkpoint string) {
	t.Helper()
	ctx := t.Context()
	text, size, err := f.store.LogCheckpoint(ctx)
	done(t, "checkpoint", err)
	same(t, "checkpoint", text, checkpoint)
	same(t, "size", size, total)
	want := batch(0, int(total))
	for _, page := range []struct{ from, limit int64 }{{0, total * 2}, {0, 1}, {3, 7}, {total - 1, 5}, {total, 5}, {0, 0}} {
		got, err := f.store.LogEntries(ctx, page.from, int(page.limit))
		done(t, "entries", err)
		same(t, fmt.Sprintf("entries from %d, at most %d", page.from, page.limit), got, want.Entries[page.from:min(total, page.from+page.limit)])
	}
	count := tlog.StoredHashCount(total)
	var all, few []int64
	for i := range count {
		all = append(all, i)
	}
	few = append(few, count-1, 0, count/2, 0)
	for _, indexes := range [][]int64{all, few, nil} {
		got, err := f.store.LogHashes(ctx, indexes)
		done(t, "hashes", err)
		var hashes [][32]byte
		for _, i := range indexes {
			hashes = append(hashes, storedHash(i))
		}
		same(t, fmt.Sprintf("%d hashes", len(indexes)), got, hashes)
	}
}

func logRefusesGaps(t *testing.T, f *fixture) {
	last := appendAll(t, f, 5)
	short, long, empty, mixed, silent := batch(5, 2), batch(5, 2), interlock.LogBatch{Checkpoint: "c"}, batch(5, 3), batch(5, 1)
	short.Hashes = short.Hashes[1:]
	long.Hashes = append(long.Hashes, [32]byte{})
	mixed.Entries[1].Index = 9
	silent.Checkpoint = ""
	negative := batch(5, 1)
	negative.Entries[0].Index = -1
	for name, b := range map[string]interlock.LogBatch{
		"one skipped": batch(6, 1), "one repeated": batch(4, 1), "all repeated": batch(0, 5), "overlapping": batch(4, 3), "negative": negative,
		"too few hashes": short, "too many hashes": long, "no entries": empty, "a gap inside": mixed, "no checkpoint": silent,
	} {
		refused(t, name, f.store.AppendLog(t.Context(), b, false), interlock.ReasonConflict)
	}
	checkLog(t, f, 5, last)
	next := batch(5, 2)
	done(t, "append after refusals", f.store.AppendLog(t.Context(), next, true))
	checkLog(t, f, 7, next.Checkpoint)
}

func logMissingHash(t *testing.T, f *fixture) {
	appendAll(t, f, 5)
	count := tlog.StoredHashCount(5)
	for _, indexes := range [][]int64{{count}, {0, count + 100}, {-1}, {1 << 40}} {
		_, err := f.store.LogHashes(t.Context(), indexes)
		refused(t, fmt.Sprintf("hashes %v of %d", indexes, count), err, interlock.ReasonLogInvalid)
	}
}

func logRace(t *testing.T, f *fixture) {
	const racers, rounds = 8, 20
	for round := range int64(rounds) {
		won := 0
		for _, err := range race(racers, func(int) error { return f.store.AppendLog(t.Context(), batch(round, 1), false) }) {
			if err == nil {
				won++
			} else {
				refused(t, "the loser's append", err, interlock.ReasonConflict)
			}
		}
		same(t, "winners of a round", won, 1)
	}
	checkLog(t, f, rounds, batch(rounds-1, 1).Checkpoint)
}

// concurrentUse does everything at once; the race detector watches, and at the
// end everything that was acknowledged is there.
func concurrentUse(t *testing.T, f *fixture) {
	const rounds = 30
	var workers sync.WaitGroup
	work := func(name string, each func(n int) error) {
		workers.Go(func() {
			for n := range rounds {
				if err := each(n); err != nil {
					t.Errorf("%s, round %d: %v", name, n, err)
					return
				}
			}
		})
	}
	ctx := t.Context()
	work("commit", func(n int) error {
		_, err := f.store.Commit(ctx, uint64(n), interlock.Change{PutTools: []interlock.ToolRecord{tool(n)}})
		return err
	})
	work("append", func(n int) error { return f.store.AppendLog(ctx, batch(int64(n)*4, 4), n%10 == 0) })
	work("vectors", func(n int) error {
		return f.store.PutVectors(ctx, "e", map[string][]byte{fmt.Sprint(n): {byte(n)}})
	})
	work("approvals", func(n int) error { return f.store.PutApproval(ctx, approval(fmt.Sprint(n))) })
	work("load", func(int) error { _, err := f.store.Load(ctx); return err })
	work("entries", func(int) error { _, err := f.store.LogEntries(ctx, 0, 1000); return err })
	work("flush", func(int) error { return f.store.FlushLog(ctx) })
	work("read vectors", func(n int) error { _, err := f.store.Vectors(ctx, "e", []string{fmt.Sprint(n)}); return err })
	work("read approvals", func(int) error { _, err := f.store.Approvals(ctx); return err })
	workers.Wait()
	f.reopen(t)
	state, err := f.store.Load(ctx)
	done(t, "load", err)
	same(t, "tools", len(state.Tools), rounds)
	approvals, err := f.store.Approvals(ctx)
	done(t, "approvals", err)
	same(t, "approvals", len(approvals), rounds)
	checkLog(t, f, rounds*4, batch((rounds-1)*4, 4).Checkpoint)
}

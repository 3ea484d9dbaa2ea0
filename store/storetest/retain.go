package storetest

import (
	"bytes"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// kept gives a tile that is unlike every other.
func kept(level int, n int64, width int) interlock.LogTile {
	return interlock.LogTile{Level: level, N: n, Hashes: bytes.Repeat(fmt.Appendf(nil, "%16d%16d", level, n), width)}
}

// logPrunes drops the front of a log in steps: what is dropped is gone, what is
// kept stays, tiles are replaced, and appends go on.
func logPrunes(t *testing.T, f *fixture) {
	const total = 20
	ctx := t.Context()
	last := appendAll(t, f, total)
	for _, step := range []interlock.LogPrune{
		{Floor: 3, Tiles: []interlock.LogTile{kept(0, 0, 3)}},
		{Floor: 12, Tiles: []interlock.LogTile{kept(0, 0, 12), kept(1, 7, 1)}},
		{Floor: total, Tiles: []interlock.LogTile{kept(0, 0, total)}},
	} {
		done(t, "prune", f.store.PruneLog(ctx, step))
		f.reopen(t)
		floor, err := f.store.LogFloor(ctx)
		done(t, "floor", err)
		same(t, "floor", floor, step.Floor)
		entries, err := f.store.LogEntries(ctx, 0, total)
		done(t, "entries", err)
		same(t, "entries that are kept", entries, batch(0, total).Entries[step.Floor:])
		data, err := f.store.LogTile(ctx, 0, 0)
		done(t, "tile", err)
		same(t, "tile", data, step.Tiles[0].Hashes)
		_, err = f.store.LogHashes(ctx, []int64{tlog.StoredHashIndex(0, step.Floor-1)})
		refused(t, "a hash that was dropped", err, interlock.ReasonLogInvalid)
	}
	_, err := f.store.LogTile(ctx, 2, 0)
	refused(t, "a tile that nobody kept", err, interlock.ReasonLogInvalid)
	text, size, err := f.store.LogCheckpoint(ctx)
	done(t, "checkpoint", err)
	same(t, "checkpoint", text, last)
	same(t, "size", size, int64(total))
	done(t, "append", f.store.AppendLog(ctx, batch(total, 3), true))
	entries, err := f.store.LogEntries(ctx, 0, total)
	done(t, "entries", err)
	same(t, "entries after", entries, batch(total, 3).Entries)
}

// logPruneRefuses keeps a floor from going down, or beyond the log, and changes
// nothing then.
func logPruneRefuses(t *testing.T, f *fixture) {
	ctx := t.Context()
	appendAll(t, f, 9)
	done(t, "prune", f.store.PruneLog(ctx, interlock.LogPrune{Floor: 4, Tiles: []interlock.LogTile{kept(0, 0, 4)}}))
	for _, floor := range []int64{-1, 0, 3, 4, 10} {
		refused(t, fmt.Sprintf("a floor of %d", floor), f.store.PruneLog(ctx, interlock.LogPrune{Floor: floor, Tiles: []interlock.LogTile{kept(0, 0, 1)}}), interlock.ReasonConflict)
	}
	data, err := f.store.LogTile(ctx, 0, 0)
	done(t, "tile", err)
	same(t, "tile", data, kept(0, 0, 4).Hashes)
}

// logWitnesses keeps one checkpoint a size and lists the largest first.
func logWitnesses(t *testing.T, f *fixture) {
	ctx := t.Context()
	list, err := f.store.LogWitnesses(ctx, 5)
	done(t, "witnesses", err)
	same(t, "witnesses of a new store", list, []interlock.LogWitness(nil))
	for _, w := range []interlock.LogWitness{{Size: 3, Text: "three"}, {Size: 9, Text: "nine"}, {Size: 5, Text: "five — é"}, {Size: 3, Text: "three again"}} {
		done(t, "put", f.store.PutLogWitness(ctx, w.Size, w.Text))
	}
	f.reopen(t)
	list, err = f.store.LogWitnesses(ctx, 2)
	done(t, "witnesses", err)
	same(t, "witnesses", list, []interlock.LogWitness{{Size: 9, Text: "nine"}, {Size: 5, Text: "five — é"}})
	list, err = f.store.LogWitnesses(ctx, 9)
	done(t, "witnesses", err)
	same(t, "the last", list[2:], []interlock.LogWitness{{Size: 3, Text: "three again"}})
}

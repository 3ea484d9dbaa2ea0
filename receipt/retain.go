package receipt

import (
	"context"
	"encoding/json"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// pruneStep is how many entries are dropped in one transaction.
const pruneStep = 1 << 14

// RetentionBody is the statement that entries are dropped
// (interlock.EntryRetention). It stands in the log before the first of them
// goes, so a log that is missing its front and does not say so was tampered with.
type RetentionBody struct {
	At        string `json:"at"`
	Principal string `json:"principal"`
	Dropped   int64  `json:"dropped"` // the entries with an index below it
	Root      string `json:"root"`    // of their tree, base64
	Kept      int64  `json:"kept"`    // entries that were kept when this was written
	Why       string `json:"why,omitempty"`
}

// retentions follows the statements of retention through a log.
type retentions struct {
	floor  int64 // entries that are not there
	root   tlog.Hash
	stated int64 // the most that a statement names
}

func (r *retentions) read(entry interlock.LogEntry) error {
	var body RetentionBody
	if json.Unmarshal(entry.Body, &body) != nil || body.Dropped < 0 || body.Dropped > entry.Index {
		return invalid(fmt.Sprintf("entry %d states a retention that cannot be", entry.Index))
	}
	if body.Dropped == r.floor && body.Root != r.root.String() {
		return invalid(fmt.Sprintf("what was dropped is not what entry %d states", entry.Index))
	}
	r.stated = max(r.stated, body.Dropped)
	return nil
}

// check refuses a log whose front is missing without a statement. A statement of
// more than is missing is one that a crash kept from being carried out.
func (r *retentions) check() error {
	if r.floor > r.stated {
		return invalid(fmt.Sprintf("the first %d entries are missing, and no entry states that they were dropped", r.floor))
	}
	return nil
}

// Pruned says what retention dropped.
type Pruned struct {
	Dropped int64 `json:"dropped"` // entries that are gone, counted from the start of the log
	Kept    int64 `json:"kept"`
	Now     int64 `json:"now"` // of Dropped, those that this dropped
}

// Prune drops the entries before an index and keeps their hashes, so that the
// tree, every proof and the verification of what remains stay sound. It states
// so in the log first. The entries before an intent that is still open, and
// those that a witness has yet to see, are not the log's to drop: an index above
// the oldest open intent is refused. Progress, where given, hears how many of how
// many are gone.
func (l *Log) Prune(ctx context.Context, before int64, principal, why string, progress func(done, total int64)) (Pruned, error) {
	if err := l.Flush(ctx); err != nil {
		return Pruned{}, err
	}
	l.pruning.Lock()
	defer l.pruning.Unlock()
	head := *l.head.Load()
	floor, err := l.store.LogFloor(ctx)
	if err != nil {
		return Pruned{}, err
	}
	if before < 0 || before > head.size {
		return Pruned{}, notFound(fmt.Sprintf("The log never had %d entries; it has %d.", before, head.size))
	}
	if before > head.open {
		return Pruned{}, &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonConflict, Stage: stage,
			Public: fmt.Sprintf("Entry %d is the intent of a call whose outcome is not known yet; entries up to it can be dropped, and no more.", head.open)}
	}
	if before <= floor {
		return Pruned{Dropped: floor, Kept: head.size - floor}, nil
	}
	root, err := rootAt(ctx, l.store, before)
	if err != nil {
		return Pruned{}, err
	}
	body := RetentionBody{At: l.Now(), Principal: principal, Dropped: before, Root: root.String(), Kept: head.size - before, Why: why}
	if _, err := l.Append(ctx, interlock.EntryRetention, body, Flushed); err != nil {
		return Pruned{}, err
	}
	for at := floor; at < before; {
		to := min(before, at+pruneStep)
		if err := l.pruneTo(ctx, at, to); err != nil {
			return Pruned{}, err
		}
		if at = to; progress != nil {
			progress(at-floor, before-floor)
		}
	}
	return Pruned{Dropped: before, Kept: l.Size() - before, Now: before - floor}, nil
}

// pruneTo moves the floor from one entry to another in one transaction.
func (l *Log) pruneTo(ctx context.Context, from, to int64) error {
	prune := interlock.LogPrune{Floor: to}
	reader := hashReader(ctx, l.store)
	for _, tile := range tlog.NewTiles(tileHeight, from, to) {
		data, err := tlog.ReadTileData(tile, reader)
		if err != nil {
			return fmt.Errorf("read %s: %w", tile.Path(), err)
		}
		prune.Tiles = append(prune.Tiles, interlock.LogTile{Level: tile.L, N: tile.N, Hashes: data})
	}
	return l.store.PruneLog(ctx, prune)
}

// Floor is the index of the first entry that is kept.
func (l *Log) Floor(ctx context.Context) (int64, error) { return l.store.LogFloor(ctx) }

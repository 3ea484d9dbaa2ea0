package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// hashSize is the length of a hash of the tree.
const hashSize = tlog.HashSize

// AppendLog writes a batch as a whole. Entries must follow the last one without
// a gap, and Hashes must be exactly those that they add to the tree, or the
// batch is refused with ReasonConflict.
func (s *Store) AppendLog(ctx context.Context, batch interlock.LogBatch, flush bool) error {
	err := s.appendLog(ctx, batch)
	if err == nil && flush {
		err = s.flush()
	}
	return s.failed("append log", err)
}

func (s *Store) appendLog(ctx context.Context, batch interlock.LogBatch) error {
	if err := s.takeTurn(ctx); err != nil {
		return err
	}
	defer s.endTurn()
	if err := fits(batch, s.next); err != nil {
		return err
	}
	err := s.writer.transact(context.WithoutCancel(ctx), func(ctx context.Context) error { return s.writer.insert(ctx, batch) })
	if err == nil {
		s.next += int64(len(batch.Entries))
	}
	return err
}

// fits checks that a batch continues a log of size entries.
func fits(batch interlock.LogBatch, size int64) error {
	if len(batch.Entries) == 0 {
		return gapError("a batch without entries")
	}
	for i, entry := range batch.Entries {
		if want := size + int64(i); entry.Index != want {
			return gapError(fmt.Sprintf("an entry with index %d where %d is next", entry.Index, want))
		}
	}
	want := tlog.StoredHashCount(size+int64(len(batch.Entries))) - tlog.StoredHashCount(size)
	if int64(len(batch.Hashes)) != want {
		return gapError(fmt.Sprintf("%d hashes where the entries add %d", len(batch.Hashes), want))
	}
	if batch.Checkpoint == "" {
		return gapError("a batch without a checkpoint")
	}
	return nil
}

func gapError(what string) error {
	return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonConflict, Stage: stage,
		Public: "The log moved, or the batch does not continue it. Open the log again.", Err: fmt.Errorf("refused %s", what)}
}

// insert writes the rows of a batch that fits, and its checkpoint.
func (w *writer) insert(ctx context.Context, batch interlock.LogBatch) error {
	entries, hashes := batch.Entries, batch.Hashes
	args := make([]any, 0, 5*rowsAtOnce)
	for len(entries) > 0 {
		statement, n := w.append, 1
		if len(entries) >= rowsAtOnce {
			statement, n = w.many, rowsAtOnce
		}
		args = args[:0]
		for _, entry := range entries[:n] {
			completed := completes(entry.Index)
			args = append(args, entry.Index, entry.Type, entry.Digest, joinHashes(hashes[:completed]), notNil(entry.Body))
			hashes = hashes[completed:]
		}
		if _, err := statement.ExecContext(ctx, args...); err != nil {
			return err
		}
		entries = entries[n:]
	}
	last := batch.Entries[len(batch.Entries)-1].Index
	_, err := w.head.ExecContext(ctx, last+1, batch.Checkpoint)
	return err
}

// completes is how many hashes of the tree the entry of an index completes: its
// own, and one for each whole subtree that ends with it.
func completes(index int64) int { return 1 + bits.TrailingZeros64(uint64(index)+1) }

func joinHashes(hashes [][hashSize]byte) []byte {
	blob := make([]byte, 0, len(hashes)*hashSize)
	for i := range hashes {
		blob = append(blob, hashes[i][:]...)
	}
	return blob
}

// LogEntries reads up to limit entries from index on, in order.
func (s *Store) LogEntries(ctx context.Context, index int64, limit int) ([]interlock.LogEntry, error) {
	entries, err := s.logEntries(ctx, index, limit)
	if err != nil {
		return nil, s.failed("read log", err)
	}
	return entries, nil
}

func (s *Store) logEntries(ctx context.Context, index int64, limit int) ([]interlock.LogEntry, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx, `SELECT idx, type, digest, body FROM log WHERE idx >= ? ORDER BY idx LIMIT ?`, index, max(0, limit))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var entries []interlock.LogEntry
	for rows.Next() {
		var entry interlock.LogEntry
		if err := rows.Scan(&entry.Index, &entry.Type, &entry.Digest, (*[]byte)(&entry.Body)); err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, rows.Err()
}

// errHash is the cause where a stored hash is not there.
var errHash = errors.New("a stored hash of the log is missing")

// LogHashes reads stored hashes of the tree by their storage index. One that is
// not there is ReasonLogInvalid.
func (s *Store) LogHashes(ctx context.Context, indexes []int64) ([][hashSize]byte, error) {
	hashes, err := s.logHashes(ctx, indexes)
	if errors.Is(err, errHash) {
		err = damaged(err)
	}
	if err != nil {
		return nil, s.failed("read hashes", err)
	}
	return hashes, nil
}

func damaged(err error) error {
	return &interlock.Error{Code: interlock.CodeInternal, Reason: interlock.ReasonLogInvalid, Stage: stage,
		Public: "The log of the store is damaged. Compare it with a copy.", Err: err}
}

func (s *Store) logHashes(ctx context.Context, indexes []int64) ([][hashSize]byte, error) {
	if err := s.usable(ctx); err != nil || len(indexes) == 0 {
		return nil, err
	}
	wanted := placesOf(indexes)
	rows := hashRows{blobs: make(map[int64][]byte, len(indexes))}
	if err := rows.read(ctx, s.read, wanted); err != nil {
		return nil, err
	}
	hashes := make([][hashSize]byte, len(indexes))
	for i, place := range wanted {
		blob := rows.blobs[place.entry]
		if len(blob) < (place.level+1)*hashSize {
			return nil, fmt.Errorf("%w: index %d", errHash, indexes[i])
		}
		copy(hashes[i][:], blob[place.level*hashSize:])
	}
	return hashes, nil
}

// place is where a hash is kept: the row of the entry that completed it.
type place struct {
	entry int64
	level int
}

func placesOf(indexes []int64) []place {
	places := make([]place, len(indexes))
	for i, index := range indexes {
		if index < 0 {
			places[i] = place{entry: -1}
			continue
		}
		level, n := tlog.SplitStoredHashIndex(index)
		places[i] = place{entry: (n+1)<<level - 1, level: level}
	}
	return places
}

// hashRows collects the blobs of hashes by entry.
type hashRows struct{ blobs map[int64][]byte }

// read fetches the rows of the places: in one sweep where they lie close, one
// by one where they are far apart.
func (h hashRows) read(ctx context.Context, db *sql.DB, places []place) error {
	low, high := places[0].entry, places[0].entry
	for _, p := range places {
		low, high = min(low, p.entry), max(high, p.entry)
	}
	if high-low < 4*int64(len(places)) {
		return h.query(ctx, db, `SELECT idx, hashes FROM log WHERE idx BETWEEN ? AND ?`, low, high)
	}
	var list bytes.Buffer
	for i, p := range places {
		if i > 0 {
			list.WriteByte(',')
		}
		fmt.Fprintf(&list, "%d", p.entry)
	}
	return h.query(ctx, db, `SELECT idx, hashes FROM log WHERE idx IN (SELECT value FROM json_each('[' || ? || ']'))`, list.String())
}

func (h hashRows) query(ctx context.Context, db *sql.DB, text string, args ...any) error {
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var entry int64
		var blob []byte
		if err := rows.Scan(&entry, &blob); err != nil {
			return err
		}
		h.blobs[entry] = blob
	}
	return rows.Err()
}

// LogCheckpoint reads the last checkpoint and the number of entries under it;
// empty where the log is.
func (s *Store) LogCheckpoint(ctx context.Context) (string, int64, error) {
	if err := s.usable(ctx); err != nil {
		return "", 0, s.failed("read checkpoint", err)
	}
	var text string
	var size int64
	err := s.read.QueryRowContext(ctx, `SELECT checkpoint, size FROM log_head`).Scan(&text, &size)
	return text, size, s.failed("read checkpoint", err)
}

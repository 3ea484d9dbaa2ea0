package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/parallel"
)

// Load reads the whole registry at one generation.
func (s *Store) Load(ctx context.Context) (interlock.RegistryState, error) {
	state, err := s.load(ctx)
	if err != nil {
		return interlock.RegistryState{}, s.failed("load", err)
	}
	return state, nil
}

func (s *Store) load(ctx context.Context) (interlock.RegistryState, error) {
	var state interlock.RegistryState
	if err := s.usable(ctx); err != nil {
		return state, err
	}
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return state, err
	}
	defer tx.Rollback()
	if state.Generation, err = generation(ctx, tx); err != nil {
		return state, err
	}
	if state.Sources, err = readRecords(ctx, tx, `SELECT name, record FROM sources`, decodeSource); err != nil {
		return state, err
	}
	if state.Tools, err = readRecords(ctx, tx, `SELECT id, record FROM tools`, decodeTool); err != nil {
		return state, err
	}
	slices.SortFunc(state.Sources, func(a, b interlock.SourceRecord) int { return cmp.Compare(a.Config.Name, b.Config.Name) })
	slices.SortFunc(state.Tools, func(a, b interlock.ToolRecord) int { return cmp.Compare(a.ID, b.ID) })
	return state, nil
}

func decodeSource(blob []byte) (source interlock.SourceRecord, err error) {
	return source, json.Unmarshal(blob, &source)
}

// readRecords reads every row of a query over name and record. Reading is one
// thread's work and decoding, which takes longer, is shared among processors.
func readRecords[T any](ctx context.Context, tx *sql.Tx, query string, decode func([]byte) (T, error)) ([]T, error) {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	var blobs [][]byte
	for rows.Next() {
		var name string
		var blob []byte
		if err := rows.Scan(&name, &blob); err != nil {
			return nil, err
		}
		names, blobs = append(names, name), append(blobs, blob)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return decodeAll(names, blobs, decode)
}

func decodeAll[T any](names []string, blobs [][]byte, decode func([]byte) (T, error)) ([]T, error) {
	records := make([]T, len(blobs))
	errs := make([]error, len(blobs))
	share := max(16, (len(blobs)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	parallel.Each(len(blobs), share, func(from, to int) {
		for i := from; i < to; i++ {
			records[i], errs[i] = decode(blobs[i])
		}
	})
	for i, err := range errs {
		if err != nil {
			return nil, corruptError("A record of the store cannot be read. Restore a backup.", fmt.Errorf("record %q: %w", names[i], err))
		}
	}
	return records, nil
}

// querier is what a connection pool and a transaction share.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func generation(ctx context.Context, q querier) (uint64, error) {
	var n int64
	err := q.QueryRowContext(ctx, `SELECT generation FROM registry`).Scan(&n)
	return uint64(n), err
}

// Generation reads the current generation alone.
func (s *Store) Generation(ctx context.Context) (uint64, error) {
	if err := s.usable(ctx); err != nil {
		return 0, s.failed("generation", err)
	}
	n, err := generation(ctx, s.read)
	return n, s.failed("generation", err)
}

// Commit applies a change as a whole, drops first, and gives the new
// generation. It returns after the disk has confirmed.
func (s *Store) Commit(ctx context.Context, expect uint64, change interlock.Change) (uint64, error) {
	puts, err := encodeChange(change)
	if err != nil {
		return 0, s.failed("commit", err)
	}
	err = s.transact(ctx, func(ctx context.Context) error {
		if err := s.advance(ctx, expect); err != nil {
			return err
		}
		return s.apply(ctx, change, puts)
	})
	if err == nil {
		err = s.flush()
	}
	if err != nil {
		return 0, s.failed("commit", err)
	}
	return expect + 1, nil
}

// row is a record ready to be written.
type row struct {
	name string
	blob []byte
}

// changeRows are the puts of a change, encoded before the writer is taken.
type changeRows struct{ sources, tools []row }

func encodeChange(change interlock.Change) (changeRows, error) {
	var puts changeRows
	for _, source := range change.PutSources {
		blob, err := json.Marshal(source)
		if err != nil {
			return puts, fmt.Errorf("encode source %q: %w", source.Config.Name, err)
		}
		puts.sources = append(puts.sources, row{source.Config.Name, blob})
	}
	for _, tool := range change.PutTools {
		blob, err := encodeTool(tool)
		if err != nil {
			return puts, fmt.Errorf("encode tool %q: %w", tool.ID, err)
		}
		puts.tools = append(puts.tools, row{tool.ID, blob})
	}
	return puts, nil
}

// advance moves the generation from expect to the next, or refuses.
func (s *Store) advance(ctx context.Context, expect uint64) error {
	if expect < math.MaxInt64 {
		done, err := s.writer.conn.ExecContext(ctx, `UPDATE registry SET generation = generation + 1 WHERE generation = ?`, int64(expect))
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 1 {
			return err
		}
	}
	return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonConflict, Stage: stage,
		Public: "The registry moved while the change was prepared. Load it again and repeat the change."}
}

func (s *Store) apply(ctx context.Context, change interlock.Change, puts changeRows) error {
	for _, each := range []struct {
		drop, put string
		names     []string
		rows      []row
	}{
		{`DELETE FROM sources WHERE name = ?`, `INSERT INTO sources (name, record) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET record = excluded.record`, change.DropSources, puts.sources},
		{`DELETE FROM tools WHERE id = ?`, `INSERT INTO tools (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record`, change.DropTools, puts.tools},
	} {
		if err := s.execEach(ctx, each.drop, len(each.names), func(i int) []any { return []any{each.names[i]} }); err != nil {
			return err
		}
		if err := s.execEach(ctx, each.put, len(each.rows), func(i int) []any { return []any{each.rows[i].name, each.rows[i].blob} }); err != nil {
			return err
		}
	}
	return nil
}

// execEach runs one statement n times on the writer.
func (s *Store) execEach(ctx context.Context, text string, n int, args func(int) []any) error {
	if n == 0 {
		return nil
	}
	stmt, err := s.writer.conn.PrepareContext(ctx, text)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i := range n {
		if _, err := stmt.ExecContext(ctx, args(i)...); err != nil {
			return err
		}
	}
	return nil
}

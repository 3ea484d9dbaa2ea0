package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	driver "modernc.org/sqlite"
)

// pageSize is SQLite's own default, stated because MaxBytes is counted in it.
const pageSize = 4096

// walPages is the length of the write-ahead log at which a writer stops to
// empty it himself; the checkpointer keeps it far shorter in ordinary times.
const walPages = 16384

// rowsAtOnce is how many rows of the log one statement takes where a batch is
// long: the way to SQLite and back costs more than the row.
const rowsAtOnce = 32

// openDB opens a pool of connections on the file. Every connection syncs at
// checkpoints (synchronous=normal), which is what makes the reuse of the
// write-ahead log safe; commits are synced by Store.flush.
func openDB(path, extra string) (*sql.DB, error) {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	uri := url.URL{Scheme: "file", Path: slashed, RawQuery: strings.Join([]string{
		"_pragma=busy_timeout(5000)", "_pragma=synchronous(normal)", "_pragma=checkpoint_fullfsync(1)",
		"_pragma=temp_store(memory)", "_pragma=trusted_schema(0)", extra}, "&")}
	connector, err := driver.NewConnector(uri.String())
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// writer is the one connection that writes, with its statements prepared.
type writer struct {
	conn                    *sql.Conn
	begin, commit, rollback *sql.Stmt
	append, head            *sql.Stmt
	many                    *sql.Stmt // appends rowsAtOnce rows
	prepared                []*sql.Stmt
}

func newWriter(ctx context.Context, db *sql.DB, maxBytes int64) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{conn: conn}
	if err := w.prepare(ctx, maxBytes); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

func (w *writer) prepare(ctx context.Context, maxBytes int64) error {
	pragmas := []string{fmt.Sprintf("PRAGMA wal_autocheckpoint(%d)", walPages), "PRAGMA cache_size(-16384)"}
	if maxBytes > 0 {
		pragmas = append(pragmas, fmt.Sprintf("PRAGMA max_page_count(%d)", (maxBytes+pageSize-1)/pageSize))
	}
	for _, pragma := range pragmas {
		if _, err := w.conn.ExecContext(ctx, pragma); err != nil {
			return err
		}
	}
	for _, each := range []struct {
		into **sql.Stmt
		text string
	}{
		{&w.begin, `BEGIN IMMEDIATE`}, {&w.commit, `COMMIT`}, {&w.rollback, `ROLLBACK`},
		{&w.append, `INSERT INTO log (idx, type, digest, hashes, body) VALUES (?, ?, ?, ?, ?)`},
		{&w.many, `INSERT INTO log (idx, type, digest, hashes, body) VALUES (?, ?, ?, ?, ?)` + strings.Repeat(`, (?, ?, ?, ?, ?)`, rowsAtOnce-1)},
		{&w.head, `UPDATE log_head SET size = ?, checkpoint = ?`},
	} {
		stmt, err := w.conn.PrepareContext(ctx, each.text)
		if err != nil {
			return err
		}
		*each.into, w.prepared = stmt, append(w.prepared, stmt)
	}
	return nil
}

func (w *writer) close() error {
	var errs []error
	for _, stmt := range w.prepared {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, w.conn.Close())...)
}

// transact runs do between BEGIN and COMMIT. Where anything fails the whole is
// rolled back. It is not interrupted half-way: ctx has been asked before.
func (w *writer) transact(ctx context.Context, do func(context.Context) error) error {
	if _, err := w.begin.ExecContext(ctx); err != nil {
		return err
	}
	err := do(ctx)
	if err == nil {
		_, err = w.commit.ExecContext(ctx)
	}
	if err != nil {
		// On some failures SQLite has rolled back by itself, and this one
		// reports that there is nothing to do.
		_, _ = w.rollback.ExecContext(ctx)
	}
	return err
}

// transact takes the writer's turn and runs do in one transaction.
func (s *Store) transact(ctx context.Context, do func(context.Context) error) error {
	if err := s.takeTurn(ctx); err != nil {
		return err
	}
	defer s.endTurn()
	return s.writer.transact(context.WithoutCancel(ctx), do)
}

// takeTurn waits for the writer. A context that is over gets no turn.
func (s *Store) takeTurn(ctx context.Context) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	select {
	case <-s.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing.Done():
		return errClosed
	}
}

// endTurn hands the writer on and wakes the checkpointer where there is much to
// move.
func (s *Store) endTurn() {
	s.turn <- struct{}{}
	if s.commits.Add(1) >= checkpointEvery {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}

// usable reports why nothing may begin.
func (s *Store) usable(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.closing.Err() != nil {
		return errClosed
	}
	return nil
}

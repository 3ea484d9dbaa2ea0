package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/seed-ae386458/interlock"
)

// applicationID marks the file as a store of Interlock ("INTL").
const applicationID = 0x494e544c

// steps are the migrations in order; a store's schema version is the number of
// steps it has taken. A step that has been released is never edited.
func steps() []string {
	return []string{stepOne, stepBehavior, stepRetention, stepPolicies, stepApprovals}
}

// stepOne makes the tables.
//
// log keeps one row an entry; hashes holds the hashes of the tree that the entry
// completes, lowest level first, so that an entry is never there without them.
// log_head holds the last checkpoint alone: were the earlier ones kept, a log
// whose end was cut off would still verify.
const stepOne = `
CREATE TABLE registry (one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL);
INSERT INTO registry VALUES (1, 0);
CREATE TABLE sources (name TEXT NOT NULL UNIQUE, record BLOB NOT NULL);
CREATE TABLE tools (id TEXT NOT NULL UNIQUE, record BLOB NOT NULL);
CREATE TABLE vectors (embedder TEXT NOT NULL, key TEXT NOT NULL, vector BLOB NOT NULL, UNIQUE (embedder, key));
CREATE TABLE approvals (
	id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, principal TEXT NOT NULL, tool TEXT NOT NULL, effect TEXT NOT NULL,
	state TEXT NOT NULL, decided_by TEXT NOT NULL, asked TEXT NOT NULL, expires TEXT NOT NULL);
CREATE TABLE log (
	idx INTEGER PRIMARY KEY, type TEXT NOT NULL, digest TEXT NOT NULL, hashes BLOB NOT NULL, body BLOB NOT NULL);
CREATE TABLE log_head (one INTEGER PRIMARY KEY CHECK (one = 1), size INTEGER NOT NULL, checkpoint TEXT NOT NULL);
INSERT INTO log_head VALUES (1, 0, '');
`

// stepBehavior adds what is known of tools' behaviour: one row a tool, and up
// to where in the log.
const stepBehavior = `
CREATE TABLE behavior (tool TEXT NOT NULL UNIQUE, state BLOB NOT NULL);
CREATE TABLE behavior_head (one INTEGER PRIMARY KEY CHECK (one = 1), applied INTEGER NOT NULL);
INSERT INTO behavior_head VALUES (1, 0);
`

// checkFormat refuses a file that is not ours to write, before anything in it
// is changed: no database, another program's, or a newer store.
func checkFormat(ctx context.Context, db *sql.DB, path string, known int) error {
	var id, version, tables int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return err
	}
	for _, each := range []struct {
		pragma string
		into   *int
	}{{`PRAGMA application_id`, &id}, {`PRAGMA user_version`, &version}} {
		if err := db.QueryRowContext(ctx, each.pragma).Scan(each.into); err != nil {
			return err
		}
	}
	switch {
	case id == 0 && version == 0 && tables == 0:
		return nil
	case id != applicationID:
		return corruptError(fmt.Sprintf("The file %s is a database of another program. Name another file for the store.", path), nil)
	case version > known:
		return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonStoreNewer, Stage: stage,
			Public: fmt.Sprintf("The store %s has schema version %d, and this program knows versions up to %d. Use the newer program, or restore a backup.", path, version, known)}
	}
	return nil
}

// enterWAL puts the file into write-ahead mode, which it keeps.
func enterWAL(ctx context.Context, db *sql.DB) error {
	var mode string
	if err := db.QueryRowContext(ctx, `PRAGMA journal_mode(wal)`).Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("the file system of the store does not allow write-ahead mode (it stays %q)", mode)
	}
	return nil
}

// migrate takes the steps that the store has not taken, each with its version
// in one transaction. A store that holds anything is copied first.
func migrate(ctx context.Context, db *sql.DB, path string, steps []string, logger *slog.Logger) error {
	var version int
	if err := db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil {
		return err
	}
	if version == len(steps) {
		return nil
	}
	if version > 0 {
		saved, err := copyBefore(ctx, db, path, version)
		if err != nil {
			return err
		}
		logger.Info("the store was copied before it is migrated", "copy", saved, "from", version, "to", len(steps))
	}
	for ; version < len(steps); version++ {
		if err := takeStep(ctx, db, steps[version], version+1); err != nil {
			return fmt.Errorf("migrate from version %d to %d: %w", version, version+1, err)
		}
	}
	return nil
}

func takeStep(ctx context.Context, db *sql.DB, step string, version int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s;\nPRAGMA application_id = %d; PRAGMA user_version = %d;", step, applicationID, version)
	if _, err := tx.ExecContext(ctx, text); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// copyBefore copies the store to a name of its own that tells its version, and
// gives the name. An earlier copy is never written over.
func copyBefore(ctx context.Context, db *sql.DB, path string, version int) (string, error) {
	for n := 0; n < 1000; n++ {
		name := fmt.Sprintf("%s.version-%d", path, version)
		if n > 0 {
			name = fmt.Sprintf("%s.%d", name, n)
		}
		err := copyTo(ctx, db, name)
		if !errors.Is(err, os.ErrExist) {
			return name, err
		}
	}
	return "", fmt.Errorf("too many copies of version %d beside %s; remove some", version, path)
}

// copyTo writes a consistent copy of the database to a new file of mode 0600.
func copyTo(ctx context.Context, db *sql.DB, name string) error {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, name); err != nil {
		return errors.Join(err, file.Close(), os.Remove(name))
	}
	return errors.Join(file.Sync(), file.Close())
}

// Copy writes a consistent copy of the live store to a new file, which must not
// exist; nobody is kept from writing meanwhile.
func (s *Store) Copy(ctx context.Context, name string) error {
	if err := s.usable(ctx); err != nil {
		return s.failed("copy", err)
	}
	db, err := openDB(s.path, "")
	if err != nil {
		return s.failed("copy", err)
	}
	return s.failed("copy", errors.Join(copyTo(ctx, db, name), db.Close()))
}

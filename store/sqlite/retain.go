package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/seed-ae386458/interlock"
)

// stepRetention makes room for retention and witnesses. log_floor holds the index of
// the first entry that is kept; log_tiles the hashes of those before it, in
// tiles of up to 256; log_witness the checkpoints that witnesses have signed.
const stepRetention = `
CREATE TABLE log_floor (one INTEGER PRIMARY KEY CHECK (one = 1), floor INTEGER NOT NULL);
INSERT INTO log_floor VALUES (1, 0);
CREATE TABLE log_tiles (level INTEGER NOT NULL, n INTEGER NOT NULL, hashes BLOB NOT NULL, PRIMARY KEY (level, n)) WITHOUT ROWID;
CREATE TABLE log_witness (size INTEGER PRIMARY KEY, checkpoint TEXT NOT NULL);
`

// LogFloor is the index of the first entry that is kept.
func (s *Store) LogFloor(ctx context.Context) (int64, error) {
	if err := s.usable(ctx); err != nil {
		return 0, s.failed("read the floor of the log", err)
	}
	var floor int64
	err := s.read.QueryRowContext(ctx, `SELECT floor FROM log_floor`).Scan(&floor)
	return floor, s.failed("read the floor of the log", err)
}

// PruneLog drops the entries below a floor and keeps tiles in their place.
func (s *Store) PruneLog(ctx context.Context, prune interlock.LogPrune) error {
	err := s.transact(ctx, func(ctx context.Context) error {
		var floor, size int64
		if err := s.writer.conn.QueryRowContext(ctx, `SELECT floor, size FROM log_floor, log_head`).Scan(&floor, &size); err != nil {
			return err
		}
		if prune.Floor <= floor || prune.Floor > size {
			return gapError(fmt.Sprintf("a floor of %d where the log has entries %d to %d", prune.Floor, floor, size))
		}
		for _, tile := range prune.Tiles {
			if _, err := s.writer.conn.ExecContext(ctx, `INSERT OR REPLACE INTO log_tiles VALUES (?, ?, ?)`, tile.Level, tile.N, notNil(tile.Hashes)); err != nil {
				return err
			}
		}
		if _, err := s.writer.conn.ExecContext(ctx, `DELETE FROM log WHERE idx < ?`, prune.Floor); err != nil {
			return err
		}
		_, err := s.writer.conn.ExecContext(ctx, `UPDATE log_floor SET floor = ?`, prune.Floor)
		return err
	})
	return s.failed("prune log", err)
}

// LogTile reads a tile that PruneLog kept. One that is not there is
// ReasonLogInvalid.
func (s *Store) LogTile(ctx context.Context, level int, n int64) ([]byte, error) {
	if err := s.usable(ctx); err != nil {
		return nil, s.failed("read tile", err)
	}
	var hashes []byte
	err := s.read.QueryRowContext(ctx, `SELECT hashes FROM log_tiles WHERE level = ? AND n = ?`, level, n).Scan(&hashes)
	if errors.Is(err, sql.ErrNoRows) {
		err = damaged(fmt.Errorf("tile %d of level %d is missing", n, level))
	}
	return hashes, s.failed("read tile", err)
}

// PutLogWitness keeps a checkpoint with the signatures of witnesses.
func (s *Store) PutLogWitness(ctx context.Context, size int64, text string) error {
	err := s.transact(ctx, func(ctx context.Context) error {
		_, err := s.writer.conn.ExecContext(ctx, `INSERT OR REPLACE INTO log_witness VALUES (?, ?)`, size, text)
		return err
	})
	if err == nil {
		err = s.flush()
	}
	return s.failed("keep a witness's signature", err)
}

// LogWitnesses reads up to limit witnessed checkpoints, the largest first.
func (s *Store) LogWitnesses(ctx context.Context, limit int) ([]interlock.LogWitness, error) {
	list, err := s.logWitnesses(ctx, limit)
	return list, s.failed("read witnesses", err)
}

func (s *Store) logWitnesses(ctx context.Context, limit int) ([]interlock.LogWitness, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx, `SELECT size, checkpoint FROM log_witness ORDER BY size DESC LIMIT ?`, max(0, limit))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []interlock.LogWitness
	for rows.Next() {
		var w interlock.LogWitness
		if err := rows.Scan(&w.Size, &w.Text); err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	return list, rows.Err()
}

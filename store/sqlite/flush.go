package sqlite

import (
	"context"
	"fmt"
)

// checkpointEvery is how many commits go into the write-ahead log before the
// checkpointer moves them into the database.
const checkpointEvery = 1000

// flush makes every committed transaction safe against loss of power. What was
// committed is either in the write-ahead log, which is synced here, or was
// moved into the database by a checkpoint, which synced both files. A failed
// sync is remembered: the system may have dropped the pages and would report
// the next sync as good.
func (s *Store) flush() error {
	if failed := s.unflushed.Load(); failed != nil {
		return *failed
	}
	if err := syncData(s.wal); err != nil {
		err = fmt.Errorf("flush %s: %w", s.wal.Name(), err)
		s.unflushed.CompareAndSwap(nil, &err)
		return err
	}
	return nil
}

// checkpointer moves the write-ahead log into the database in the background,
// so that no writer has to wait for it.
func (s *Store) checkpointer() {
	for {
		select {
		case <-s.closing.Done():
			return
		case <-s.wake:
		}
		s.commits.Store(0)
		if err := s.checkpoint(s.closing); err != nil && s.closing.Err() == nil {
			s.logger.Warn("the write-ahead log could not be moved into the store; it is tried again", "err", err)
		}
	}
}

// checkpoint moves what can be moved without waiting for anyone.
func (s *Store) checkpoint(ctx context.Context) error {
	_, err := s.read.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`)
	return err
}

// FlushLog makes everything appended so far safe against loss of power. It
// keeps nobody from writing meanwhile.
func (s *Store) FlushLog(ctx context.Context) error {
	if err := s.usable(ctx); err != nil {
		return s.failed("flush log", err)
	}
	return s.failed("flush log", s.flush())
}

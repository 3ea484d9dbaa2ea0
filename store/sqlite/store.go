package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-ae386458/interlock"
)

// Options adjusts a store; the zero value is a good one.
type Options struct {
	// LockWait is how long to wait for another process to let the store go;
	// zero means not at all.
	LockWait time.Duration
	// MaxBytes bounds the size of the database file, rounded up to whole
	// pages; a write that would pass it gives ReasonStoreFull. Zero means no
	// bound. The write-ahead log beside the file comes on top.
	MaxBytes int64
	// Logger hears of migrations and of trouble in the background; nil is
	// silence.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Store is an open store. It is safe for concurrent use.
type Store struct {
	path   string
	logger *slog.Logger
	lock   *fileLock
	read   *sql.DB // many connections, none may write
	write  *sql.DB // the one connection of writer
	wal    *os.File

	turn   chan struct{} // holds one token: whoever has it may use writer
	writer *writer       // guarded by turn
	next   int64         // index of the next log entry; guarded by turn

	unflushed atomic.Pointer[error] // the first failed flush; nothing is acknowledged after it
	commits   atomic.Int64          // since the last checkpoint of the WAL
	wake      chan struct{}         // asks the checkpointer to work

	closing context.Context
	close   context.CancelFunc
	workers sync.WaitGroup
	closed  sync.Once
}

var _ interlock.Store = (*Store)(nil)

// errClosed is what a closed store answers.
var errClosed = errors.New("the store is closed")

// Open opens the store at path and makes it where there is none. It waits up to
// opts.LockWait for another process, migrates an older store after copying it,
// and refuses a newer one.
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	return open(ctx, path, opts, steps())
}

// open is Open with the list of migrations given.
func open(ctx context.Context, path string, opts Options, steps []string) (_ *Store, err error) {
	opts = opts.withDefaults()
	path, err = realPath(path)
	if err != nil {
		return nil, openError(path, err)
	}
	lock, err := lockFile(ctx, path, opts.LockWait)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, logger: opts.Logger, lock: lock, turn: make(chan struct{}, 1), wake: make(chan struct{}, 1)}
	s.closing, s.close = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			_ = s.release() // err says what failed first
		}
	}()
	if err := s.connect(ctx, opts, steps); err != nil {
		return nil, openError(path, err)
	}
	s.turn <- struct{}{}
	s.workers.Go(s.checkpointer)
	return s, nil
}

// realPath makes a path absolute and follows links, so that one file has one
// lock whatever it is called.
func realPath(path string) (string, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return path, err
	}
	if real, err := filepath.EvalSymlinks(whole); err == nil {
		return real, nil
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(whole))
	if err != nil {
		return whole, err
	}
	return filepath.Join(dir, filepath.Base(whole)), nil
}

// connect opens the database and everything that hangs on it.
func (s *Store) connect(ctx context.Context, opts Options, steps []string) error {
	if err := createPrivate(s.path); err != nil {
		return err
	}
	var err error
	if s.write, err = openDB(s.path, "_txlock=immediate"); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	if err := checkFormat(ctx, s.write, s.path, len(steps)); err != nil {
		return err
	}
	if err := s.prepareFile(ctx, steps); err != nil {
		return err
	}
	if s.writer, err = newWriter(ctx, s.write, opts.MaxBytes); err != nil {
		return err
	}
	if s.read, err = openDB(s.path, "_pragma=query_only(1)"); err != nil {
		return err
	}
	s.read.SetMaxOpenConns(4 + 2*runtime.GOMAXPROCS(0))
	s.read.SetMaxIdleConns(4 + 2*runtime.GOMAXPROCS(0))
	if s.wal, err = os.OpenFile(s.path+"-wal", os.O_RDWR, 0o600); err != nil {
		return err
	}
	return s.read.QueryRowContext(ctx, `SELECT size FROM log_head`).Scan(&s.next)
}

// prepareFile brings the schema up to date and makes what was done so far safe.
func (s *Store) prepareFile(ctx context.Context, steps []string) error {
	if err := enterWAL(ctx, s.write); err != nil {
		return err
	}
	if err := migrate(ctx, s.write, s.path, steps, s.logger); err != nil {
		return err
	}
	return syncDir(filepath.Dir(s.path))
}

// createPrivate makes the file with mode 0600 where there is none, and takes
// the rights of others from one that is there. The files that SQLite puts
// beside it have the same mode.
func createPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: stage,
			Public: fmt.Sprintf("The store %s is a directory or another thing that is no file. Name a file.", path)}
	}
	if info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(path, 0o600)
	}
	return nil
}

// Path gives the whole path of the database file.
func (s *Store) Path() string { return s.path }

// Close waits for the write that is under way, makes everything safe on the
// disk and lets the store go. Closing again does nothing.
func (s *Store) Close() error {
	var err error
	s.closed.Do(func() {
		s.close()
		<-s.turn // for good: no writer comes after
		s.workers.Wait()
		err = errors.Join(s.flush(), s.release())
	})
	return err
}

// release frees whatever is open, in the order that lets SQLite tidy up.
func (s *Store) release() error {
	s.close()
	var errs []error
	if s.wal != nil {
		errs = append(errs, s.wal.Close())
	}
	if s.read != nil {
		errs = append(errs, s.read.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	if s.write != nil {
		errs = append(errs, s.write.Close())
	}
	return errors.Join(append(errs, s.lock.release())...)
}

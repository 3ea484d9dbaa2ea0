package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
)

// lockPause is how long a waiting process sleeps between two attempts.
const lockPause = 10 * time.Millisecond

// errHeld is what tryLock answers while another process holds the lock.
var errHeld = errors.New("held by another process")

// fileLock is the advisory lock beside a store. The system lets it go when the
// process ends, however it ends. The file stays: removing it would let two
// processes lock two files of one name.
type fileLock struct{ file *os.File }

// lockFile takes the lock of the store at path, waiting up to wait for whoever
// holds it.
func lockFile(ctx context.Context, path string, wait time.Duration) (*fileLock, error) {
	file, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, openError(path, err)
	}
	if err := awaitLock(ctx, file, wait); err != nil {
		holder := holderOf(file)
		_ = file.Close()
		if errors.Is(err, errHeld) {
			return nil, lockedError(path, holder)
		}
		return nil, openError(path, err)
	}
	lock := &fileLock{file: file}
	if err := lock.sign(strconv.Itoa(os.Getpid()) + "\n"); err != nil {
		return nil, openError(path, errors.Join(err, lock.release()))
	}
	return lock, nil
}

func awaitLock(ctx context.Context, file *os.File, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		err := tryLock(file)
		if !errors.Is(err, errHeld) || wait <= 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return tryLock(file)
		case <-time.After(lockPause):
		}
	}
}

// sign writes who holds the lock, for the message that others get. A disk too
// full for it takes nothing from the lock itself.
func (l *fileLock) sign(text string) error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	if _, err := l.file.WriteAt([]byte(text), 0); err != nil && !isFull(err) {
		return err
	}
	return nil
}

func (l *fileLock) release() error {
	return errors.Join(l.file.Truncate(0), l.file.Close())
}

// holderOf reads the process number out of a lock file; empty where it is not
// (yet) there.
func holderOf(file *os.File) string {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, 32))
	if err != nil {
		return ""
	}
	pid := strings.TrimSpace(string(text))
	if _, err := strconv.Atoi(pid); err != nil {
		return ""
	}
	return pid
}

func lockedError(path, holder string) error {
	who := "another process"
	if holder != "" {
		who = "process " + holder
	}
	return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonStoreLocked, Stage: stage,
		Public: fmt.Sprintf("The store %s is held by %s. Speak to the running server, or stop it.", path, who)}
}

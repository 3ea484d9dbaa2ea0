package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/seed-ae386458/interlock"
)

// stage is where the errors of this package are decided.
const stage = "store"

// failed gives an error of an operation its reason. Callers see nothing of the
// path; the cause has it.
func (s *Store) failed(op string, err error) error {
	var known *interlock.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errClosed):
		return fmt.Errorf("store: %s: %w", op, err)
	}
	cause := fmt.Errorf("%s %s: %w", op, s.path, err)
	switch classify(err) {
	case lib.SQLITE_FULL:
		return &interlock.Error{Code: interlock.CodeExhausted, Reason: interlock.ReasonStoreFull, Stage: stage,
			Public: "The disk of the store is full; nothing was changed. Free space, then repeat.", Err: cause}
	case lib.SQLITE_CORRUPT:
		return corruptError("The store cannot be read. Restore a backup.", cause)
	case lib.SQLITE_BUSY:
		return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonStoreLocked, Stage: stage,
			Public: "Another program uses the store's file. Stop it, then repeat.", Err: cause}
	}
	return fmt.Errorf("store: %w", cause)
}

// classify reduces an error to FULL, CORRUPT, BUSY, or 0 for anything else.
func classify(err error) int {
	if isFull(err) {
		return lib.SQLITE_FULL
	}
	var sqlite *driver.Error
	if !errors.As(err, &sqlite) {
		return 0
	}
	switch code := sqlite.Code(); {
	case code&0xff == lib.SQLITE_FULL, code == lib.SQLITE_IOERR_SHMSIZE:
		return lib.SQLITE_FULL
	case code&0xff == lib.SQLITE_CORRUPT, code&0xff == lib.SQLITE_NOTADB:
		return lib.SQLITE_CORRUPT
	case code&0xff == lib.SQLITE_BUSY, code&0xff == lib.SQLITE_LOCKED:
		return lib.SQLITE_BUSY
	}
	return 0
}

// openError gives a failure to open its reason; it is the operator's to read,
// so it names the path.
func openError(path string, err error) error {
	var known *interlock.Error
	if errors.As(err, &known) {
		return err
	}
	cause := fmt.Errorf("open store %s: %w", path, err)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: stage,
			Public: fmt.Sprintf("The store %s cannot be opened: its directory is missing or this user may not write there. Make the directory, or name another file.", path), Err: cause}
	}
	switch classify(err) {
	case lib.SQLITE_FULL:
		return &interlock.Error{Code: interlock.CodeExhausted, Reason: interlock.ReasonStoreFull, Stage: stage,
			Public: fmt.Sprintf("The disk of the store %s is full. Free space, then start again.", path), Err: cause}
	case lib.SQLITE_CORRUPT:
		return corruptError(fmt.Sprintf("The file %s is no store of Interlock, or is damaged. Name another file, or restore a backup.", path), cause)
	case lib.SQLITE_BUSY:
		return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonStoreLocked, Stage: stage,
			Public: fmt.Sprintf("Another program uses the file of the store %s. Stop it.", path), Err: cause}
	}
	return cause
}

func corruptError(public string, cause error) error {
	return &interlock.Error{Code: interlock.CodeInternal, Reason: interlock.ReasonStoreCorrupt, Stage: stage, Public: public, Err: cause}
}

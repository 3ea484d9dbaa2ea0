//go:build unix

package receipt

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// tooOpen reports whether anyone but the owner has a right to the file.
func tooOpen(mode fs.FileMode) bool { return mode.Perm()&0o077 != 0 }

// syncDir makes the names in a directory safe.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // a file system whose directories cannot be synced
	}
	return errors.Join(err, dir.Close())
}

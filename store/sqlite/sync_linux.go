package sqlite

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData waits until the disk has the contents of the file, and its length
// where that changed.
func syncData(file *os.File) error {
	for {
		if err := unix.Fdatasync(int(file.Fd())); err != unix.EINTR {
			return err
		}
	}
}

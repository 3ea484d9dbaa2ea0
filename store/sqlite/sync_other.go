//go:build !linux

package sqlite

import "os"

// syncData waits until the disk has the contents of the file.
func syncData(file *os.File) error { return file.Sync() }

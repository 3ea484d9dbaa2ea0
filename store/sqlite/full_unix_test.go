//go:build unix

package sqlite

import "syscall"

func fullError() error { return syscall.ENOSPC }

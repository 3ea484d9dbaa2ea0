package sqlite

import "golang.org/x/sys/windows"

func fullError() error { return windows.ERROR_DISK_FULL }

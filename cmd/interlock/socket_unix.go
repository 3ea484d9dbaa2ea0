//go:build unix

package main

import (
	"net"
	"os"
	"syscall"
)

// listenPrivate listens on a socket that nobody else may open, from its first
// moment on.
func listenPrivate(path string) (net.Listener, error) {
	old := syscall.Umask(0o177)
	lis, err := net.Listen("unix", path)
	syscall.Umask(old)
	if err != nil {
		return nil, err
	}
	return lis, os.Chmod(path, 0o600)
}

// ours reports whether what is at path belongs to this user or to the owner of
// the store.
func ours(store, path string) bool {
	owner, ok := ownerOf(path)
	if !ok || owner == os.Geteuid() {
		return ok
	}
	stores, ok := ownerOf(store)
	return ok && owner == stores
}

func ownerOf(path string) (int, bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

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

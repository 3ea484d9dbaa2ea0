package mcp

import "syscall"

// processGroup puts a child into a group of its own, and has the kernel end it
// with us even where we are killed.
func processGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

//go:build unix && !linux

package mcp

import "syscall"

// processGroup puts a child into a group of its own.
func processGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

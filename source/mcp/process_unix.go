//go:build unix

package mcp

import (
	"io/fs"
	"os"
	"syscall"
)

// executableSuffixes are tried after a command's name.
var executableSuffixes = [...]string{""}

func isExecutable(info fs.FileInfo) bool { return info.Mode().IsRegular() && info.Mode()&0o111 != 0 }

func terminateGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

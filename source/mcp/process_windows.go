package mcp

import (
	"io/fs"
	"os"
	"syscall"
)

// executableSuffixes are tried after a command's name.
var executableSuffixes = [...]string{"", ".exe", ".cmd", ".bat"}

func isExecutable(info fs.FileInfo) bool { return info.Mode().IsRegular() }

func processGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// terminateGroup has no gentle form here: the input is closed already.
func terminateGroup(p *os.Process) { _ = p.Kill() }

func killGroup(int) {}

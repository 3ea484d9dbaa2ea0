package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary stand in for the program: a script that runs
// `interlock` runs this code, as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(cleaned{m}, map[string]func(){"interlock": program})
}

// program is main, by another door.
func program() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], process{in: os.Stdin, out: os.Stdout, err: os.Stderr, lookup: os.LookupEnv}))
}

// cleaned gives the built program a folder, and removes it once every test has
// run.
type cleaned struct{ *testing.M }

func (c cleaned) Run() int {
	dir, err := os.MkdirTemp("", "interlock-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder of our own
	if err := os.Setenv(buildVar, dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return c.M.Run()
}

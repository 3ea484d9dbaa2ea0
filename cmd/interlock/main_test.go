package main

import (
	"context"
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

// cleaned removes the built program once every test has run.
type cleaned struct{ *testing.M }

func (c cleaned) Run() int {
	defer os.RemoveAll(buildDir) //nolint:errcheck // a temporary folder of our own
	return c.M.Run()
}

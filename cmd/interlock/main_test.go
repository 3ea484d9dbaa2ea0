package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-ae386458/interlock/internal/surface/wire"
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

// TestArgumentsAreUTF8 holds the command line to what it can carry: a byte
// that is no UTF-8 is refused, not turned into another character.
func TestArgumentsAreUTF8(t *testing.T) {
	for _, args := range [][]string{
		{"call", "docs/echo", "--args", "{\"a\":\"\xff\"}"},
		{"resolve", "caf\xe9"},
	} {
		var out, errs strings.Builder
		p := process{in: strings.NewReader(""), out: &out, err: &errs, lookup: func(string) (string, bool) { return "", false }}
		if code := run(t.Context(), args, p); code != wire.ExitUsage || !strings.Contains(errs.String(), "is not UTF-8") {
			t.Errorf("%q: exit %d, %s%s", args, code, out.String(), errs.String())
		}
	}
}

// Command interlock is Interlock: it registers tools as typed contracts, finds
// the right ones for a need or refuses honestly, and makes calls that hold at
// the last moment. Run it without arguments for help.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// version is set when a release is built.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], process{in: os.Stdin, out: os.Stdout, err: os.Stderr, lookup: os.LookupEnv}))
}

// process is the world around a command.
type process struct {
	in       io.Reader
	out, err io.Writer
	lookup   func(name string) (string, bool)
}

// env gives an environment variable; empty where it is not set.
func (p process) env(name string) string {
	text, _ := p.lookup(name)
	return text
}

// app is one command on its way.
type app struct {
	process
	globals
	logger *slog.Logger
	// restored says who put the store back on purpose; see `log restored`.
	restored string
	// begins says that to make a store where there is none is what is asked for.
	begins   bool
	commands *programs
	keyrings *keyrings
}

// exitError carries an exit code for an answer that is already printed.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// run carries out one command line and gives its exit code.
func run(ctx context.Context, args []string, p process) int {
	var grammar cli
	exited := -1
	parser, err := kong.New(&grammar, kong.Name("interlock"), kong.UsageOnError(),
		kong.Description("Tools for agents, found by need, refused honestly, called only while everything holds."),
		kong.Writers(p.out, p.err), kong.Exit(func(code int) { exited = code }), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ExplicitGroups(helpGroups),
		kong.BindTo(ctx, (*context.Context)(nil)))
	if err != nil {
		tell(p.err, "interlock: %v\n", err)
		return wire.ExitFailed
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	if i := slices.IndexFunc(args, func(arg string) bool { return !utf8.ValidString(arg) }); i >= 0 {
		tell(p.err, "interlock: %q is not UTF-8; give such bytes in a file, as @FILE\n", args[i])
		return wire.ExitUsage
	}
	parsed, err := parser.Parse(args)
	if exited >= 0 {
		return exited
	}
	if err != nil {
		return misread(p, err, slices.Contains(args, "--json"))
	}
	a := &app{process: p, commands: &programs{}, keyrings: &keyrings{}, globals: grammar.globals}
	if a.logger, err = newLogger(p.err, a.LogLevel); err != nil {
		return a.report(err)
	}
	return a.report(a.carryOut(parsed, parser))
}

// carryOut runs the command. What breaks it off is reported like any failure.
func (a *app) carryOut(parsed *kong.Context, parser *kong.Kong) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			a.logger.Error("the command panicked", "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			err = wire.Panicked(cause)
		}
	}()
	return parsed.Run(a, parser)
}

// newLogger writes what is logged to the error stream, warnings and worse by
// default.
func newLogger(w io.Writer, level string) (*slog.Logger, error) {
	least := slog.LevelWarn
	if level != "" {
		if err := least.UnmarshalText([]byte(level)); err != nil {
			return nil, usagef("--log-level %q is none of debug, info, warn, error", level)
		}
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: least})), nil
}

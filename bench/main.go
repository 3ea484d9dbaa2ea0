// Command bench measures what Interlock promises of speed and memory, each
// figure beside its baseline in the same run: resolving, what policies cost,
// calling through it against calling directly, starting, and what it holds in
// memory.
//
// It promises that rounds are interleaved and figures are medians, that wrong
// answers are counted and never pass for fast ones, that the noise of the
// machine is stated beside the figures, that it speaks to loopback alone, and
// that it ends by itself and takes its processes along. It judges a figure only
// at the size that its target names.
//
//	go run ./bench [--quick] [--json] [--bin bin/interlock] [--only resolve,policy,call,start,scale]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// command runs the benchmark, or the upstream that it starts itself as.
func command(ctx context.Context, args []string) error {
	if len(args) == 1 && args[0] == upstreamArg {
		return serveUpstream(ctx, os.Stdout)
	}
	opts, err := readFlags(args, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, opts.limit)
	defer cancel()
	report, err := run(ctx, opts, os.Stderr)
	if report == nil {
		return err
	}
	if opts.json {
		return errors.Join(report.writeJSON(os.Stdout), err)
	}
	return errors.Join(report.writeTable(os.Stdout), err)
}

// options of a run.
type options struct {
	quick, json bool
	bin, data   string
	only        []string
	profile     string
	limit       time.Duration
}

func readFlags(args []string, errs io.Writer) (options, error) {
	var o options
	var only string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.BoolVar(&o.quick, "quick", false, "fewer rounds and a smaller catalogue, under a minute")
	flags.BoolVar(&o.json, "json", false, "print one JSON object in the place of the table")
	flags.StringVar(&o.bin, "bin", "", "the program to measure; built when left out")
	flags.StringVar(&o.data, "data", "../shared/data", "folder with tools.jsonl and tasks.jsonl; generated ones take their place where it is absent")
	flags.StringVar(&only, "only", "", "parts to run, of resolve,policy,call,start,scale; all when left out")
	flags.StringVar(&o.profile, "profile", "", "write a CPU profile of the resolving in this process to this file")
	flags.DurationVar(&o.limit, "limit", 10*time.Minute, "the whole run ends after this")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q; see --help", flags.Arg(0))
	}
	for _, name := range strings.FieldsFunc(only, func(r rune) bool { return r == ',' }) {
		if !slices.ContainsFunc(parts(), func(p part) bool { return p.name == name }) {
			return o, fmt.Errorf("--only: there is no part %q", name)
		}
		o.only = append(o.only, name)
	}
	return o, nil
}

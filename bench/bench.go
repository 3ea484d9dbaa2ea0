package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// part is one group of measurements.
type part struct {
	name string
	do   func(*bench, context.Context) error
}

func parts() []part {
	return []part{{"resolve", (*bench).resolve}, {"policy", (*bench).policy}, {"call", (*bench).call}, {"start", (*bench).start}, {"scale", (*bench).scale}}
}

// bench is one run on its way.
type bench struct {
	opts   options
	dir    string // of everything that is written; removed at the end
	bin    string
	say    func(format string, args ...any)
	report *report
	noise  noise
}

// run measures every part that is asked for. It gives what was measured also
// where a part fails.
func run(ctx context.Context, opts options, progress io.Writer) (*report, error) {
	dir, err := os.MkdirTemp("", "interlock-bench-")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder of our own
	b := &bench{opts: opts, dir: dir, report: newReport(opts.quick)}
	b.say = func(format string, args ...any) { fmt.Fprintf(progress, "· "+format+"\n", args...) }
	if err := b.program(ctx); err != nil {
		return nil, err
	}
	b.noise.begin()
	var failed error
	for _, p := range parts() {
		if len(opts.only) > 0 && !slices.Contains(opts.only, p.name) {
			continue
		}
		b.noise.sample()
		if err := p.do(b, ctx); err != nil {
			failed = fmt.Errorf("%s: %w", p.name, err)
			break
		}
	}
	b.noise.sample()
	b.report.Noise = b.noise.end()
	return b.report, failed
}

// program finds or builds the program to measure.
func (b *bench) program(ctx context.Context) error {
	if b.opts.bin != "" {
		path, err := filepath.Abs(b.opts.bin)
		if err != nil {
			return err
		}
		b.bin = path
		_, err = os.Stat(path)
		return err
	}
	b.say("building the program")
	b.bin = filepath.Join(b.dir, "interlock")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.bin, "./cmd/interlock")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build ./cmd/interlock: %w\n%s", err, out)
	}
	return nil
}

// pick gives the number of a full or of a quick run.
func (b *bench) pick(full, quick int) int {
	if b.opts.quick {
		return quick
	}
	return full
}

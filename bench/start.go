package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"time"
)

// startTools is the size of the catalogue that the targets of starting name.
const startTools = 4000

// start measures registering a large catalogue, the way from starting the
// program to its first good answers, and the memory that it then holds.
func (b *bench) start(ctx context.Context) error {
	c, err := b.catalogue(b.pick(startTools, startTools/4))
	if err != nil {
		return err
	}
	b.report.Catalogue = c.what
	size := fmt.Sprintf(", %d tools", c.tools)
	b.say("registering %d tools by their terms", c.tools)
	plain, err := b.add(ctx, filepath.Join(b.dir, "terms.db"), "tools", c.file, "--name", "catalogue", "--embedder", "none")
	if err != nil {
		return err
	}
	b.say("registering %d tools with vectors", c.tools)
	store := filepath.Join(b.dir, "start.db")
	whole, err := b.add(ctx, store, "tools", c.file, "--name", "catalogue")
	if err != nil {
		return err
	}
	b.report.put(figure{Part: "register", Name: "by terms" + size, Value: plain.Seconds(), Unit: "s"})
	b.report.put(figure{Part: "register", Name: "terms and vectors" + size, Value: whole.Seconds(), Unit: "s", Base: plain.Seconds(), BaseName: "by terms"})
	b.noise.sample()
	return b.starts(ctx, store, c, size)
}

// started is what one start showed.
type started struct {
	bare, tools, resolve time.Duration
	ready, asked         float64 // resident memory, MB
}

// starts the program several times; the files are in the system's cache after
// the first.
func (b *bench) starts(ctx context.Context, store string, c catalogue, size string) error {
	n := b.pick(7, 3)
	b.say("starting %d times", n)
	var bare, tools, resolve times
	var ready, asked []float64
	for range n {
		s, err := b.once(ctx, store, c)
		if err != nil {
			return err
		}
		bare, tools, resolve = append(bare, s.bare), append(tools, s.tools), append(resolve, s.resolve)
		ready, asked = append(ready, s.ready), append(asked, s.asked)
	}
	judged := func(t *target) *target { // at the size that the target names alone
		if c.tools < startTools {
			return nil
		}
		return t
	}
	base, baseName := millis(bare.median()), "interlock version"
	b.report.put(figure{Part: "start", Name: "to the first list of tools" + size, Value: millis(tools.median()), Unit: "ms", Base: base, BaseName: baseName, Target: judged(under(1000, "ms"))})
	b.report.put(figure{Part: "start", Name: "to the first resolution" + size, Value: millis(resolve.median()), Unit: "ms", Base: base, BaseName: baseName, Target: judged(under(1000, "ms"))})
	b.report.put(figure{Part: "memory", Name: "resident when ready" + size, Value: median(ready), Unit: "MB", Target: judged(under(250, "MB"))})
	b.report.put(figure{Part: "memory", Name: "resident after 200 resolutions" + size, Value: median(asked), Unit: "MB", Target: judged(under(250, "MB"))})
	return nil
}

// once starts the program, waits until it is ready, asks 200 needs and ends it.
func (b *bench) once(ctx context.Context, store string, c catalogue) (s started, err error) {
	start := time.Now()
	if err := exec.CommandContext(ctx, b.bin, "version").Run(); err != nil {
		return s, fmt.Errorf("interlock version: %w", err)
	}
	s.bare = time.Since(start)
	u, err := b.up(store)
	if err != nil {
		return s, err
	}
	w := newWeb(u)
	defer func() { err = errors.Join(err, w.close()) }()
	if s.tools, s.resolve, err = w.ready(ctx, c.tools); err != nil {
		return s, err
	}
	if s.ready, err = u.resident(); err != nil {
		return s, err
	}
	for _, need := range c.needs[:200] {
		if err := w.ask(ctx, need); err != nil {
			return s, err
		}
	}
	s.asked, err = u.resident()
	return s, err
}

// ready waits for the first good list of tools and the first good resolution,
// and gives how long after the start of the process each came.
func (w *web) ready(ctx context.Context, tools int) (listed, resolved time.Duration, err error) {
	if err := w.until(ctx, func() error { return w.lists(ctx, tools) }); err != nil {
		return 0, 0, err
	}
	listed = time.Since(w.up.started)
	if err := w.until(ctx, func() error { return w.ask(ctx, "show me what is scheduled for tomorrow") }); err != nil {
		return 0, 0, err
	}
	return listed, time.Since(w.up.started), nil
}

// until tries again every two milliseconds while the server comes up.
func (w *web) until(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil {
			return nil
		}
		if gone := w.up.gone(); gone != nil {
			return gone
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// lists holds the list of tools against the number that was registered; a line
// in a hundred may have become a finding.
func (w *web) lists(ctx context.Context, want int) error {
	text, err := w.send(ctx, http.MethodGet, "/v1/tools", nil)
	if err != nil {
		return err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	if len(list) < want*99/100 {
		return fmt.Errorf("%d tools are listed, %d were registered", len(list), want)
	}
	return nil
}

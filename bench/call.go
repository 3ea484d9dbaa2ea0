package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// call measures a call through Interlock against a direct call to the same
// server: three processes, one machine, both eras of the protocol.
func (b *bench) call(ctx context.Context) error {
	direct, stop, err := b.upstream()
	if err != nil {
		return err
	}
	defer stop()
	store := filepath.Join(b.dir, "call.db")
	if _, err := b.add(ctx, store, "mcp", direct, "--name", "upstream", "--trust", "annotations"); err != nil {
		return err
	}
	u, err := b.up(store)
	if err != nil {
		return err
	}
	defer u.stop()
	w := newWeb(u)
	if _, _, err := w.ready(ctx, 1); err != nil {
		return err
	}
	for _, era := range []string{sessionEra, statelessEra} {
		if err := b.compare(ctx, era, direct, u.url+"/mcp"); err != nil {
			return fmt.Errorf("protocol %s: %w", era, err)
		}
		b.noise.sample()
	}
	return nil
}

// upstream starts the server that both ways call, as a process of its own.
func (b *bench) upstream() (url string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	out, in := io.Pipe()
	p, err := b.launch(in, self, upstreamArg)
	if err != nil {
		return "", nil, err
	}
	go func() {
		<-p.ended
		_ = in.Close() // a pipe in memory; whoever still reads sees its end
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.stop()
		return "", nil, fmt.Errorf("upstream: no address came: %w", p.gone())
	}
	return "http://" + strings.TrimSpace(line) + "/mcp", p.stop, nil
}

// side is one way to the tool.
type side struct {
	name string
	url  string
	// prepare gives what a client then calls again and again.
	prepare func(ctx context.Context, c *client) (tool string, args []byte, err error)
	expect  string

	lone  times     // latencies of one caller
	crowd times     // of sixteen
	rate  []float64 // calls a second of sixteen callers, a round each
	wrong atomic.Int64
	first atomic.Pointer[error]
}

const (
	message = "seven small stones"
	callers = 16
)

func sides(direct, through string) []*side {
	args := fmt.Appendf(nil, `{"message":%q}`, message)
	return []*side{
		{name: "direct", url: direct, expect: message, prepare: func(context.Context, *client) (string, []byte, error) { return "echo", args, nil }},
		{name: "through Interlock", url: through, expect: message, prepare: func(ctx context.Context, c *client) (string, []byte, error) {
			offer, err := findEcho(ctx, c)
			return "call_tool", fmt.Appendf(nil, `{"offer":%q,"args":%s}`, offer, args), err
		}},
	}
}

// findEcho asks for the tool by need and gives its offer.
func findEcho(ctx context.Context, c *client) (string, error) {
	raw, err := c.call(ctx, "find_tools", []byte(`{"need":"give back the message that was sent","have":["message"]}`), "offer")
	if err != nil {
		return "", err
	}
	var found struct {
		Candidates []struct{ Tool, Offer string }
	}
	if err := json.Unmarshal(raw, &found); err != nil {
		return "", err
	}
	if len(found.Candidates) == 0 || found.Candidates[0].Tool != "upstream/echo" {
		return "", fmt.Errorf("find_tools does not lead to upstream/echo: %.300s", raw)
	}
	return found.Candidates[0].Offer, nil
}

// compare measures both ways in turn, round by round, so that what the machine
// does meanwhile meets both.
func (b *bench) compare(ctx context.Context, era, direct, through string) error {
	rounds := b.pick(6, 2)
	b.say("calling in %d rounds, protocol %s", rounds, era)
	both := sides(direct, through)
	var disk times
	for range rounds {
		for _, s := range both {
			lone, _, err := s.drive(ctx, era, 1, b.pick(500, 200))
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			crowd, took, err := s.drive(ctx, era, callers, b.pick(2400, 800))
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.lone, s.crowd = append(s.lone, lone...), append(s.crowd, crowd...)
			s.rate = append(s.rate, float64(len(crowd))/took.Seconds())
		}
		flushed, err := flushes(b.dir, b.pick(20, 10))
		if err != nil {
			return err
		}
		disk = append(disk, flushed...)
	}
	b.putCalls(era, both[0], both[1], disk.median())
	return nil
}

func (b *bench) putCalls(era string, base, s *side, flush time.Duration) {
	p50, direct := micros(s.lone.median()), micros(base.lone.median())
	put := func(name string, value float64, unit string, of float64, t *target) {
		b.report.put(figure{Part: "call", Name: name + ", " + era, Value: value, Unit: unit, Base: of, BaseName: "direct", Target: t})
	}
	put("1 caller, p50", p50, "µs", direct, nil)
	put("1 caller, p50 less the flush", max(p50-micros(flush), 0), "µs", direct, &target{Text: "at most 3 × direct", Limit: 3.0001, Of: "ratio"})
	put("1 caller, p10", micros(s.lone.quantile(0.1)), "µs", micros(base.lone.quantile(0.1)), nil)
	put("1 caller, p99", micros(s.lone.quantile(0.99)), "µs", micros(base.lone.quantile(0.99)), nil)
	put("16 callers", median(s.rate), "calls/s", median(base.rate), &target{Text: "at least 0.5 of direct", Limit: 0.5, Of: "ratio", Least: true})
	put("16 callers, p99", micros(s.crowd.quantile(0.99)), "µs", micros(base.crowd.quantile(0.99)), nil)
	b.report.put(figure{Part: "disk", Name: "one small append, flushed, beside " + era, Value: micros(flush), Unit: "µs"})
	for _, w := range []*side{base, s} {
		if n := w.wrong.Load(); n > 0 {
			b.report.Wrong += int(n)
			b.report.note("%s, protocol %s: %d wrong answers, the first: %v", w.name, era, n, w.fault())
		}
	}
}

// drive makes calls from so many callers and gives their latencies and the time
// from the first to the last. A tenth more warm up ahead and are not counted.
func (s *side) drive(ctx context.Context, era string, callers, calls int) (times, time.Duration, error) {
	workers := make([]*worker, callers)
	for i := range workers {
		c, err := dial(ctx, s.url, era)
		if err != nil {
			return nil, 0, err
		}
		defer c.close()
		w := &worker{side: s, client: c}
		if w.tool, w.args, err = s.prepare(ctx, c); err != nil {
			return nil, 0, err
		}
		workers[i] = w
	}
	s.all(ctx, workers, max(calls/10, callers))
	for _, w := range workers {
		w.took = nil
	}
	start := time.Now()
	s.all(ctx, workers, calls)
	wall := time.Since(start)
	var out times
	for _, w := range workers {
		out = append(out, w.took...)
	}
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if len(out) == 0 {
		return nil, 0, fmt.Errorf("no call went through: %w", s.fault())
	}
	return out, wall, nil
}

// fault is the first wrong answer.
func (s *side) fault() error {
	if first := s.first.Load(); first != nil {
		return *first
	}
	return errors.New("none failed")
}

// all shares so many calls among the workers.
func (s *side) all(ctx context.Context, workers []*worker, calls int) {
	var left atomic.Int64
	left.Store(int64(calls))
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() {
			for left.Add(-1) >= 0 && ctx.Err() == nil {
				w.once(ctx)
			}
		})
	}
	wg.Wait()
}

// worker is one caller.
type worker struct {
	side   *side
	client *client
	tool   string
	args   []byte
	took   times
}

// callTime bounds one call.
const callTime = 20 * time.Second

// once makes one call; a wrong answer is counted and is no latency.
func (w *worker) once(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	start := time.Now()
	_, err := w.client.call(ctx, w.tool, w.args, w.side.expect)
	took := time.Since(start)
	if err != nil {
		w.side.wrong.Add(1)
		w.side.first.CompareAndSwap(nil, &err)
		return
	}
	w.took = append(w.took, took)
}

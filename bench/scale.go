package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"hash/fnv"
	"log/slog"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/usem3"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/router"
	"github.com/seed-ae386458/interlock/source/toollist"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// hashed is an embedder that costs next to nothing: the sum of a chance vector
// a word, as long as those of the embedded model. It keeps the vectors of words.
type hashed map[string][]float32

const hashedDim = 512

func (h hashed) embed(texts []string) [][]float32 {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, hashedDim)
		for _, word := range strings.Fields(text) {
			for j, x := range h.word(word) {
				out[i][j] += x
			}
		}
	}
	return out
}

func (h hashed) word(word string) []float32 {
	if v := h[word]; v != nil {
		return v
	}
	sum := fnv.New64a()
	sum.Write([]byte(word))
	r := mathrand.New(mathrand.NewPCG(sum.Sum64(), 1))
	v := make([]float32, hashedDim)
	for j := range v {
		v[j] = float32(r.Uint32()>>16)/32768 - 1
	}
	h[word] = v
	return v
}

// standIn gives tools vectors that cost nothing, and needs those of the embedded
// model: what a need costs is whole, where making the vectors of a hundred
// thousand tools would take minutes. What is found then means nothing.
type standIn struct {
	model *usem3.Model
	tools hashed
	needs atomic.Bool // from here on texts are needs
}

func (s *standIn) Name() string { return "stand-in/1" }

func (s *standIn) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if s.needs.Load() {
		return embedder{s.model}.Embed(ctx, texts)
	}
	return s.tools.embed(texts), nil
}

// realVectors is the greatest catalogue whose vectors the embedded model makes.
const realVectors = 4000

// bound is what the time of a need is held against, in ms; 0 is nothing.
type bound struct{ p50, p99 float64 }

var scales = []struct {
	tools          int
	vectors, words bound
	memory         float64 // MB; 0 is not judged
}{
	{1000, bound{2, 6}, bound{0.2, 1}, 0},
	{10000, bound{0, 5}, bound{}, 0},
	{100000, bound{0, 15}, bound{}, 600},
}

// scale measures how needs, memory and changes of the catalogue grow with it.
func (b *bench) scale(ctx context.Context) error {
	if b.report.Catalogue == "" {
		b.report.Catalogue = "of scale: generated tools and needs"
	}
	for _, s := range scales[:b.pick(3, 2)] {
		g, err := b.grown(ctx, s.tools)
		if err != nil {
			return err
		}
		if err := g.vectors(ctx, s.vectors, s.memory); err != nil {
			return err
		}
		if err := g.words(ctx, s.words); err != nil {
			return err
		}
		b.noise.sample()
	}
	return b.changes(ctx)
}

// grown is one generated catalogue in this process.
type grown struct {
	b      *bench
	size   string
	needs  []string
	path   string
	vector *standIn // nil where the model makes all vectors
	model  *usem3.Model
	lib    *library
	before float64 // resident memory without the catalogue, MB
}

// grown opens a router and registers so many generated tools with it.
func (b *bench) grown(ctx context.Context, tools int) (*grown, error) {
	b.say("scale: registering %d generated tools in this process", tools)
	g := &grown{b: b, size: fmt.Sprintf(", %d tools", tools), path: filepath.Join(b.dir, fmt.Sprintf("scale-%d.db", tools))}
	file := filepath.Join(b.dir, fmt.Sprintf("scale-%d.jsonl", tools))
	lines, needs := generated(mathrand.New(mathrand.NewPCG(seed, 2)), tools)
	g.needs = slices.Clone(needs[:min(len(needs), 4000)])
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		return nil, err
	}
	var err error
	if g.model, err = usem3.Load(); err != nil {
		return nil, err
	}
	if g.before, err = ownMemory(); err != nil {
		return nil, err
	}
	var by interlock.Embedder = embedder{g.model}
	if tools > realVectors {
		g.vector = &standIn{model: g.model, tools: hashed{}}
		by = g.vector
	}
	if g.lib, err = openRouter(ctx, g.path, by); err != nil {
		return nil, err
	}
	began := time.Now()
	if _, err := g.lib.router.Add(ctx, interlock.Local(), interlock.SourceConfig{Name: "catalogue", Kind: interlock.KindTools, File: file}); err != nil {
		return nil, err
	}
	b.report.put(figure{Part: "scale", Name: "registered" + g.size, Value: time.Since(began).Seconds(), Unit: "s"})
	if err := g.lib.router.Settle(ctx); err != nil {
		return nil, err
	}
	if g.vector != nil {
		g.vector.needs.Store(true)
		g.vector.tools = nil
	}
	return g, nil
}

// openRouter opens a router on a store of its own; by may be nil.
func openRouter(ctx context.Context, path string, by interlock.Embedder) (*library, error) {
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	keys, err := receipt.LoadKeys(path+".keys", rand.Reader)
	if err != nil {
		return nil, err
	}
	l := &library{embedder: by, store: store}
	l.router, err = router.New(ctx, router.Options{Store: store, Keys: keys, Embedder: by, Logger: slog.New(slog.DiscardHandler), Clock: time.Now,
		Random: rand.Reader, Tokens: func(text string) int { return len(text) }, Openers: map[string]interlock.Opener{interlock.KindTools: toollist.NewOpener()}})
	return l, err
}

// vectors measures needs by words and vectors, and what the process holds.
func (g *grown) vectors(ctx context.Context, limit bound, memory float64) error {
	rounds := g.b.pick(400, 100)
	g.b.say("scale%s: %d needs by words and vectors", g.size, rounds)
	asked := 0
	fresh := func() string {
		asked++
		return fmt.Sprintf("%s, case %d", g.needs[asked%len(g.needs)], asked)
	}
	for range warmNeeds {
		if err := g.ask(ctx, fresh(), "hybrid"); err != nil {
			return err
		}
	}
	if err := g.memory(memory); err != nil {
		return err
	}
	known := make([]string, seenNeeds)
	for i := range known {
		known[i] = fresh()
		if err := g.ask(ctx, known[i], "hybrid"); err != nil {
			return err
		}
	}
	var first, again, base times
	allocated := allocations()
	for i := range rounds {
		need := fresh()
		for _, m := range []struct {
			into *times
			do   func() error
		}{
			{&base, func() error { g.model.Embed(nil, need); return nil }},
			{&first, func() error { return g.ask(ctx, need, "hybrid") }},
			{&again, func() error { return g.ask(ctx, known[i%len(known)], "hybrid") }},
		} {
			start := time.Now()
			if err := m.do(); err != nil {
				return fmt.Errorf("need %q: %w", need, err)
			}
			*m.into = append(*m.into, time.Since(start))
		}
	}
	g.b.report.put(figure{Part: "scale", Name: "allocated, new and seen need" + g.size, Value: (allocations() - allocated) / float64(rounds) / (1 << 20), Unit: "MB"})
	g.put("new need", first, base, "its vector alone", limit)
	g.put("seen need", again, base, "its vector alone", scales[0].words)
	return g.lib.close()
}

func (g *grown) put(which string, t, base times, baseName string, limit bound) {
	judged := func(x float64) *target {
		if x == 0 {
			return nil
		}
		return under(x, "ms")
	}
	r := g.b.report
	r.put(figure{Part: "scale", Name: which + g.size + ", p50", Value: millis(t.median()), Unit: "ms", Base: millis(base.median()), BaseName: baseName, Target: judged(limit.p50)})
	r.put(figure{Part: "scale", Name: which + g.size + ", p99", Value: millis(t.quantile(0.99)), Unit: "ms", Base: millis(base.quantile(0.99)), BaseName: baseName, Target: judged(limit.p99)})
}

// ask resolves one need and holds the answer against the scorer it has to come
// from.
func (g *grown) ask(ctx context.Context, need, scorer string) error {
	answer, err := g.lib.router.Resolve(ctx, interlock.Local(), interlock.Need{Text: need})
	if err == nil && (answer.Disposition == "" || !strings.HasPrefix(answer.Scorer, scorer)) {
		err = fmt.Errorf("no whole answer, or not by %s: %s %s", scorer, answer.Disposition, answer.Scorer)
	}
	return err
}

// memory reports what the process holds once it is warm, and of that what the
// catalogue added.
func (g *grown) memory(limit float64) error {
	now, err := ownMemory()
	if err != nil {
		return err
	}
	f := figure{Part: "memory", Name: "resident, this process" + g.size, Value: now, Unit: "MB", Base: g.before, BaseName: "without the catalogue"}
	if limit > 0 {
		f.Target = under(limit, "MB")
	}
	g.b.report.put(f)
	return nil
}

// words opens the same store without an embedder: needs by their words alone,
// beside a plain BM25 scan.
func (g *grown) words(ctx context.Context, limit bound) error {
	rounds := g.b.pick(400, 100)
	g.b.say("scale%s: %d needs by words alone", g.size, rounds)
	began := time.Now()
	var err error
	if g.lib, err = openRouter(ctx, g.path, nil); err != nil {
		return err
	}
	g.b.report.put(figure{Part: "scale", Name: "opened from its store, words alone" + g.size, Value: time.Since(began).Seconds(), Unit: "s"})
	plain, err := newBM25(filepath.Join(g.b.dir, strings.TrimSuffix(filepath.Base(g.path), ".db")+".jsonl"))
	if err != nil {
		return err
	}
	var first, base times
	for i := range rounds + warmNeeds {
		need := fmt.Sprintf("%s, file %d", g.needs[i%len(g.needs)], i)
		start := time.Now()
		plain.best(need, interlock.DefaultK)
		scanned := time.Since(start)
		start = time.Now()
		if err := g.ask(ctx, need, "lexical"); err != nil {
			return err
		}
		if i >= warmNeeds {
			base, first = append(base, scanned), append(first, time.Since(start))
		}
	}
	g.put("new need, words alone", first, base, "plain BM25", limit)
	return g.lib.close()
}

// indexTools is the size of the catalogue that the targets of indexing name.
const indexTools = 4000

// changes measures making the index of a catalogue, and adding to it.
func (b *bench) changes(ctx context.Context) error {
	tools := b.pick(indexTools, indexTools/4)
	size := fmt.Sprintf(", %d tools", tools)
	b.say("scale: indexing %d tools", tools)
	lines, needs := generated(mathrand.New(mathrand.NewPCG(seed, 3)), tools+1)
	file := filepath.Join(b.dir, "index.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(lines[:tools], "\n")+"\n"), 0o600); err != nil {
		return err
	}
	model, err := usem3.Load()
	if err != nil {
		return err
	}
	lib, err := openRouter(ctx, filepath.Join(b.dir, "index.db"), embedder{model})
	if err != nil {
		return err
	}
	g := &grown{b: b, size: size, lib: lib}
	judged := func(t *target) *target { // at the size that the target names alone
		if tools < indexTools {
			return nil
		}
		return t
	}
	began := time.Now()
	if _, err := lib.router.Add(ctx, interlock.Local(), interlock.SourceConfig{Name: "catalogue", Kind: interlock.KindTools, File: file}); err != nil {
		return err
	}
	terms, busy := time.Since(began), processorTime()
	b.report.put(figure{Part: "index", Name: "by words, the whole registration" + size, Value: terms.Seconds(), Unit: "s", Target: judged(under(1, "s"))})
	if err := g.ask(ctx, needs[0], "lexical"); err != nil && tools == indexTools {
		b.report.note("no need was answered by words while vectors were made: %v", err)
	}
	if err := lib.router.Settle(ctx); err != nil {
		return err
	}
	b.report.put(figure{Part: "index", Name: "vectors, processor time" + size, Value: (processorTime() - busy).Seconds(), Unit: "s", Base: terms.Seconds(), BaseName: "by words", Target: judged(under(10, "s"))})
	if err := b.additions(ctx, g, lines[tools], judged(under(5, "ms"))); err != nil {
		return err
	}
	return lib.close()
}

// additions publishes sources of one tool, one after the other.
func (b *bench) additions(ctx context.Context, g *grown, line string, limit *target) error {
	n := b.pick(30, 10)
	b.say("scale%s: %d sources of one more tool", g.size, n)
	file := filepath.Join(b.dir, "one.jsonl")
	if err := os.WriteFile(file, []byte(line+"\n"), 0o600); err != nil {
		return err
	}
	var took times
	var busy time.Duration
	for i := range n {
		began, worked := time.Now(), processorTime()
		if _, err := g.lib.router.Add(ctx, interlock.Local(), interlock.SourceConfig{Name: fmt.Sprintf("one%d", i), Kind: interlock.KindTools, File: file}); err != nil {
			return err
		}
		took = append(took, time.Since(began))
		busy += processorTime() - worked
		if err := g.lib.router.Settle(ctx); err != nil {
			return err
		}
	}
	flushed, err := flushes(b.dir, 20)
	if err != nil {
		return err
	}
	b.report.put(figure{Part: "index", Name: "one more source with one tool, p50" + g.size, Value: millis(took.median()), Unit: "ms", Base: millis(flushed.median()), BaseName: "one small append, flushed", Target: limit})
	b.report.put(figure{Part: "index", Name: "its processor time, mean" + g.size, Value: millis(busy) / float64(n), Unit: "ms"})
	return nil
}

// ownMemory gives what this process holds resident, in MB of 2^20 bytes, once
// what it no longer needs is given back.
func ownMemory() (float64, error) {
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("resident memory: %w", err)
	}
	return parseResident(text)
}

// allocations gives the bytes allocated so far.
func allocations() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.TotalAlloc)
}

// processorTime gives what this process used of the processor for itself.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}

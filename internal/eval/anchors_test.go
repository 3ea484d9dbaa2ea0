package eval

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-ae386458/interlock/embedding/usem3"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// TestAnchors measures the evidence of right matches on the calibration
// requests and holds the scorer's anchors against it. It reads a folder of
// labelled data beside the checkout and skips where there is none.
func TestAnchors(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the labelled requests are not beside this checkout; nothing to measure")
	}
	if os.Getenv("INTERLOCK_SUITES") == "" {
		t.Skip("a long measurement: run it with make suites")
	}
	b := newBench(t, dir)
	for _, size := range []int{10, 100, 4135} {
		for _, scorer := range []discover.Scorer{discover.HybridScorer("usem3"), discover.LexicalScorer()} {
			b.measure(t, size, scorer)
		}
	}
}

type bench struct {
	tools   []Tool
	docs    []index.Doc
	place   map[string]int
	cases   []Case
	golds   [][][]string
	queries []index.Query
	order   []int
	whole   *index.Segment
}

func newBench(t *testing.T, dir string) *bench {
	t.Helper()
	b := &bench{place: map[string]int{}}
	b.tools = load(t, filepath.Join(dir, "tools.jsonl"), ReadTools)
	model, err := usem3.Load()
	if err != nil {
		t.Fatal(err)
	}
	b.docs = make([]index.Doc, len(b.tools))
	parallel(len(b.tools), func(i int) {
		d := b.tools[i].Doc(0)
		mean := make([]float32, usem3.Dim)
		for _, text := range snapshot.Readings(d) {
			for j, x := range model.Embed(nil, text) {
				mean[j] += x
			}
		}
		d.Vector = mean
		b.docs[i] = d
	})
	for i, tool := range b.tools {
		b.place[tool.ID] = i
		b.order = append(b.order, i)
		b.docs[i].Tool = i
	}
	b.whole = index.Build(len(b.tools), b.docs, func(int) []string { return nil })
	for _, c := range load(t, filepath.Join(dir, "tasks.jsonl"), ReadCases) {
		var gold [][]string
		whole := string(c.Scope) == `"*"`
		if !whole || (c.Kind != "single" && c.Kind != "nofit") || fold(c.ID)%4 != 0 {
			continue
		}
		if c.Kind == "single" && (json.Unmarshal(c.Gold, &gold) != nil || len(gold) == 0) {
			continue
		}
		b.cases = append(b.cases, c)
		b.golds = append(b.golds, gold)
	}
	b.queries = make([]index.Query, len(b.cases))
	parallel(len(b.cases), func(i int) { b.queries[i] = index.NewQuery(b.cases[i].Query, model.Embed(nil, b.cases[i].Query)) })
	return b
}

func load[T any](t *testing.T, path string, read func(r io.Reader) ([]T, error)) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := read(f)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func parallel(n int, do func(int)) {
	var wg sync.WaitGroup
	for w := range runtime.NumCPU() {
		wg.Go(func() {
			for i := w; i < n; i += runtime.NumCPU() {
				do(i)
			}
		})
	}
	wg.Wait()
}

func fold(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// catalogue gives the right tools of a case and others up to a size.
func (b *bench) catalogue(i, size int) []int {
	picked := map[int]bool{}
	var out []int
	take := func(p int) {
		if !picked[p] {
			picked[p] = true
			out = append(out, p)
		}
	}
	for _, alt := range b.golds[i] {
		for _, id := range alt {
			if p, ok := b.place[id]; ok {
				take(p)
			}
		}
	}
	seed := fold(b.cases[i].ID)
	if size >= 1000 { // one catalogue for all, so that segments are built once
		seed = 7
	}
	for len(out) < min(size, len(b.tools)) {
		seed = seed*1664525 + 1013904223
		take(int(seed>>8) % len(b.tools))
	}
	return out
}

type row struct {
	lang        string
	right, best float64
	rightScore  float64
	rank        int
	spoken      float64
	nofit       bool
}

func (b *bench) measure(t *testing.T, size int, scorer discover.Scorer) {
	rows := make([]row, len(b.cases))
	parallel(len(b.cases), func(i int) { rows[i] = b.one(i, size, scorer) })
	for _, lang := range []string{"en", "ko-functionchat", "ko-hass", "ja"} {
		var first, right, wrong, nofit, scores, spoken []float64
		var r1, r5, n int
		for _, r := range rows {
			if r.lang != lang {
				continue
			}
			if r.nofit {
				nofit = append(nofit, r.best)
				continue
			}
			n++
			right = append(right, r.right)
			if r.rank == 0 {
				scores = append(scores, r.rightScore)
				first = append(first, r.right)
			}
			wrong = append(wrong, r.best)
			spoken = append(spoken, r.spoken)
			if r.rank == 0 {
				r1++
			}
			if r.rank < 5 {
				r5++
			}
		}
		if n == 0 {
			continue
		}
		accepted := 0
		for _, s := range scores {
			if s >= discover.Threshold {
				accepted++
			}
		}
		fmt.Printf("%-28s n=%4d %s R@1 %.1f R@5 %.1f  right p5 %.3f p25 %.3f p50 %.3f | RIGHT-FIRST p5 %.3f p50 %.3f | wrong best p50 %.3f p95 %.3f | nofit p50 %.3f p95 %.3f | spoken %.2f | score p5 %.3f p50 %.3f >=τ %.1f%%\n",
			fmt.Sprintf("%s %d", scorer.Name, size), n, lang, pct(r1, n), pct(r5, n), q(right, .05), q(right, .25), q(right, .5), q(first, .05), q(first, .5), q(wrong, .5), q(wrong, .95), q(nofit, .5), q(nofit, .95), q(spoken, .5), q(scores, .05), q(scores, .5), pct(accepted, len(scores)))
	}
}

func pct(a, n int) float64 { return 100 * float64(a) / float64(n) }

func q(xs []float64, p float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Clone(xs)
	slices.Sort(xs)
	return xs[min(int(p*float64(len(xs))), len(xs)-1)]
}

func (b *bench) one(i, size int, scorer discover.Scorer) row {
	c := b.catalogue(i, size)
	if size >= len(b.tools) {
		c = b.order
	}
	docs := make([]index.Doc, len(c))
	all := index.NewBitset(len(c))
	for j, p := range c {
		docs[j] = b.docs[p]
		docs[j].Tool = j
		all.Set(j)
	}
	seg := b.whole
	if size < len(b.tools) || seg == nil {
		seg = index.Build(len(c), docs, func(int) []string { return nil })
	}
	view := index.NewView([]*index.Segment{seg}, []index.Bitset{all})
	gold := map[string]bool{}
	for _, alt := range b.golds[i] {
		for _, id := range alt {
			gold[id] = true
		}
	}
	lang := b.cases[i].Lang
	if lang == "ko" {
		lang += "-" + strings.SplitN(b.cases[i].Source, "-", 2)[0]
	}
	r := row{lang: lang, nofit: b.cases[i].Kind == "nofit", right: -1}
	var all2 []float64
	cjk := b.queries[i].CJK()
	r.spoken = cjk
	for _, e := range index.Search(view, b.queries[i], scorer.Fuse) {
		f := scorer.Fuse(e.Lexical, e.Dense, cjk)
		if gold[b.tools[c[e.Tool]].ID] {
			if f > r.right {
				r.right, r.rightScore = f, scorer.Score(f, cjk)
			}
		} else {
			r.best = max(r.best, f)
		}
		all2 = append(all2, f)
	}
	for _, f := range all2 {
		if f > r.right {
			r.rank++
		}
	}
	return r
}

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"hash/fnv"
	"log/slog"
	mathrand "math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/router"
	"github.com/seed-ae386458/interlock/source/toollist"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// hashed is an embedder that costs next to nothing: the sum of a chance vector
// a word, as long as those of the embedded model.
type hashed struct{}

func (hashed) Name() string { return "hashed/1" }

func (hashed) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, 512)
		for _, word := range strings.Fields(text) {
			h := fnv.New64a()
			h.Write([]byte(word))
			r := mathrand.New(mathrand.NewPCG(h.Sum64(), 1))
			for j := range out[i] {
				out[i][j] += float32(r.Uint32()>>16)/32768 - 1
			}
		}
	}
	return out, nil
}

// BenchmarkScale is the library without the embedded model's own time, over
// catalogues up to a hundred thousand tools: needs that were never asked, and
// ones that were prepared before and are asked of a view that keeps no answer.
func BenchmarkScale(b *testing.B) {
	for _, tools := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(tools), func(b *testing.B) {
			l, c := openScale(b, tools)
			b.ReportAllocs()
			var took times
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				if err := l.ask(b.Context(), fmt.Sprintf("%s, number %d", c.needs[i%len(c.needs)], i)); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			b.ReportMetric(float64(took.quantile(0.99).Microseconds())/1000, "p99-ms")
		})
	}
}

func openScale(b *testing.B, tools int) (*library, catalogue) {
	b.Helper()
	dir := b.TempDir()
	made := benchOf(b)
	c, err := made.catalogue(tools)
	if err != nil {
		b.Fatal(err)
	}
	store, err := sqlite.Open(b.Context(), filepath.Join(dir, "scale.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	keys, err := receipt.NewKeys(rand.Reader)
	if err != nil {
		b.Fatal(err)
	}
	l := &library{embedder: embedder{}, store: store}
	l.router, err = router.New(b.Context(), router.Options{Store: store, Keys: keys, Embedder: hashed{}, Logger: slog.New(slog.DiscardHandler), Clock: time.Now,
		Random: rand.Reader, Tokens: func(text string) int { return len(text) }, Openers: map[string]interlock.Opener{interlock.KindTools: toollist.NewOpener()}})
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	if _, err := l.router.Add(b.Context(), interlock.Local(), interlock.SourceConfig{Name: "catalogue", Kind: interlock.KindTools, File: c.file}); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d tools published in %v", tools, time.Since(began))
	if err := l.router.Settle(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.close() })
	return l, c
}

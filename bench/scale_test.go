package main

import (
	"fmt"
	"testing"
	"time"
)

func TestGrown(t *testing.T) {
	b := benchOf(t)
	g, err := b.grown(t.Context(), 60)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.vectors(t.Context(), bound{2, 6}, 600); err != nil {
		t.Fatal(err)
	}
	if err := g.words(t.Context(), bound{}); err != nil {
		t.Fatal(err)
	}
	for _, f := range b.report.Figures {
		if f.Value <= 0 || f.Part == "scale" && f.Unit == "ms" && f.Base <= 0 {
			t.Errorf("%+v", f)
		}
	}
}

// BenchmarkScale resolves needs that were never asked over catalogues up to a
// hundred thousand tools, by words and vectors.
func BenchmarkScale(b *testing.B) {
	for _, tools := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(tools), func(b *testing.B) {
			g, err := benchOf(b).grown(b.Context(), tools)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = g.lib.close() })
			askNew(b, g, "hybrid")
		})
	}
}

// BenchmarkWords resolves needs that were never asked over catalogues by words
// alone.
func BenchmarkWords(b *testing.B) {
	for _, tools := range []int{1000, 10000} {
		b.Run(fmt.Sprint(tools), func(b *testing.B) {
			g, err := benchOf(b).grown(b.Context(), tools)
			if err != nil {
				b.Fatal(err)
			}
			if err := g.lib.close(); err != nil {
				b.Fatal(err)
			}
			if g.lib, err = openRouter(b.Context(), g.path, nil); err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = g.lib.close() })
			askNew(b, g, "lexical")
		})
	}
}

// askNew asks needs that were never asked, which a scorer has to answer.
func askNew(b *testing.B, g *grown, scorer string) {
	b.ReportAllocs()
	var took times
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		if err := g.ask(b.Context(), fmt.Sprintf("%s, number %d", g.needs[i%len(g.needs)], i), scorer); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	b.ReportMetric(float64(took.quantile(0.99).Microseconds())/1000, "p99-ms")
}

package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

// benchOf gives a run over generated data in a folder of the test.
func benchOf(tb testing.TB) *bench {
	tb.Helper()
	dir := tb.TempDir()
	return &bench{opts: options{quick: true, data: filepath.Join(dir, "absent")}, dir: dir, report: newReport(true), say: func(string, ...any) {}}
}

func openLibrary(tb testing.TB, tools int) (*library, catalogue) {
	tb.Helper()
	b := benchOf(tb)
	c, err := b.catalogue(tools)
	if err != nil {
		tb.Fatal(err)
	}
	l, err := b.library(tb.Context(), c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := l.close(); err != nil {
			tb.Error(err)
		}
	})
	return l, c
}

func TestLibraryAnswers(t *testing.T) {
	l, c := openLibrary(t, 40)
	for _, need := range c.needs[:10] {
		if err := l.ask(t.Context(), need); err != nil {
			t.Errorf("%q: %v", need, err)
		}
		if err := l.base(t.Context(), need); err != nil {
			t.Error(err)
		}
	}
}

// TestExplainedTheSame: of a large catalogue the first tools alone are put in
// order, and an explanation takes them all. The answer is the same.
func TestExplainedTheSame(t *testing.T) {
	l, c := openLibrary(t, 420)
	for i, text := range c.needs[:120] {
		need := interlock.Need{Text: text, K: 1 + i%30}
		switch i % 4 {
		case 1:
			need.Text = "list_invoices_0 or create_orders_1, and " + text
		case 2:
			need.Text = text + "; then " + c.needs[i+1]
		case 3:
			need.Context = c.needs[i+1 : i+3]
		}
		plain, err := l.router.Resolve(t.Context(), interlock.Local(), need)
		if err != nil {
			t.Fatal(err)
		}
		need.Explain = true
		told, err := l.router.Resolve(t.Context(), interlock.Local(), need)
		if err != nil {
			t.Fatal(err)
		}
		told.Explanation = nil
		for _, r := range []*interlock.Resolution{&plain, &told} {
			for k := range r.Candidates {
				r.Candidates[k].Offer = "" // sealed at another time
			}
		}
		if d := cmp.Diff(plain, told); d != "" {
			t.Fatalf("%q: %s", need.Text, d)
		}
	}
}

// BenchmarkResolve resolves new and seen needs over 100, 1,000 and 4,000 tools.
func BenchmarkResolve(b *testing.B) {
	for _, tools := range []int{100, 1000, 4000} {
		l, c := openLibrary(b, tools)
		b.Run(fmt.Sprintf("%d/seen", tools), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := l.ask(b.Context(), c.needs[i%40]); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/new", tools), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := l.ask(b.Context(), fmt.Sprintf("%s, number %d", c.needs[i%len(c.needs)], i)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package main

import (
	"fmt"
	"path/filepath"
	"testing"
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

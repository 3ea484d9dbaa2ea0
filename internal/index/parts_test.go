package index

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestManyDocs: over so many docs that several processors work on them, what is
// hidden moves nothing, and neither does their number.
func TestManyDocs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	const tools = 3*Chunk + 100
	var docs, kept []Doc
	bits := NewBitset(tools)
	for tool := range tools {
		d := Doc{Tool: tool, Name: sentence(r, 2), Source: fmt.Sprint("s", tool%7), Description: sentence(r, r.IntN(6)), Vector: vector(r)}
		docs = append(docs, d)
		if r.IntN(3) > 0 {
			bits.Set(tool)
			d.Tool = len(kept)
			kept = append(kept, d)
		}
	}
	none := func(int) []string { return nil }
	whole := NewView([]*Segment{Build(tools, docs, nil, none)}, []Bitset{bits})
	alone := NewView([]*Segment{Build(len(kept), kept, nil, none)}, []Bitset{AllOf(len(kept))})
	query := NewQuery("send the red report", nil, [][]float32{vector(r)})
	want := Search(alone, query)
	for _, procs := range []int{1, 4} {
		before := runtime.GOMAXPROCS(procs)
		got := Search(whole, query)
		runtime.GOMAXPROCS(before)
		if len(got) != len(want) {
			t.Fatalf("%d wordings, want %d", len(got), len(want))
		}
		for i := range got {
			e := got[i]
			e.Tool = want[i].Tool // its place is another
			if e != want[i] {
				t.Fatalf("on %d processors wording %d: %+v, want %+v", procs, i, e, want[i])
			}
		}
	}
}

// TestChunked: every item is in one chunk, whatever their number.
func TestChunked(t *testing.T) {
	for _, n := range []int{0, 1, Chunk - 1, Chunk, Chunk + 1, 5*Chunk + 3} {
		seen := make([]int32, n)
		Chunked(n, func(chunk, from, to int) {
			if chunk != from/Chunk || chunk >= Chunks(n) {
				t.Errorf("chunk %d of %d begins at %d", chunk, n, from)
			}
			for i := from; i < to; i++ {
				seen[i]++
			}
		})
		for i, times := range seen {
			if times != 1 {
				t.Fatalf("item %d of %d was seen %d times", i, n, times)
			}
		}
	}
}

// TestNearest: the greatest are held, in whatever order and parts they come.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		all := make([]float32, r.IntN(8))
		var whole, joined nearest
		var halves [2]nearest
		for i := range all {
			all[i] = float32(r.IntN(7) - 3)
			whole.add(all[i])
			halves[r.IntN(2)].add(all[i])
		}
		for _, h := range halves {
			for _, x := range h.best[:min(h.count, len(h.best))] {
				joined.add(x)
			}
		}
		slices.SortFunc(all, func(a, b float32) int { return cmp.Compare(b, a) })
		n := min(len(all), 3)
		if got := whole.best[:n]; !slices.Equal(got, all[:n]) || joined.best != whole.best || joined.mean() != whole.mean() {
			t.Fatalf("of %v are held %v, and in parts %v", all, whole, joined)
		}
	}
}

package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The search under a view, the obvious way: over the visible tools alone, from
// their texts, without postings, segments or bits.

type plainDoc struct {
	segment, tool int
	length        float64
	tf            map[string]float64
}

func plain(segment int, d Doc) plainDoc {
	p := plainDoc{segment: segment, tool: d.Tool, tf: map[string]float64{}}
	put := func(weight float64, limit int, texts ...string) {
		for _, text := range texts {
			terms := Tokens(text)
			for _, term := range terms[:min(len(terms), limit)] {
				p.tf[term] = float64(float32(p.tf[term]) + float32(weight))
				p.length = float64(float32(p.length) + float32(weight))
			}
		}
	}
	put(weightName, maxTokens, d.Name)
	put(weightAlias, maxTokens, d.Aliases...)
	put(weightFamily, maxTokens, d.Family)
	put(weightTitle, maxTokens, d.Title)
	put(weightSource, maxTokens, d.Source)
	put(weightText, maxTokens, d.Description)
	put(weightParam, maxTokens, d.Params...)
	put(weightOutput, maxTokens, d.Outputs...)
	put(weightEnum, maxTokens, d.Enums...)
	put(weightDocs, maxDocsTokens, d.ParamDocs)
	return p
}

// covered gives the lexical evidence of each visible doc.
func covered(docs []plainDoc, tools int, q Query) []float64 {
	average := 0.0
	for _, d := range docs {
		average += d.length / float64(len(docs))
	}
	out := make([]float64, len(docs))
	total := 0.0
	for _, term := range q.terms {
		holders := map[[2]int]bool{}
		for _, d := range docs {
			if d.tf[term] > 0 {
				holders[[2]int{d.segment, d.tool}] = true
			}
		}
		n, f := float64(tools)+background, float64(len(holders))+commonTools
		idf := math.Log(1 + (n-f+0.5)/(f+0.5))
		if len(holders) == 0 && IsCJK(term) {
			idf *= unseenCJK
		}
		total += idf
		for i, d := range docs {
			tf := d.tf[term]
			out[i] += idf * min(1, tf*(1+k1)/(tf+k1*(1-b+b*d.length/average)))
		}
	}
	for i := range out {
		if total > 0 {
			out[i] /= total
		}
	}
	return out
}

// world is a random index with a random view over it.
type world struct {
	segments []*Segment
	visible  []Bitset
	docs     []plainDoc // visible ones
	rebuilt  []*Segment // of the visible tools alone, with every bit set
	all      []Bitset
	place    map[[2]int][2]int // of a tool in the rebuilt segments
	tools    int
}

func randomWorld(r *rand.Rand) world {
	w := world{place: map[[2]int][2]int{}}
	for seg := range 1 + r.IntN(4) {
		var docs, kept []Doc
		tools, left := r.IntN(30), 0
		bits := NewBitset(tools)
		names := map[int][]string{}
		for tool := range tools {
			shown := r.IntN(3) > 0
			variants := 1 + r.IntN(3)
			names[tool] = []string{fmt.Sprintf("s%d/t_%d", seg, tool), sentence(r, 1+r.IntN(3))}
			for range variants {
				d := Doc{Tool: tool, Name: sentence(r, 1), Family: sentence(r, 1), Source: sentence(r, 1), Description: sentence(r, r.IntN(12)),
					Aliases: []string{sentence(r, 1)}, Params: []string{sentence(r, 2)}, ParamDocs: sentence(r, r.IntN(6)), Vector: vector(r)}
				docs = append(docs, d)
				if shown {
					w.docs = append(w.docs, plain(seg, d))
					d.Tool = left
					kept = append(kept, d)
				}
			}
			if shown {
				bits.Set(tool)
				w.place[[2]int{seg, left}] = [2]int{seg, tool}
				left++
				w.tools++
			}
		}
		w.segments = append(w.segments, Build(tools, docs, func(tool int) []string { return names[tool] }))
		w.visible = append(w.visible, bits)
		w.rebuilt = append(w.rebuilt, Build(left, kept, func(tool int) []string { return names[w.place[[2]int{seg, tool}][1]] }))
		w.all = append(w.all, full(left))
	}
	return w
}

func full(n int) Bitset {
	bits := NewBitset(n)
	for i := range n {
		bits.Set(i)
	}
	return bits
}

var some = strings.Fields("weather city forecast read write document extract note bell tower 날씨 도시 天気 都市の天気 getUserName HTTPServer running stopped")

func sentence(r *rand.Rand, n int) string {
	var out []string
	for range n {
		out = append(out, some[r.IntN(len(some))])
	}
	return strings.Join(out, " ")
}

func vector(r *rand.Rand) []float32 {
	if r.IntN(5) == 0 {
		return nil
	}
	v := make([]float32, 16)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// sum is a way to fuse that tells all three apart.
func sum(lexical, dense, cjk float64) float64 { return lexical + 0.7*dense + 0.01*cjk }

// TestSearchUnderAView: what a view gives is what an index of its tools alone
// gives, to the bit, and what the obvious way gives, to rounding.
func TestSearchUnderAView(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := randomWorld(r)
		q := NewQuery(sentence(r, 1+r.IntN(8))+" s1/t_2", vector(r))
		view := NewView(w.segments, w.visible)
		got := Search(view, q, sum)
		if view.Tools() != w.tools || len(got) != w.tools {
			t.Fatalf("seed %d: %d tools, %d found, want %d", seed, view.Tools(), len(got), w.tools)
		}
		alone := Search(NewView(w.rebuilt, w.all), q, sum)
		for i, e := range alone {
			at := w.place[[2]int{e.Segment, e.Tool}]
			e.Segment, e.Tool = at[0], at[1]
			if got[i] != e {
				t.Fatalf("seed %d: under the view %+v, in an index of its own %+v", seed, got[i], e)
			}
		}
		checkCover(t, seed, w, q, got)
	}
}

func checkCover(t *testing.T, seed uint64, w world, q Query, got []Evidence) {
	t.Helper()
	cover := covered(w.docs, w.tools, q)
	best := map[[2]int][]float64{}
	for i, d := range w.docs {
		key := [2]int{d.segment, d.tool}
		best[key] = append(best[key], cover[i])
	}
	for _, e := range got {
		near := slices.ContainsFunc(best[[2]int{e.Segment, e.Tool}], func(c float64) bool { return math.Abs(c-e.Lexical) < 1e-5 })
		if !near || e.Lexical < 0 || e.Lexical > 1.00001 {
			t.Fatalf("seed %d: lexical %v, the obvious way gives %v", seed, e, best[[2]int{e.Segment, e.Tool}])
		}
	}
}

// TestBestWording: of several wordings the tool has that with the highest fused
// evidence, both halves from the same one.
func TestBestWording(t *testing.T) {
	seg := Build(1, []Doc{{Description: "bell"}, {Description: "weather in the city"}, {Description: "weather"}}, func(int) []string { return nil })
	got := Search(NewView([]*Segment{seg}, []Bitset{full(1)}), NewQuery("weather city", nil), sum)
	if len(got) != 1 || got[0].Lexical < 0.9 {
		t.Errorf("got %+v, want the second wording", got)
	}
}

// Package index holds what discovery reads: the terms and vectors of every
// tool, compiled once and read under a view. It promises that nothing outside
// the view it is given moves a number it returns: document frequencies and
// lengths are counted under the view at query time. It refuses nothing and
// grants nothing; it only says how near a need and a tool are.
//
//	seg := index.Build(tools, docs, exact)      // off the request path
//	view := index.NewView(segments, visible)
//	found := index.Search(view, query)
package index

import (
	"math"
	"sync"

	"github.com/seed-ae386458/interlock/internal/words"
)

// Bitset marks tools of a segment.
type Bitset []uint64

// NewBitset gives an empty set that can hold n members.
func NewBitset(n int) Bitset { return make(Bitset, (n+63)/64) }

// AllOf gives the set of all n members.
func AllOf(n int) Bitset {
	b := NewBitset(n)
	for i := range n {
		b.Set(i)
	}
	return b
}

// Set marks member i.
func (b Bitset) Set(i int) { b[i>>6] |= 1 << (i & 63) }

// Has reports whether member i is marked.
func (b Bitset) Has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }

// View is the part of some segments that one principal may see. Every count
// that scoring uses is taken inside it.
type View struct {
	segments []*Segment
	visible  []Bitset
	tools    int
	docs     int
	length   float64
	offset   []int // of each segment's first doc among all, hidden ones too
	parts    []part
	words    int
	// groups[i] gives, for the sources of segment i, their places in sources: a
	// source whose tools stand in two segments is one.
	groups  [][]int
	sources []sourceOf
	holders map[string]int // by word: how many sources' names hold it
	rarity  [words.Kinds]float32
	genera  [words.Genera]float64 // rarity of each general noun
	spared  sync.Pool             // of *spare
}

// spare is memory that searches of one view use in turn.
type spare struct {
	dense, gist []int32 // one for each doc
	sums        []float32
}

func (v *View) spare() *spare {
	if s, ok := v.spared.Get().(*spare); ok {
		return s
	}
	all := v.offset[len(v.segments)]
	return &spare{make([]int32, all), make([]int32, all), make([]float32, all)}
}

// sourceOf is a source of which something is visible.
type sourceOf struct {
	name  string
	words []string
}

// NewView marks what is visible of each segment: visible[i] speaks of
// segments[i].
func NewView(segments []*Segment, visible []Bitset) *View {
	v := &View{segments: segments, visible: visible}
	total := 0
	for i, s := range segments {
		v.offset = append(v.offset, total)
		total += len(s.docs)
		v.words = max(v.words, s.exact.words)
		for t := range s.tools {
			if visible[i].Has(t) {
				v.tools++
			}
		}
		for _, d := range s.docs {
			if visible[i].Has(int(d.tool)) {
				v.docs++
				v.length += float64(d.length)
			}
		}
	}
	v.offset = append(v.offset, total)
	v.parts = v.partsOf()
	v.gather()
	v.countGenera()
	return v
}

// gather counts what scoring asks of the sources and acts of the visible docs.
func (v *View) gather() {
	place := map[string]int{}
	v.holders = map[string]int{}
	var acts [words.Kinds]int
	for i, s := range v.segments {
		v.groups = append(v.groups, make([]int, len(s.sources)))
		for j := range s.docs {
			d := &s.docs[j]
			if !v.visible[i].Has(int(d.tool)) {
				continue
			}
			name := s.sources[d.source]
			g, ok := place[name]
			if !ok {
				g = len(v.sources)
				place[name] = g
				v.sources = append(v.sources, sourceOf{name, sourceWords(name)})
				for _, w := range v.sources[g].words {
					v.holders[w]++
				}
			}
			v.groups[i][d.source] = g
			for k := range words.Kinds {
				if d.acts.Has(k) {
					acts[k]++
				}
			}
		}
	}
	for k, n := range acts {
		v.rarity[k] = float32(actRarity(n, v.docs))
	}
}

// Tools counts the visible tools.
func (v *View) Tools() int { return v.tools }

// averageLength of the visible docs; 1 where there is none.
func (v *View) averageLength() float64 {
	if v.docs == 0 {
		return 1
	}
	return v.length / float64(v.docs)
}

// actRarity weighs an act by how few of the tools do it, beside a background in
// which one in ten does.
func actRarity(with, docs int) float64 {
	return math.Log(1 + (float64(docs)+background)/(float64(with)+0.1*background+1))
}

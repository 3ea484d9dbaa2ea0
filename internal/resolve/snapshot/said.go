package snapshot

import (
	"hash/fnv"
	"slices"
	"sync/atomic"

	"github.com/seed-ae386458/interlock/internal/words"
)

// Said is what a tool's name, wording and inputs say, as its view shows them.
type Said struct {
	Acts  words.Operations // what it does, by its name and wording
	Latin bool             // its terms are in Latin letters alone
	// The hashes of its terms, ascending, and of those that stand in examples
	// alone: a quarter of what the words themselves would hold of a server's
	// memory. That two words of one tool and one need meet in 64 bits does not
	// happen.
	own, examples []uint64
	kept          atomic.Value
}

// Kept gives what a later stage makes of the tool's inputs, made once; it is of
// one type and nobody's to change.
func (s *Said) Kept(read func() any) any {
	if k := s.kept.Load(); k != nil {
		return k
	}
	k := read()
	s.kept.Store(k)
	return k
}

// Says reports whether the tool says a term; with examples, one that it names as
// an example alone is said as well.
func (s *Said) Says(term string, examples bool) bool {
	h := hashOf(term)
	if _, ok := slices.BinarySearch(s.own, h); ok {
		return true
	}
	if !examples {
		return false
	}
	_, ok := slices.BinarySearch(s.examples, h)
	return ok
}

func hashOf(term string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(term))
	return h.Sum64()
}

// Said reads the tool once.
func (t *Tool) Said() *Said {
	if t.said == nil { // a tool that no compiler made
		return saidOf(t)
	}
	if s := t.said.Load(); s != nil {
		return s
	}
	s := saidOf(t)
	t.said.Store(s)
	return s
}

func saidOf(t *Tool) *Said {
	s := &Said{Acts: words.ToolOperations(t.Op.Name, t.Wording()), Latin: true}
	put := func(to *[]uint64, texts ...string) {
		for _, text := range texts {
			for _, term := range words.Tokens(text) {
				*to = append(*to, hashOf(term))
				s.Latin = s.Latin && !words.IsCJK(term)
			}
		}
	}
	documented := func(text string) {
		without := words.WithoutExamples(text)
		put(&s.own, without)
		if without != text {
			put(&s.examples, text)
		}
	}
	put(&s.own, t.Op.Name, t.Op.Title)
	for _, v := range t.Op.Variants {
		documented(v.Description)
	}
	terms := t.Contract.Terms()
	put(&s.own, terms.Params...)
	documented(terms.ParamDocs)
	s.own, s.examples = distinct(s.own), distinct(s.examples)
	return s
}

func distinct(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	return slices.Clip(slices.Clone(slices.Compact(hashes)))
}

// Wording is the description that the tool is shown with; empty where it has
// none.
func (t *Tool) Wording() string {
	if len(t.Op.Variants) == 0 {
		return ""
	}
	return t.Op.Variants[0].Description
}

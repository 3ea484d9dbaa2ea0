package index

import (
	"cmp"
	"slices"

	"github.com/seed-ae386458/interlock/internal/words"
)

// generaWeight is what a general noun of a tool's names and inputs counts that says what a thing
// of the need is, against the thing's own name.
const generaWeight = 0.25

// kind is a general noun for something that a query names, with how likely it
// means that, by weight.
type kind struct {
	genus  words.Genus
	weight float64
}

// kindsOf gives the general nouns for what terms name, in order; those that
// stand among the terms are covered as they are.
func kindsOf(terms []term) []kind {
	var sum [words.Genera]float64
	for _, t := range terms {
		words.EachGenus(t.text, func(g words.Genus, share float64) { sum[g] += float64(share * t.weight) })
	}
	for _, t := range terms {
		if g, ok := words.GenusOf(t.text); ok {
			sum[g] = 0
		}
	}
	var out []kind
	for g, weight := range sum {
		if weight > 0 {
			out = append(out, kind{words.Genus(g), weight})
		}
	}
	return out
}

// general is a general noun by which a doc names what it acts on or takes, and
// its weighed frequency.
type general struct {
	genus words.Genus
	tf    float32
}

// generals are those of one doc: what its names and inputs say. A description
// speaks of devices and people in passing, too.
type generals map[words.Genus]float32

func (g *generals) add(term string, weight float32) {
	genus, ok := words.GenusOf(term)
	if !ok {
		return
	}
	if *g == nil {
		*g = generals{}
	}
	(*g)[genus] += weight
}

// list gives them in order.
func (g generals) list() []general {
	out := make([]general, 0, len(g))
	for genus, tf := range g {
		out = append(out, general{genus, tf})
	}
	slices.SortFunc(out, func(a, b general) int { return cmp.Compare(a.genus, b.genus) })
	return out
}

// generalIn gives the general nouns of a doc.
func (s *Segment) generalIn(doc int) []general {
	from := int32(0)
	if doc > 0 {
		from = s.docs[doc-1].general
	}
	return s.general[from:s.docs[doc].general]
}

// countGenera counts the visible tools that hold each general noun.
func (v *View) countGenera() {
	var count [words.Genera]int
	for i, s := range v.segments {
		if len(s.general) == 0 {
			continue
		}
		var last [words.Genera]int32 // the tool that was counted, and one
		for j := range s.docs {
			tool := s.docs[j].tool
			if !v.visible[i].Has(int(tool)) {
				continue
			}
			for _, g := range s.generalIn(j) {
				if last[g.genus] != tool+1 {
					last[g.genus] = tool + 1
					count[g.genus]++
				}
			}
		}
	}
	for g, n := range count {
		v.genera[g] = inverseFrequency(n, v.tools)
	}
}

// generalise adds to what each wording covers what its general nouns say of the
// things that the query names: a lamp is a device. They are weighed like terms,
// and as much less; total is what all terms weigh.
func (v *View) generalise(out []Evidence, kinds []kind, total float64) {
	if len(kinds) == 0 || total == 0 {
		return
	}
	var weight [words.Genera]float64
	for _, k := range kinds {
		weight[k.genus] = float64(generaWeight * k.weight * v.genera[k.genus])
	}
	average := v.averageLength()
	v.eachPart(func(p part) {
		s := v.segments[p.segment]
		if len(s.general) == 0 {
			return
		}
		v.docsOf(p, func(d *doc, j, at int) {
			sum := 0.0
			for _, g := range s.generalIn(j) {
				if weight[g.genus] > 0 {
					sum += weight[g.genus] * saturated(float64(g.tf), float64(d.length)/average) / (1 + k1)
				}
			}
			if sum > 0 {
				out[at].Lexical = min(1, out[at].Lexical+float32(sum/total))
			}
		})
	})
}

package index

import (
	"sort"

	"github.com/seed-ae386458/interlock/embedding"
)

// Alike gives how near two tools are by what they say of themselves: the
// greatest cosine between their wordings, and that by English words alone. Each
// is 0 where one of the two points nowhere.
func Alike(v *View, a, b Evidence) (dense, gist float32) {
	s, t := v.segments[a.Segment], v.segments[b.Segment]
	for i := s.first(a.Tool); s.holds(i, a.Tool); i++ {
		for j := t.first(b.Tool); t.holds(j, b.Tool); j++ {
			dense = max(dense, embedding.Cosine(s.vectors.at(i), t.vectors.at(j)))
			gist = max(gist, embedding.Cosine(s.gists.at(i), t.gists.at(j)))
		}
	}
	return dense, gist
}

// first gives the place of a tool's first doc.
func (s *Segment) first(tool int) int {
	return sort.Search(len(s.docs), func(i int) bool { return int(s.docs[i].tool) >= tool })
}

// holds reports whether a tool's docs reach to a place.
func (s *Segment) holds(i, tool int) bool { return i < len(s.docs) && int(s.docs[i].tool) == tool }

func (r rows) at(i int) embedding.Vector {
	return embedding.Vector{Values: r.values[i*r.dim : (i+1)*r.dim], Scale: r.scales[i]}
}

package index

import (
	"github.com/seed-ae386458/interlock/embedding"
	"github.com/seed-ae386458/interlock/embedding/gist"
)

// rows are the vectors of a segment's docs, end to end. A doc without a vector
// has zeros, whose cosine with anything is 0.
type rows struct {
	dim    int
	values []int8
	scales []float32
}

func newRows(docs []Doc) rows {
	var r rows
	for _, d := range docs {
		r.dim = max(r.dim, len(d.Vector), len(d.Row.values))
	}
	r.values = make([]int8, r.dim*len(docs))
	r.scales = make([]float32, len(docs))
	for i, d := range docs {
		row := d.Row
		if len(d.Vector) == r.dim {
			q := embedding.Quantise(d.Vector)
			row = Row{q.Values, q.Scale}
		}
		if len(row.values) == r.dim {
			copy(r.values[i*r.dim:], row.values)
			r.scales[i] = row.scale
		}
	}
	return r
}

// gistRows are the directions of docs by their English words alone.
func gistRows(docs []weighed) rows {
	r := rows{dim: gist.Dim, values: make([]int8, gist.Dim*len(docs)), scales: make([]float32, len(docs))}
	for i, d := range docs {
		copy(r.values[i*r.dim:], d.gist.Values)
		r.scales[i] = d.gist.Scale
	}
	return r
}

// Row is the vector of a compiled doc. Its zero value is none.
type Row struct {
	values []int8
	scale  float32
}

// Rows gives the vectors of a tool's docs, in their order, for docs of the same
// wordings in another segment.
func (s *Segment) Rows(tool int) []Row {
	var out []Row
	for i := s.first(tool); s.holds(i, tool); i++ {
		at := i * s.vectors.dim
		out = append(out, Row{s.vectors.values[at : at+s.vectors.dim], s.vectors.scales[i]})
	}
	return out
}

// With is the segment with the vectors of some docs, by their places.
func (s *Segment) With(vectors map[int][]float32) *Segment {
	next := *s
	dim := s.vectors.dim
	for _, v := range vectors {
		dim = max(dim, len(v))
	}
	r := rows{dim: dim, values: make([]int8, dim*len(s.docs)), scales: make([]float32, len(s.docs))}
	if s.vectors.dim == dim {
		copy(r.values, s.vectors.values)
		copy(r.scales, s.vectors.scales)
	}
	for i, v := range vectors {
		if len(v) == dim {
			q := embedding.Quantise(v)
			copy(r.values[i*dim:], q.Values)
			r.scales[i] = q.Scale
		}
	}
	next.vectors = r
	return &next
}

// Directed reports that every doc of a tool has a vector that points somewhere.
func (s *Segment) Directed(tool int) bool {
	for i := s.first(tool); s.holds(i, tool); i++ {
		if s.vectors.scales[i] == 0 {
			return false
		}
	}
	return true
}

// products gives the product of q with each row of a stretch, in a buffer that
// has room for them; nil where they cannot be compared.
func (r rows) products(into []int32, from, to int, q embedding.Vector) []int32 {
	if r.dim == 0 || len(q.Values) != r.dim {
		return nil
	}
	into = into[:to-from]
	embedding.Scan(q.Values, r.values[from*r.dim:to*r.dim], into)
	return into
}

package index

import "github.com/seed-ae386458/interlock/embedding"

// rows are the vectors of a segment's docs, end to end. A doc without a vector
// has zeros, whose cosine with anything is 0.
type rows struct {
	dim    int
	values []int8
	scales []float32
}

func newRows(vectors [][]float32) rows {
	var r rows
	for _, v := range vectors {
		r.dim = max(r.dim, len(v))
	}
	r.values = make([]int8, r.dim*len(vectors))
	r.scales = make([]float32, len(vectors))
	for i, v := range vectors {
		if len(v) != r.dim {
			continue
		}
		q := embedding.Quantise(v)
		copy(r.values[i*r.dim:], q.Values)
		r.scales[i] = q.Scale
	}
	return r
}

// cosines appends the cosine of q with each row; zeros where they cannot be
// compared.
func (r rows) cosines(dst []float64, q embedding.Vector) []float64 {
	n := len(r.scales)
	if r.dim == 0 || len(q.Values) != r.dim {
		return append(dst, make([]float64, n)...)
	}
	sums := make([]int32, n)
	embedding.Scan(q.Values, r.values, sums)
	for i, sum := range sums {
		dst = append(dst, float64(embedding.CosineOf(sum, q.Scale, r.scales[i])))
	}
	return dst
}

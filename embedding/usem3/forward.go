package usem3

import (
	"fmt"
	"math"

	"github.com/seed-ae386458/interlock/embedding/internal/kernel"
)

const (
	width    = 256            // channels of one branch
	channels = 3 * width      // of the three projections
	joined   = Dim + channels // embedding and branches, side by side
)

// affine is a gain and a bias for each channel.
type affine struct{ gain, bias []float32 }

// A branch looks at windows of n neighbouring tokens, twice, each time adding
// to what it had. Zeros stand beyond the ends of the text.
type branch struct {
	n, left  int // window t covers tokens t-left … t-left+n-1
	proj     matrix
	projBias []float32
	norm     affine // this branch's part of the gains over all channels
	conv     [2]matrix
	convBias [2][]float32
}

func (b *branch) open(f *container, n int) {
	b.n, b.left = n, (n-1)/2
	b.proj = f.matrix(fmt.Sprintf("proj%d", n), width, Dim)
	b.projBias = f.floats(fmt.Sprintf("proj%d.b", n), width)
	b.norm = affine{f.floats(fmt.Sprintf("lng%d", n), width), f.floats(fmt.Sprintf("lnb%d", n), width)}
	for i := range b.conv {
		name := fmt.Sprintf("w%d_%d", i+1, n)
		b.conv[i] = f.matrix(name, width, n*width)
		b.convBias[i] = f.floats(name+".b", width)
	}
}

// scratch is the working memory of one Embed call, at most 3 MB.
type scratch struct {
	text   cutting
	zeros  [Dim]float32
	tokens []*token
	fresh  []*token
	acts   []int16   // activations, one row of width a token and padding around
	acc    []int32   // exact sums
	rows   []float32 // joined channels of each token
	hidden []float32 // between the two windows of a branch
	scale  [width]float32
	sum    [joined]float32
	head   headScratch
}

// forward sets out to the vector of the tokens ids.
func (m *Model) forward(out []float32, s *scratch, ids []uint32) {
	n := len(ids)
	m.look(s, ids)
	s.rows = grow(s.rows, n*joined)
	s.hidden = grow(s.hidden, n*width)
	for t, tok := range s.tokens {
		copy(s.rows[t*joined:], tok.emb[:])
	}
	for i := range m.branch {
		m.window(s, i)
	}
	m.pool(s)
	m.head.run(m.kernel, out, &s.head, s.sum[:], n, m.eps)
}

// look sets s.tokens, projecting those that the cache lacks.
func (m *Model) look(s *scratch, ids []uint32) {
	s.tokens, s.fresh = s.tokens[:0], s.fresh[:0]
	for _, id := range ids {
		tok := m.tokens.get(id)
		for i := 0; tok == nil && i < len(s.fresh); i++ {
			if s.fresh[i].id == id {
				tok = s.fresh[i]
			}
		}
		if tok == nil {
			tok = &token{id: id}
			s.fresh = append(s.fresh, tok)
		}
		s.tokens = append(s.tokens, tok)
	}
	if len(s.fresh) == 0 {
		return
	}
	m.project(s)
	for _, tok := range s.fresh {
		m.tokens.put(tok)
	}
}

// project fills the fresh tokens: embedding, projections, and one layer norm
// over all three projections together.
func (m *Model) project(s *scratch) {
	n := len(s.fresh)
	s.acts = grow(s.acts, n*Dim)
	s.acc = grow(s.acc, n*width)
	s.hidden = grow(s.hidden, n)
	for t, tok := range s.fresh {
		m.table.row(&tok.emb, tok.id)
		s.hidden[t] = quantise(m.kernel, s.acts[t*Dim:(t+1)*Dim], tok.emb[:])
	}
	for i := range m.branch {
		b := &m.branch[i]
		m.kernel.Dot(s.acc, s.acts, Dim, n, b.proj.weights, width, Dim)
		for t, tok := range s.fresh {
			b.proj.values(tok.proj[i*width:(i+1)*width], s.acc[t*width:], s.hidden[t])
			add(tok.proj[i*width:(i+1)*width], b.projBias)
		}
	}
	for _, tok := range s.fresh {
		m.normalise(tok)
	}
}

func (m *Model) normalise(tok *token) {
	mean, inv := moments(m.kernel, tok.proj[:], m.eps)
	for i := range m.branch {
		norm, part := m.branch[i].norm, tok.proj[i*width:(i+1)*width]
		for j, v := range part {
			part[j] = float32(float32(float32(v-mean)*inv)*norm.gain[j]) + norm.bias[j]
		}
		tok.peak[i] = m.kernel.MaxAbs(part)
	}
}

// window runs branch i over the text and leaves its channels in s.rows.
func (m *Model) window(s *scratch, i int) {
	n, b := len(s.tokens), &m.branch[i]
	s.acts = grow(s.acts, (n+b.n-1)*width)
	s.acc = grow(s.acc, n*width)
	var peak float32
	for _, tok := range s.tokens {
		peak = max(peak, tok.peak[i])
	}
	scale, inv := scales(peak)
	body := b.pad(s.acts, n)
	for t, tok := range s.tokens {
		m.kernel.Quantise(body[t*width:(t+1)*width], tok.proj[i*width:(i+1)*width], inv)
	}
	bias := m.convolve(s, b, 0, scale)
	for t, tok := range s.tokens {
		m.kernel.AddRelu(s.hidden[t*width:(t+1)*width], tok.proj[i*width:], s.acc[t*width:], s.scale[:], bias)
	}

	bias = m.convolve(s, b, 1, quantise(m.kernel, body, s.hidden))
	for t := range n {
		row := s.rows[t*joined+Dim+i*width:][:width]
		m.kernel.AddRelu(row, s.hidden[t*width:], s.acc[t*width:], s.scale[:], bias)
	}
}

// pad zeroes the rows around the text and returns those between.
func (b *branch) pad(acts []int16, n int) []int16 {
	body := acts[b.left*width : (b.left+n)*width]
	clear(acts[:b.left*width])
	clear(acts[(b.left+n)*width:])
	return body
}

// convolve leaves the sums of all windows in s.acc and their scales in
// s.scale, and returns the bias that goes with them.
func (m *Model) convolve(s *scratch, b *branch, layer int, scale float32) []float32 {
	w := &b.conv[layer]
	m.kernel.Dot(s.acc, s.acts, width, len(s.tokens), w.weights, w.out, w.in)
	for o, v := range w.scale {
		s.scale[o] = v * scale
	}
	return b.convBias[layer]
}

// pool sets s.sum to the sum of the layer-normalised rows.
func (m *Model) pool(s *scratch) {
	clear(s.sum[:])
	for t := range s.tokens {
		row := s.rows[t*joined : (t+1)*joined]
		mean, inv := moments(m.kernel, row, m.eps)
		m.kernel.AddCentred(s.sum[:], row, mean, inv)
	}
	n := float32(len(s.tokens))
	for i, v := range s.sum {
		s.sum[i] = float32(v*m.norm.gain[i]) + float32(n*m.norm.bias[i])
	}
}

// moments returns the mean of x and the inverse of its standard deviation.
func moments(k kernel.Kernel, x []float32, eps float32) (mean, inv float32) {
	n := float32(len(x))
	mean = k.Sum(x) / n
	return mean, 1 / sqrt(k.SumSquares(x, mean)/n+eps)
}

// quantise sets dst to x at full range and returns the scale that undoes it.
func quantise(k kernel.Kernel, dst []int16, x []float32) float32 {
	scale, inv := scales(k.MaxAbs(x))
	k.Quantise(dst, x, inv)
	return scale
}

// scales returns what turns activations into numbers and back, zeros when all
// are too small to tell apart.
func scales(peak float32) (scale, inv float32) {
	if !(peak > 1e-30) {
		return 0, 0
	}
	return peak / kernel.Peak, kernel.Peak / peak
}

// values sets dst to the sums of one activation row as floats.
func (m *matrix) values(dst []float32, acc []int32, scale float32) {
	acc = acc[:len(m.scale)]
	for o, v := range acc {
		dst[o] = float32(v) * float32(m.scale[o]*scale)
	}
}

func add(dst, x []float32) {
	for i, v := range x {
		dst[i] += v
	}
}

func sqrt(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// grow returns a slice of n values; what it holds is not cleared.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

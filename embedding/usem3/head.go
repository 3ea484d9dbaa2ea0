package usem3

import (
	"math"

	"github.com/seed-ae386458/interlock/embedding/internal/kernel"
)

// head turns the pooled channels into the vector.
type head struct {
	cnn            matrix
	bias           []float32
	d0, d1, d2, d3 matrix
	p1, p3         matrix
}

const narrow = 320 // channels of the two inner layers

func (h *head) open(f *container) {
	h.cnn, h.bias = f.matrix("cnn", Dim, joined), f.floats("cnn.b", Dim)
	h.d0, h.d1 = f.matrix("d0", narrow, Dim), f.matrix("d1", narrow, narrow)
	h.d2, h.d3 = f.matrix("d2", Dim, narrow), f.matrix("d3", Dim, Dim)
	h.p1, h.p3 = f.matrix("p1", narrow, Dim), f.matrix("p3", Dim, narrow)
}

type headScratch struct {
	acts  [joined]int16
	acc   [Dim]int32
	m, y2 [Dim]float32
	y0    [narrow]float32
	y1    [narrow]float32
	extra [Dim]float32
}

// run computes, for n tokens whose channels add up to sum,
//
//	m  = (cnn·sum + n·bias)/√n
//	y0 = relu(d0·m)   y1 = relu(p1·m + d1·y0)   y2 = relu(d2·y1)
//	z  = tanh(p3·y1 + d3·y2)   out = z/|z|
func (h *head) run(k kernel.Kernel, out []float32, s *headScratch, sum []float32, n int, eps float32) {
	tokens, root := float32(n), sqrt(float32(n))
	h.cnn.times(k, s, s.m[:], sum)
	for i, b := range h.bias {
		s.m[i] = (s.m[i] + float32(tokens*b)) / root
	}
	h.d0.times(k, s, s.y0[:], s.m[:])
	relu(s.y0[:])
	h.p1.times(k, s, s.extra[:narrow], s.m[:])
	h.d1.times(k, s, s.y1[:], s.y0[:])
	add(s.y1[:], s.extra[:narrow])
	relu(s.y1[:])
	h.d2.times(k, s, s.y2[:], s.y1[:])
	relu(s.y2[:])
	h.p3.times(k, s, s.extra[:], s.y1[:])
	h.d3.times(k, s, out, s.y2[:])
	for i, v := range out {
		out[i] = tanh(v + s.extra[i])
	}
	inv := 1 / sqrt(k.SumSquares(out, 0)+eps)
	for i, v := range out {
		out[i] = v * inv
	}
}

// times sets dst to the product of the matrix and x.
func (m *matrix) times(k kernel.Kernel, s *headScratch, dst, x []float32) {
	scale := quantise(k, s.acts[:m.in], x)
	k.Dot(s.acc[:], s.acts[:], 0, 1, m.weights, m.out, m.in)
	m.values(dst, s.acc[:], scale)
}

func relu(x []float32) {
	for i, v := range x {
		if !(v > 0) {
			x[i] = 0
		}
	}
}

// tanh is written out because the standard one differs between processors in
// its last bits. It is 1 - 2/(e²ᵛ+1); beyond ±10 that is ±1 in single
// precision.
func tanh(v float32) float32 {
	switch {
	case v > 10:
		return 1
	case v < -10:
		return -1
	}
	return float32(1 - 2/(exp(2*float64(v))+1))
}

// exp returns eˣ for |x| ≤ 20: x = n·ln2 + r, eʳ by its series up to r¹³.
func exp(x float64) float64 {
	n := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(n*math.Ln2)
	sum, c := 1.0, 1.0
	for _, d := range [...]float64{13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1} {
		sum = c + float64(float64(r/d)*sum)
	}
	return math.Ldexp(sum, int(n))
}

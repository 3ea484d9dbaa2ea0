// Package embedding compares texts by their vectors.
//
// It promises compact unit vectors of 8-bit integers whose cosine comes out of
// an exact integer sum, so the same vectors rank the same way on every
// processor, and a scan over many of them that costs little more than reading
// them. It refuses to know where vectors come from: package usem3 makes them
// in-process, an endpoint may make them elsewhere, and comparing vectors of two
// different models is the caller's mistake to avoid.
//
//	query := embedding.Quantise(model.Embed(nil, "create an issue"))
//	n := embedding.Scan(query.Values, rows, sums) // rows: vectors end to end
//	cosine := embedding.CosineOf(sums[0], query.Scale, scales[0])
package embedding

import (
	"math"

	"github.com/seed-ae386458/interlock/embedding/internal/kernel"
)

// A Vector is a direction: Scale·Values has length one. The zero Vector points
// nowhere, and its cosine with anything is 0.
//
// Invariant: Scale = 1/√(Σ Values[i]²), or 0 when every value is 0. Values
// alone are enough to store; Unit gives the Vector back.
type Vector struct {
	Values []int8
	Scale  float32
}

// MaxDim is the greatest length of a Vector whose sums cannot overflow:
// MaxDim·128² < 2³¹.
const MaxDim = 1 << 16

// Quantise turns a float vector of any length into a Vector, its largest
// component at ±127. Values beyond MaxDim are dropped; a vector of zeros, or
// one that holds an infinity or NaN, becomes zeros.
func Quantise(x []float32) Vector {
	x = x[:min(len(x), MaxDim)]
	values := make([]int8, len(x))
	var peak float32
	for _, v := range x {
		if v != v {
			return Vector{Values: values}
		}
		peak = max(peak, v, -v)
	}
	if peak == 0 || peak > math.MaxFloat32 {
		return Vector{Values: values}
	}
	for i, v := range x {
		values[i] = int8(math.RoundToEven(float64(v) * 127 / float64(peak)))
	}
	return Unit(values)
}

// Unit makes the Vector that points along values, which it keeps.
func Unit(values []int8) Vector {
	values = values[:min(len(values), MaxDim)]
	var squares int64
	for _, v := range values {
		squares += int64(v) * int64(v)
	}
	if squares == 0 {
		return Vector{Values: values}
	}
	return Vector{Values: values, Scale: float32(1 / math.Sqrt(float64(squares)))}
}

// Cosine returns the cosine of the angle between a and b, in [-1,1]; 0 if
// their lengths differ.
func Cosine(a, b Vector) float32 {
	if len(a.Values) != len(b.Values) {
		return 0
	}
	var sum int32
	for i, v := range a.Values {
		sum += int32(v) * int32(b.Values[i])
	}
	return CosineOf(sum, a.Scale, b.Scale)
}

// CosineOf turns a sum that Scan found into the cosine of the two vectors.
func CosineOf(sum int32, scaleA, scaleB float32) float32 {
	c := float32(float32(sum)*scaleA) * scaleB
	return max(-1, min(1, c))
}

// Dot returns Σ a[i]·b[i] over the shorter length, added in an order that does
// not depend on the processor. For unit vectors it is their cosine.
func Dot(a, b []float32) float32 { return kernel.Product(a, b) }

// Scan sets sums[i] to the exact dot product of query and the i-th of the
// vectors that lie end to end in rows, and returns how many it set: as many as
// rows holds whole and sums has room for, none for an empty query or one
// longer than MaxDim.
func Scan(query, rows []int8, sums []int32) int {
	dim := len(query)
	if dim == 0 || dim > MaxDim {
		return 0
	}
	n := min(len(rows)/dim, len(sums))
	wide := make([]int16, dim)
	for i, v := range query {
		wide[i] = int16(v)
	}
	kernel.Best().Dot(sums, wide, 0, 1, rows[:n*dim], n, dim)
	return n
}

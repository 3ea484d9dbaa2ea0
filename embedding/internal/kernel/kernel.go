// Package kernel holds the arithmetic that embedding spends its time in.
//
// It promises the same bits from every implementation: integer sums are exact,
// elementwise float steps round after each operation and are never fused, and
// every float sum adds eight interleaved lanes in one fixed order. A vector
// computed on one processor can therefore be compared, cached and signed on any
// other. It refuses nothing: callers keep lengths right, and shapes that do not
// fit the slices panic as slicing always does.
//
//	k := kernel.Best()
//	k.Dot(out, acts, 256, tokens, weights, outs, 512)
package kernel

// A Kernel is one implementation of the operations. The zero value is the
// plain Go one, which runs everywhere.
type Kernel struct{ simd bool }

// Best returns the fastest kernel that this processor and its operating system
// support.
func Best() Kernel { return Kernel{simd: simdAvailable()} }

// Name tells which instructions the kernel uses: "plain", "avx2" or "neon".
func (k Kernel) Name() string {
	if k.simd {
		return simdName
	}
	return "plain"
}

// Peak is the largest magnitude Quantise is meant to produce. With 14-bit
// activations an exact 32-bit sum over n weights needs sum(|w|)·Peak < 2³¹.
const Peak = 16383

// Dot sets out[t·outs+o] = Σ_i a[t·stride+i]·w[o·n+i] for t < tokens, o < outs,
// i < n. Rows of a may overlap (stride < n), which is how a window slides over
// a text without being copied. Sums wrap like int32.
func (k Kernel) Dot(out []int32, a []int16, stride, tokens int, w []int8, outs, n int) {
	if tokens <= 0 || outs <= 0 {
		return
	}
	out, w = out[:tokens*outs], w[:outs*n]
	a = a[:(tokens-1)*stride+n]
	if k.simd {
		dotSIMD(out, a, stride, tokens, w, outs, n)
		return
	}
	clear(out)
	dotPlain(out, a, stride, tokens, w, outs, n)
}

// MaxAbs returns the largest |x[i]|, 0 for no values.
func (k Kernel) MaxAbs(x []float32) float32 {
	if k.simd {
		return maxAbsSIMD(x)
	}
	return maxAbsPlain(x, 0)
}

// Quantise sets dst[i] to x[i]·inv rounded to the nearest integer, ties to
// even. It needs |x[i]·inv| ≤ 32767.
func (k Kernel) Quantise(dst []int16, x []float32, inv float32) {
	dst = dst[:len(x)]
	if k.simd {
		quantiseSIMD(dst, x, inv)
		return
	}
	quantisePlain(dst, x, inv)
}

// AddRelu sets dst[i] = x[i] + max(0, acc[i]·s[i] + b[i]).
func (k Kernel) AddRelu(dst, x []float32, acc []int32, s, b []float32) {
	n := len(dst)
	x, acc, s, b = x[:n], acc[:n], s[:n], b[:n]
	if k.simd {
		addReluSIMD(dst, x, acc, s, b)
		return
	}
	addReluPlain(dst, x, acc, s, b)
}

// AddCentred adds (x[i]-mean)·gain to dst[i].
func (k Kernel) AddCentred(dst, x []float32, mean, gain float32) {
	x = x[:len(dst)]
	if k.simd {
		addCentredSIMD(dst, x, mean, gain)
		return
	}
	addCentredPlain(dst, x, mean, gain)
}

// Sum adds up x in the fixed order.
func (k Kernel) Sum(x []float32) float32 {
	var l Lanes
	if k.simd {
		sumSIMD(&l, x)
	} else {
		l.sum(x)
	}
	return l.total()
}

// SumSquares adds up (x[i]-mean)² in the fixed order.
func (k Kernel) SumSquares(x []float32, mean float32) float32 {
	var l Lanes
	if k.simd {
		sumSquaresSIMD(&l, x, mean)
	} else {
		l.sumSquares(x, mean)
	}
	return l.total()
}

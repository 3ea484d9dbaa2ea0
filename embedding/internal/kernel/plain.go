package kernel

import "math"

// span is how many activations dotPlain packs at once.
const span = 256

// dotPlain adds the products to out. It packs two tokens into the halves of a
// 64-bit integer, so that one multiplication serves both:
//
//	Σ (a0 + a1·2³²)·w = S0 + S1·2³²  (mod 2⁶⁴)
//
// and S0 is the low half as a signed number, S1 what remains above it.
func dotPlain(out []int32, a []int16, stride, tokens int, w []int8, outs, n int) {
	var pair [span]int64
	for t := 0; t < tokens; t += 2 {
		row0 := a[t*stride : t*stride+n]
		out0 := out[t*outs : (t+1)*outs]
		var row1 []int16
		var out1 []int32
		if t+1 < tokens {
			row1 = a[(t+1)*stride : (t+1)*stride+n]
			out1 = out[(t+1)*outs : (t+2)*outs]
		}
		for i := 0; i < n; i += span {
			m := min(span, n-i)
			pack(pair[:m], row0[i:], row1, i)
			addPair(out0, out1, pair[:m], w[i:], n)
		}
	}
}

// pack sets dst[j] = row0[j] + row1[i+j]·2³²; an empty row1 counts as zeros.
func pack(dst []int64, row0, row1 []int16, i int) {
	for j, v := range row0[:len(dst)] {
		dst[j] = int64(v)
	}
	if len(row1) == 0 {
		return
	}
	for j, v := range row1[i:][:len(dst)] {
		dst[j] += int64(v) << 32
	}
}

// addPair adds pair · (row o of w) to out0[o] and out1[o]; rows lie n apart.
func addPair(out0, out1 []int32, pair []int64, w []int8, n int) {
	o := 0
	for ; o+4 <= len(out0); o += 4 {
		s := fourRows(pair, w[o*n:], w[(o+1)*n:], w[(o+2)*n:], w[(o+3)*n:])
		for j, v := range s {
			addHalves(out0, out1, o+j, v)
		}
	}
	for ; o < len(out0); o++ {
		var s int64
		for i, v := range w[o*n:][:len(pair)] {
			s += pair[i] * int64(v)
		}
		addHalves(out0, out1, o, s)
	}
}

func fourRows(pair []int64, w0, w1, w2, w3 []int8) [4]int64 {
	w0, w1, w2, w3 = w0[:len(pair)], w1[:len(pair)], w2[:len(pair)], w3[:len(pair)]
	var s0, s1, s2, s3 int64
	for i, v := range pair {
		s0 += v * int64(w0[i])
		s1 += v * int64(w1[i])
		s2 += v * int64(w2[i])
		s3 += v * int64(w3[i])
	}
	return [4]int64{s0, s1, s2, s3}
}

func addHalves(out0, out1 []int32, o int, s int64) {
	low := int32(s)
	out0[o] += low
	if len(out1) > 0 {
		out1[o] += int32((s - int64(low)) >> 32)
	}
}

func maxAbsPlain(x []float32, m float32) float32 {
	for _, v := range x {
		if v < 0 {
			v = -v
		}
		if v > m {
			m = v
		}
	}
	return m
}

// Adding 1.5·2²³ leaves no room for a fraction: the sum is rounded to the
// nearest integer, ties to even, and its low bits are that integer.
const (
	rounder     = 1.5 * (1 << 23)
	rounderBits = 0x4B400000
)

func quantisePlain(dst []int16, x []float32, inv float32) {
	dst = dst[:len(x)]
	for i, v := range x {
		r := float32(v*inv) + rounder
		dst[i] = int16(int32(math.Float32bits(r)) - rounderBits)
	}
}

func addReluPlain(dst, x []float32, acc []int32, s, b []float32) {
	n := len(dst)
	x, acc, s, b = x[:n], acc[:n], s[:n], b[:n]
	for i := range dst {
		v := float32(float32(acc[i])*s[i]) + b[i]
		if !(v > 0) {
			v = 0
		}
		dst[i] = x[i] + v
	}
}

func addCentredPlain(dst, x []float32, mean, gain float32) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] += float32(float32(v-mean) * gain)
	}
}

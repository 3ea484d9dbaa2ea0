//go:build amd64 && !purego

package kernel

import "golang.org/x/sys/cpu"

const simdName = "avx2"

// simdAvailable asks for the instructions and for an operating system that
// saves the wide registers.
func simdAvailable() bool { return cpu.X86.HasAVX2 }

// tile4x2 sets the dot products of 4·groups activation rows with two weight
// rows. Strides are in bytes; n is a positive multiple of 16.
//
//go:noescape
func tile4x2(out *int32, outStride int, a *int16, stride int, groups int, w *int8, wStride int, n int)

// row1x4 sets the dot products of one activation row with 4·groups weight
// rows. wStride is in bytes; n is a positive multiple of 16.
//
//go:noescape
func row1x4(out *int32, a *int16, groups int, w *int8, wStride int, n int)

// The functions below take a positive multiple of 8 values; quantise8x2 of 16.

//go:noescape
func maxAbs8(x *float32, n int) float32

//go:noescape
func quantise8x2(dst *int16, x *float32, n int, inv float32)

//go:noescape
func addRelu8(dst, x *float32, acc *int32, s, b *float32, n int)

//go:noescape
func addCentred8(dst, x *float32, n int, mean, gain float32)

//go:noescape
func sum8(l *Lanes, x *float32, n int)

//go:noescape
func sumSquares8(l *Lanes, x *float32, n int, mean float32)

func maxAbsSIMD(x []float32) float32 {
	n := len(x) &^ 7
	var m float32
	if n > 0 {
		m = maxAbs8(&x[0], n)
	}
	return maxAbsPlain(x[n:], m)
}

func quantiseSIMD(dst []int16, x []float32, inv float32) {
	n := len(x) &^ 15
	if n > 0 {
		quantise8x2(&dst[0], &x[0], n, inv)
	}
	quantisePlain(dst[n:], x[n:], inv)
}

func addReluSIMD(dst, x []float32, acc []int32, s, b []float32) {
	n := len(dst) &^ 7
	if n > 0 {
		addRelu8(&dst[0], &x[0], &acc[0], &s[0], &b[0], n)
	}
	addReluPlain(dst[n:], x[n:], acc[n:], s[n:], b[n:])
}

func addCentredSIMD(dst, x []float32, mean, gain float32) {
	n := len(dst) &^ 7
	if n > 0 {
		addCentred8(&dst[0], &x[0], n, mean, gain)
	}
	addCentredPlain(dst[n:], x[n:], mean, gain)
}

func sumSIMD(l *Lanes, x []float32) {
	n := len(x) &^ 7
	if n > 0 {
		sum8(l, &x[0], n)
	}
	l.sum(x[n:])
}

func sumSquaresSIMD(l *Lanes, x []float32, mean float32) {
	n := len(x) &^ 7
	if n > 0 {
		sumSquares8(l, &x[0], n, mean)
	}
	l.sumSquares(x[n:], mean)
}

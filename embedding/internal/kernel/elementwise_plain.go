//go:build !amd64 || purego

package kernel

// Where no vector form of these exists, the plain one stands in: it gives the
// same bits, and the dot products dominate.

func maxAbsSIMD(x []float32) float32 { return maxAbsPlain(x, 0) }

func quantiseSIMD(dst []int16, x []float32, inv float32) { quantisePlain(dst, x, inv) }

func addReluSIMD(dst, x []float32, acc []int32, s, b []float32) { addReluPlain(dst, x, acc, s, b) }

func addCentredSIMD(dst, x []float32, mean, gain float32) { addCentredPlain(dst, x, mean, gain) }

func sumSIMD(l *Lanes, x []float32) { l.sum(x) }

func sumSquaresSIMD(l *Lanes, x []float32, mean float32) { l.sumSquares(x, mean) }

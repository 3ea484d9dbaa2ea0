//go:build arm64 && !purego

package kernel

const simdName = "neon"

// simdAvailable holds always: these instructions are part of every arm64.
func simdAvailable() bool { return true }

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

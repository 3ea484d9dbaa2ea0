//go:build (!amd64 && !arm64) || purego

package kernel

const simdName = "plain"

func simdAvailable() bool { return false }

func dotSIMD(out []int32, a []int16, stride, tokens int, w []int8, outs, n int) {
	clear(out)
	dotPlain(out, a, stride, tokens, w, outs, n)
}

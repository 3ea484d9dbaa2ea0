//go:build (amd64 || arm64) && !purego

package kernel

// block is how many products one step of the vector loops takes.
const block = 16

// dotSIMD gives the vector loops the part that fills their tiles and the plain
// loop the edges. Every entry of out is written by exactly one of them, except
// that the plain loop adds the tail beyond the last whole block.
func dotSIMD(out []int32, a []int16, stride, tokens int, w []int8, outs, n int) {
	whole := n &^ (block - 1)
	if whole == 0 {
		clear(out)
		dotPlain(out, a, stride, tokens, w, outs, n)
		return
	}
	tiled := tokens &^ 3
	if tiled > 0 {
		for o := 0; o+2 <= outs; o += 2 {
			tile4x2(&out[o], outs*4, &a[0], stride*2, tiled/4, &w[o*n], n, whole)
		}
	}
	for t := tiled; t < tokens; t++ {
		if outs >= 4 {
			row1x4(&out[t*outs], &a[t*stride], outs/4, &w[0], n, whole)
		}
	}
	dotEdges(out, a, stride, tokens, w, outs, n)
}

// dotEdges computes what the tiles left out: the last outputs, and for all
// outputs the last n mod block products.
func dotEdges(out []int32, a []int16, stride, tokens int, w []int8, outs, n int) {
	whole := n &^ (block - 1)
	for t := range tokens {
		done := outs &^ 1
		if t >= tokens&^3 {
			done = outs &^ 3
		}
		row := a[t*stride : t*stride+n]
		for o := done; o < outs; o++ {
			out[t*outs+o] = product(row, w[o*n:(o+1)*n])
		}
		if whole == n {
			continue
		}
		for o := range done {
			out[t*outs+o] += product(row[whole:], w[o*n+whole:(o+1)*n])
		}
	}
}

func product(a []int16, w []int8) int32 {
	var s int32
	for i, v := range w[:len(a)] {
		s += int32(a[i]) * int32(v)
	}
	return s
}

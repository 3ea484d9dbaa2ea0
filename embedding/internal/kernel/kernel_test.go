package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kernels lists the implementations to hold against the stupid way.
func kernels(t *testing.T) []Kernel {
	best := Best()
	t.Logf("best kernel: %s", best.Name())
	if best == (Kernel{}) {
		return []Kernel{{}}
	}
	return []Kernel{{}, best}
}

func TestDotMatchesDefinition(t *testing.T) {
	shapes := []struct{ tokens, stride, outs, n int }{
		{1, 1, 1, 1}, {1, 7, 3, 7}, {2, 3, 2, 15}, {3, 16, 4, 16}, {4, 16, 2, 16},
		{4, 5, 7, 17}, {5, 256, 6, 512}, {7, 31, 9, 33}, {8, 256, 5, 1280},
		{9, 100, 4, 300}, {13, 256, 8, 768}, {16, 48, 3, 40}, {1, 320, 512, 320},
		{1, 0, 5, 511}, {6, 0, 4, 64}, {3, 0, 2, 0}, {0, 4, 4, 4}, {4, 4, 0, 4},
	}
	for _, k := range kernels(t) {
		for _, s := range shapes {
			t.Run(fmt.Sprintf("%s/%dx%d/%d+%d", k.Name(), s.tokens, s.outs, s.n, s.stride), func(t *testing.T) {
				checkDot(t, k, rand.New(rand.NewPCG(1, uint64(s.n))), s.tokens, s.stride, s.outs, s.n)
			})
		}
	}
}

func TestDotRandomShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for range 300 {
		tokens, outs, n, stride := r.IntN(12), r.IntN(12), r.IntN(100), r.IntN(120)
		for _, k := range []Kernel{{}, Best()} {
			checkDot(t, k, r, tokens, stride, outs, n)
		}
	}
}

// checkDot compares a kernel with the definition, bounds of out included.
func checkDot(t *testing.T, k Kernel, r *rand.Rand, tokens, stride, outs, n int) {
	t.Helper()
	a := make([]int16, max(0, tokens-1)*stride+n)
	for i := range a {
		a[i] = int16(r.IntN(2*Peak+1) - Peak)
	}
	w := make([]int8, outs*n)
	for i := range w {
		w[i] = int8(r.IntN(256) - 128)
	}
	got, want := make([]int32, tokens*outs+3), make([]int32, tokens*outs+3)
	for i := range got {
		got[i], want[i] = -77, -77
	}
	for tok := range tokens {
		for o := range outs {
			var s int32
			for i := range n {
				s += int32(a[tok*stride+i]) * int32(w[o*n+i])
			}
			want[tok*outs+o] = s
		}
	}
	k.Dot(got, a, stride, tokens, w, outs, n)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s Dot %d tokens +%d, %d outs, n %d (-want +got):\n%s", k.Name(), tokens, stride, outs, n, diff)
	}
}

// The largest sums the callers allow must survive the packed halves.
func TestDotExtremes(t *testing.T) {
	const n = 1023
	a, w := make([]int16, 5*n), make([]int8, 4*n)
	for i := range a {
		a[i] = Peak
		if i/n == 1 {
			a[i] = -Peak
		}
	}
	for i := range w {
		w[i] = -128
		if i/n == 2 {
			w[i] = 127
		}
	}
	for _, k := range kernels(t) {
		out := make([]int32, 5*4)
		k.Dot(out, a, n, 5, w, 4, n)
		for i, got := range out {
			want := int64(a[i/4*n]) * int64(w[i%4*n]) * n
			if int64(got) != want {
				t.Errorf("%s Dot[%d] = %d, want %d", k.Name(), i, got, want)
			}
		}
	}
}

func TestElementwiseSameBits(t *testing.T) {
	for n := range 70 {
		r := rand.New(rand.NewPCG(3, uint64(n)))
		x, y, s, b := floats(r, n), floats(r, n), floats(r, n), floats(r, n)
		acc := make([]int32, n)
		for i := range acc {
			acc[i] = int32(r.Uint32())
		}
		type result struct {
			Max, Sum, Squares uint32
			Q                 []int16
			Relu, Centred     []uint32
		}
		run := func(k Kernel) result {
			relu, centred, q := make([]float32, n), append([]float32(nil), y...), make([]int16, n)
			k.AddRelu(relu, x, acc, s, b)
			k.AddCentred(centred, x, 0.3, 1.7)
			m := k.MaxAbs(x)
			k.Quantise(q, x, Peak/max(m, 1))
			return result{
				Max: math.Float32bits(m), Sum: math.Float32bits(k.Sum(x)),
				Squares: math.Float32bits(k.SumSquares(x, 0.25)),
				Q:       q, Relu: bits(relu), Centred: bits(centred),
			}
		}
		if diff := cmp.Diff(run(Kernel{}), run(Best())); diff != "" {
			t.Fatalf("n %d: plain and %s differ:\n%s", n, Best().Name(), diff)
		}
	}
}

func TestQuantiseTiesToEven(t *testing.T) {
	x := []float32{0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, -16383, 16383, 16382.5, 0, -0.75}
	want := []int16{0, 2, 2, 0, -2, -2, 0, -16383, 16383, 16382, 0, -1}
	for len(x) < 40 { // enough for the vector loop
		x, want = append(x, x[:8]...), append(want, want[:8]...)
	}
	for _, k := range kernels(t) {
		got := make([]int16, len(x))
		k.Quantise(got, x, 1)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s Quantise (-want +got):\n%s", k.Name(), diff)
		}
	}
}

func TestAddReluZeroes(t *testing.T) {
	negZero := float32(math.Copysign(0, -1))
	for _, k := range kernels(t) {
		dst := make([]float32, 9)
		x := []float32{negZero, 1, 2, negZero, 0, 5, 6, 7, negZero}
		s := []float32{1, 1, 1, 1, 1, 1, 1, 1, 1}
		b := []float32{negZero, -1, 1, -2, negZero, 0, 0, 0, -3}
		k.AddRelu(dst, x, make([]int32, 9), s, b)
		want := []float32{0, 1, 3, 0, 0, 5, 6, 7, 0}
		if diff := cmp.Diff(bits(want), bits(dst)); diff != "" {
			t.Errorf("%s AddRelu (-want +got):\n%s", k.Name(), diff)
		}
	}
}

func TestSumsAreCloseToExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	x, y := floats(r, 1283), floats(r, 1283)
	var sum, squares, prod float64
	for i := range x {
		sum += float64(x[i])
		squares += (float64(x[i]) - 0.5) * (float64(x[i]) - 0.5)
		prod += float64(x[i]) * float64(y[i])
	}
	k := Best()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Sum", float64(k.Sum(x)), sum},
		{"SumSquares", float64(k.SumSquares(x, 0.5)), squares},
		{"Product", float64(Product(x, y)), prod},
	} {
		if math.Abs(c.got-c.want) > 1e-2 {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

func floats(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64() * 3)
	}
	return x
}

func bits(x []float32) []uint32 {
	b := make([]uint32, len(x))
	for i, v := range x {
		b[i] = math.Float32bits(v)
	}
	return b
}

func BenchmarkDot(b *testing.B) {
	const tokens, outs, n = 16, 256, 768
	a, w, out := make([]int16, (tokens+2)*256), make([]int8, outs*n), make([]int32, tokens*outs)
	for _, k := range []Kernel{{}, Best()} {
		b.Run(k.Name(), func(b *testing.B) {
			for b.Loop() {
				k.Dot(out, a, 256, tokens, w, outs, n)
			}
			b.ReportMetric(float64(tokens*outs*n)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "MAC/ns")
		})
	}
}

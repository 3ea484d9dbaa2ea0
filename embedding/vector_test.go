package embedding

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestQuantise(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	tests := []struct {
		name string
		in   []float32
		want Vector
	}{
		{"empty", nil, Vector{Values: []int8{}}},
		{"zeros", []float32{0, 0}, Vector{Values: []int8{0, 0}}},
		{"one", []float32{-3}, Vector{Values: []int8{-127}, Scale: 1.0 / 127}},
		{"half", []float32{2, -1, 0}, Vector{Values: []int8{127, -64, 0}, Scale: float32(1 / math.Sqrt(127*127+64*64))}},
		{"tiny", []float32{1e-40, 0}, Vector{Values: []int8{127, 0}, Scale: 1.0 / 127}},
		{"huge", []float32{3e38, 3e38}, Vector{Values: []int8{127, 127}, Scale: float32(1 / math.Sqrt(2*127*127))}},
		{"infinite", []float32{1, inf}, Vector{Values: []int8{0, 0}}},
		{"not a number", []float32{1, nan}, Vector{Values: []int8{0, 0}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Quantise(tt.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if got := len(Quantise(make([]float32, MaxDim+5)).Values); got != MaxDim {
		t.Errorf("Quantise kept %d values, want %d", got, MaxDim)
	}
}

func TestCosine(t *testing.T) {
	tests := []struct {
		name string
		a, b []int8
		want float32
	}{
		{"same", []int8{3, 4}, []int8{3, 4}, 1},
		{"any length", []int8{3, 4}, []int8{6, 8}, 1},
		{"opposite", []int8{3, 4}, []int8{-3, -4}, -1},
		{"square", []int8{1, 0}, []int8{0, 1}, 0},
		{"zero", []int8{0, 0}, []int8{1, 1}, 0},
		{"lengths differ", []int8{1}, []int8{1, 1}, 0},
		{"empty", nil, nil, 0},
	}
	for _, tt := range tests {
		got := Cosine(Unit(tt.a), Unit(tt.b))
		if math.Abs(float64(got-tt.want)) > 1e-6 || got > 1 || got < -1 {
			t.Errorf("%s: Cosine = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestCosineFollowsFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		a, b := unitFloats(r, 512), unitFloats(r, 512)
		for i := range b { // half alike
			b[i] = (a[i] + b[i]) / float32(math.Sqrt2)
		}
		exact := Dot(a, b) / float32(math.Sqrt(float64(Dot(a, a))*float64(Dot(b, b))))
		got := Cosine(Quantise(a), Quantise(b))
		if math.Abs(float64(got-exact)) > 0.003 {
			t.Fatalf("Cosine = %v, floats say %v", got, exact)
		}
	}
}

func TestScanMatchesDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		dim, n, room := 1+r.IntN(70), r.IntN(20), r.IntN(24)
		query, rows := bytes(r, dim), bytes(r, dim*n+r.IntN(dim))
		want, got := make([]int32, room), make([]int32, room)
		set := min(n, room)
		for i := range set {
			for j := range dim {
				want[i] += int32(query[j]) * int32(rows[i*dim+j])
			}
		}
		if count := Scan(query, rows, got); count != set {
			t.Fatalf("Scan(%d values, %d rows, room %d) = %d, want %d", dim, n, room, count, set)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("Scan(%d values, %d rows) (-want +got):\n%s", dim, n, diff)
		}
	}
}

func TestScanRefuses(t *testing.T) {
	sums := []int32{5}
	if n := Scan(nil, make([]int8, 8), sums); n != 0 || sums[0] != 5 {
		t.Errorf("Scan(empty query) = %d, %v", n, sums)
	}
	long := make([]int8, MaxDim+1)
	if n := Scan(long, long, sums); n != 0 || sums[0] != 5 {
		t.Errorf("Scan(query beyond MaxDim) = %d, %v", n, sums)
	}
}

func TestScanExtremes(t *testing.T) {
	long := make([]int8, MaxDim)
	for i := range long {
		long[i] = -128
	}
	var sums [1]int32
	Scan(long, long, sums[:])
	if want := int32(MaxDim * 128 * 128); sums[0] != want {
		t.Errorf("Scan = %d, want %d", sums[0], want)
	}
	if c := CosineOf(sums[0], Unit(long).Scale, Unit(long).Scale); c != 1 {
		t.Errorf("CosineOf = %v, want 1", c)
	}
}

func unitFloats(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	length := float32(math.Sqrt(float64(Dot(x, x))))
	for i := range x {
		x[i] /= length
	}
	return x
}

func bytes(r *rand.Rand, n int) []int8 {
	x := make([]int8, n)
	for i := range x {
		x[i] = int8(r.IntN(256) - 128)
	}
	return x
}

func BenchmarkScan(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		r := rand.New(rand.NewPCG(1, 1))
		query, rows, sums := bytes(r, 512), bytes(r, 512*n), make([]int32, n)
		b.Run(map[int]string{1000: "1k", 100_000: "100k"}[n], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Scan(query, rows, sums)
			}
		})
	}
}

package main

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestQuantile(t *testing.T) {
	for _, tc := range []struct {
		of   times
		p    float64
		want time.Duration
	}{
		{nil, 0.5, 0},
		{times{7}, 0.01, 7},
		{times{7}, 0.99, 7},
		{times{3, 1, 2}, 0.5, 2},
		{times{4, 3, 1, 2}, 0.5, 2},
		{times{4, 3, 1, 2}, 0.75, 3},
		{times{4, 3, 1, 2}, 0.76, 4},
		{times{4, 3, 1, 2}, 1, 4},
		{times{4, 3, 1, 2}, 0, 1},
	} {
		if got := tc.of.quantile(tc.p); got != tc.want {
			t.Errorf("quantile %g of %v = %d, want %d", tc.p, tc.of, got, tc.want)
		}
	}
}

// TestQuantileCounts holds the quantile against its definition: at least a share
// of p is no greater, and less than that is smaller.
func TestQuantileCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		all := make(times, 1+rng.IntN(40))
		for i := range all {
			all[i] = time.Duration(rng.IntN(20))
		}
		p := rng.Float64()
		q := all.quantile(p)
		upTo, below := 0, 0
		for _, x := range all {
			if x <= q {
				upTo++
			}
			if x < q {
				below++
			}
		}
		if n := float64(len(all)); float64(upTo) < p*n || float64(below) >= p*n && below > 0 {
			t.Fatalf("quantile %g of %v = %d: %d are no greater, %d are smaller", p, all, q, upTo, below)
		}
	}
}

func TestMedianAndRatio(t *testing.T) {
	for _, tc := range []struct {
		of   []float64
		want float64
	}{{[]float64{5}, 5}, {[]float64{5, 1}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 9, 2}, 3}} {
		if got := median(tc.of); got != tc.want {
			t.Errorf("median of %v = %g, want %g", tc.of, got, tc.want)
		}
	}
	if !math.IsNaN(median(nil)) {
		t.Error("the median of nothing is a number")
	}
	for _, tc := range []struct{ x, base, want float64 }{{6, 3, 2}, {6, 0, 0}, {math.NaN(), 3, 0}, {6, math.NaN(), 0}} {
		if got := ratio(tc.x, tc.base); got != tc.want {
			t.Errorf("ratio(%g, %g) = %g, want %g", tc.x, tc.base, got, tc.want)
		}
	}
}

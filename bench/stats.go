package main

import (
	"math"
	"slices"
	"time"
)

// times are latencies of one kind of request, over all rounds.
type times []time.Duration

// quantile gives the least latency that a share of p does not exceed; 0 of
// none.
func (t times) quantile(p float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(t))
	i := int(math.Ceil(p*float64(len(s)))) - 1
	return s[min(max(i, 0), len(s)-1)]
}

func (t times) median() time.Duration { return t.quantile(0.5) }

// median of numbers; the mean of the middle two of an even count.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// ratio of two figures; 0 where there is nothing to compare with.
func ratio(x, base float64) float64 {
	if base == 0 || math.IsNaN(base) || math.IsNaN(x) {
		return 0
	}
	return x / base
}

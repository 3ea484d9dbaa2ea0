package drift

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// trialsAfter runs a stream of a rate that changes after a while, and gives the
// observations from the change to the alarm; 0 for none, -1 for a false one.
func trialsAfter(rng *rand.Rand, from, to float64, n0, change, length int, threshold float64) int {
	s := &stream{Order: 1}
	for i := range length {
		rate := from
		if i >= change {
			rate = to
		}
		if turn, turned := s.step(rng.Float64() < rate, int64(n0), threshold); turned && turn == suspect {
			if i < change {
				return -1
			}
			return i - change + 1
		}
	}
	return 0
}

func median(all []int) int {
	slices.Sort(all)
	return all[len(all)/2]
}

// TestSuiteDelays holds the median delay from a change of a rate to the alarm
// against the reference: threshold 1e4, change after 2,000 observations, a
// baseline of 400.
func TestSuiteDelays(t *testing.T) {
	streams := 40
	if suites() {
		streams = 2000
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for _, tc := range []struct {
		from, to float64
		want     int
	}{{0.99, 0, 4}, {0.9, 0, 6}, {0.5, 0, 18}, {0.2, 0, 54}, {0.9, 0.45, 20}, {0.5, 0.25, 96}, {0.2, 0.1, 458}} {
		var delays []int
		early := 0
		for range streams {
			switch d := trialsAfter(rng, tc.from, tc.to, 400, 2000, 5000, 1e4); d {
			case -1:
				early++
			case 0:
				delays = append(delays, math.MaxInt32)
			default:
				delays = append(delays, d)
			}
		}
		got := median(delays)
		t.Logf("%.2f to %.2f: median %d, 95 in 100 within %d, reference %d; %d of %d streams alarmed before", tc.from, tc.to, got, delays[len(delays)*95/100], tc.want, early, streams)
		if got > tc.want+slack(tc.want) {
			t.Errorf("%.2f to %.2f: median %d, reference %d", tc.from, tc.to, got, tc.want)
		}
		if early > streams*23/2000+2 {
			t.Errorf("%.2f to %.2f: %d of %d streams alarmed before the change", tc.from, tc.to, early, streams)
		}
	}
}

// slack is what a short run may miss the reference by.
func slack(want int) int {
	if suites() {
		return 0
	}
	return want/3 + 1
}

package train

import (
	"math"
	"slices"
)

// AUROC is the chance that a served request has more than one that is not,
// equals counted half.
func AUROC(served, unserved []float64) float64 {
	if len(served) == 0 || len(unserved) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(unserved))
	sum := 0.0
	for _, s := range served {
		below, _ := slices.BinarySearch(sorted, s)
		upTo := below
		for upTo < len(sorted) && sorted[upTo] == s {
			upTo++
		}
		sum += float64(below) + float64(upTo-below)/2
	}
	return sum / float64(len(served)) / float64(len(unserved))
}

// AUROCInterval is half the width of its 95 % interval, by Hanley and McNeil.
func AUROCInterval(a float64, served, unserved int) float64 {
	n, m := float64(served), float64(unserved)
	q1, q2 := a/(2-a), 2*a*a/(1+a)
	return 1.96 * math.Sqrt((a*(1-a)+(n-1)*(q1-a*a)+(m-1)*(q2-a*a))/(n*m))
}

// Accepted is the share of unserved requests that are taken for served where a
// share of the served ones is refused.
func Accepted(served, unserved []float64, refused float64) float64 {
	if len(served) == 0 || len(unserved) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(served))
	at := s[min(len(s)-1, int(refused*float64(len(s))))]
	n := 0
	for _, x := range unserved {
		if x >= at {
			n++
		}
	}
	return float64(n) / float64(len(unserved))
}

// ShareInterval is half the width of the 95 % interval of a share of n.
func ShareInterval(p float64, n int) float64 { return 1.96 * math.Sqrt(p*(1-p)/float64(n)) }

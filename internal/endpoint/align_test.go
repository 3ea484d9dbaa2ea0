package endpoint

import (
	"math"
	"sync"
	"testing"

	"github.com/seed-ae386458/interlock/embedding/usem3"
)

var model = sync.OnceValues(usem3.Load)

func loaded(t testing.TB) *usem3.Model {
	t.Helper()
	m, err := model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSamples: what is written down of the embedded model is what it gives.
func TestSamples(t *testing.T) {
	m := loaded(t)
	var vs [][]float32
	for _, s := range samples {
		vs = append(vs, m.Embed(nil, s[0]), m.Embed(nil, s[1]))
	}
	near, far := means(vs)
	if math.Abs(near-nearHere) > 1e-6 || math.Abs(far-farHere) > 1e-6 {
		t.Errorf("the means are %.6f and %.6f, written down as %v and %v", near, far, nearHere, farHere)
	}
}

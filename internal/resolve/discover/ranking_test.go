package discover

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestReleased: the memory of a ranking that was given back serves the next one.
func TestReleased(t *testing.T) {
	const n = 1 << 16 // longer than any other list of places in the tests
	for range 100 {   // a pool may forget
		r := ranking{places: make([]place, n)}
		kept := &r.places[0]
		r.release()
		if r.places != nil {
			t.Fatal("a released ranking still has places")
		}
		if again := roomOf(n); &again[:1][0] == kept {
			return
		}
	}
	t.Error("nothing that was given back was used again")
}

// TestFirst: the first places are those of the whole order.
func TestFirst(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 5))
	order := func(a, b place) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.key, b.key))
	}
	for range 500 {
		all := make([]place, 1+chance.IntN(300))
		for i := range all {
			all[i] = place{rank: float64(chance.IntN(20)), at: int32(i), key: chance.Int32N(1000)}
		}
		want := slices.Clone(all)
		slices.SortFunc(want, order)
		n := 1 + chance.IntN(len(all)+1)
		got := firstOf(all, n, order)
		if len(got) != min(n, len(all)) {
			t.Fatalf("of %d the first %d are %d", len(all), n, len(got))
		}
		for i := range got {
			if order(got[i], want[i]) != 0 {
				t.Fatalf("of %d the first %d: place %d is %+v, want %+v", len(all), n, i, got[i], want[i])
			}
		}
	}
}

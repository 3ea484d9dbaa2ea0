package registry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMerge holds merging in order against sorting everything.
func TestMerge(t *testing.T) {
	type row struct {
		key string
		n   int
	}
	key := func(r row) string { return r.key }
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		have, rows := map[string]bool{}, []row{}
		for range r.IntN(12) {
			if k := fmt.Sprint(r.IntN(20)); !have[k] {
				have[k] = true
				rows = append(rows, row{k, 0})
			}
		}
		slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.key, b.key) })
		var put []row
		var drop []string
		for i := range r.IntN(6) {
			put = append(put, row{fmt.Sprint(r.IntN(20)), 1 + i})
		}
		for range r.IntN(4) {
			drop = append(drop, fmt.Sprint(r.IntN(20)))
		}
		want := slices.Concat(slices.DeleteFunc(slices.Clone(rows), func(x row) bool {
			return slices.Contains(drop, x.key) || slices.ContainsFunc(put, func(p row) bool { return p.key == x.key })
		}), put)
		slices.SortStableFunc(want, func(a, b row) int { return strings.Compare(a.key, b.key) })
		if got := merge(rows, put, drop, key); !slices.Equal(got, want) {
			t.Fatalf("%v with %v without %v: %v, want %v", rows, put, drop, got, want)
		}
	}
}

package disclose

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

func TestBoundRefusesNothing(t *testing.T) {
	opts := Options{Seal: func(*snapshot.Tool) string { return "offer" }, Tokens: func(string) int { return 1 }}
	if _, err := Bound(dispose.Answer{}, interlock.Need{}, opts); err == nil {
		t.Error("an answer that dispose did not decide was disclosed")
	}
}

// TestFitting: the room is filled as far as there are matches; a match that the
// need names loses its place to none that it does not name, and each kind is
// taken from the front.
func TestFitting(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 3))
		more, room := make([]fit.Fit, r.IntN(12)), r.IntN(8)
		for i := range more {
			more[i].Exact = r.IntN(4) == 0
		}
		keep := fitting(more, room)
		kept := 0
		for i := range more {
			if keep[i] {
				kept++
			}
			for j := range more {
				before := more[j].Exact && !more[i].Exact || more[j].Exact == more[i].Exact && j < i
				if keep[i] && !keep[j] && before {
					t.Fatalf("seed %d: match %d was kept before %d", seed, i, j)
				}
			}
		}
		if kept != min(room, len(more)) {
			t.Fatalf("seed %d: %d kept, room for %d of %d", seed, kept, room, len(more))
		}
	}
}

func TestSchema(t *testing.T) {
	if got := string(schema(nil)); got != `{"type":"object"}` {
		t.Errorf("a tool that states no input schema shows %s", got)
	}
}

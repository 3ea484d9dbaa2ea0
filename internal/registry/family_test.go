package registry

import (
	"math/rand/v2"
	"testing"
)

// TestOwnFamilyIsOfOneTool: names drawn from few letters, so that they would meet
// if they could, give families that never do.
func TestOwnFamilyIsOfOneTool(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(letters string, most int) string {
		out := []byte{'a'}
		for range rng.IntN(most) {
			out = append(out, letters[rng.IntN(len(letters))])
		}
		return string(out)
	}
	type tool struct{ source, id string }
	whose := map[string]tool{}
	for range 200_000 {
		x := tool{source: draw("ab.-_", 5)}
		if x.id = draw("ab./~ ", 7); rng.IntN(3) > 0 {
			x.id = x.source + "/" + draw("ab./~ ", 5)
		}
		f := ownFamily(x.source, x.id)
		if y, taken := whose[f]; taken && y != x {
			t.Fatalf("%v and %v both have the family %q", x, y, f)
		}
		whose[f] = x
	}
	if len(whose) < 20_000 {
		t.Errorf("only %d families were drawn", len(whose))
	}
	for want, x := range map[string]tool{"docs.ping": {"docs", "docs/ping"}, "a~.b.c": {"a.b", "a.b/c"}, "a.b.c": {"a", "a/b.c"}, "a.b/c": {"a", "a/b/c"}, "list~/a/b": {"list", "a/b"}} {
		if got := ownFamily(x.source, x.id); got != want {
			t.Errorf("%v has the family %q, want %q", x, got, want)
		}
	}
}

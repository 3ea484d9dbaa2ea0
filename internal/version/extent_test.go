package version

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestRelations(t *testing.T) {
	tests := []struct {
		a, b               string
		subset, intersects bool
	}{
		{">=1 <3", "1.x || 2.x", true, true},
		{"1.x || 2.x", ">=1 <3", true, true},
		{">=1 <3", "1.x || 2.1.x", false, true},
		{"^2.0", "^3.0", false, false},
		{"^2.0", ">=2 <=3", true, true},
		{">=2 <=3.0.0", "^2.0", false, true},
		{"*", ">=0.0.0", true, true},
		{">=0.0.0-0", "*", false, true},
		{"*", ">=0.0.0-0", true, true},
		{"1.2.3", "1.2.3+build", true, true},
		{">1.2.3 <1.2.4", "1.2.3", true, false},
		{"<1 >2", "5", true, false},
		{"5", "<1 >2", false, false},
		{">1.2.3-a <1.2.3-a.0", "9.9.9", true, false},
		{">1.2.3-a <=1.2.3-a.0", "1.2.3-a.0", true, true},
		{"1.2.3-a", "^1.2.3-0", true, true},
		{"1.2.3-a", "^1.2.2-0", false, false},
		{"3.0.0-alpha", "^2.0.0", false, false},
		{"^2.0.0", "<3.0.0-0", true, true},
		{"^2.0.0 || 3.0.0-alpha", "^2.0.0", false, true},
		{"=9007199254740991.9007199254740991.9007199254740991", ">=9007199254740991.9007199254740991.9007199254740990", true, true},
		{">1.2.9007199254740991", ">=1.3.0", true, true},
		{">=1.3.0", ">1.2.9007199254740991", true, true},
		{">9007199254740991.9007199254740991.9007199254740991", "1", true, false},
	}
	for _, tt := range tests {
		a, b := mustRange(t, tt.a), mustRange(t, tt.b)
		if got := a.Subset(b); got != tt.subset {
			t.Errorf("%q subset of %q: %v, want %v", tt.a, tt.b, got, tt.subset)
		}
		if got := a.Intersects(b); got != tt.intersects {
			t.Errorf("%q intersects %q: %v, want %v", tt.a, tt.b, got, tt.intersects)
		}
		if got := b.Intersects(a); got != tt.intersects {
			t.Errorf("%q intersects %q: %v, want %v", tt.b, tt.a, got, tt.intersects)
		}
		if got, want := a.Empty(), !a.Intersects(a); got != want {
			t.Errorf("%q empty: %v, want %v", tt.a, got, want)
		}
	}
}

func TestZeroRangeAdmitsNothing(t *testing.T) {
	var zero Range
	all := mustRange(t, "*")
	if zero.Match(mustParse(t, "1.2.3")) || zero.Intersects(all) || !zero.Empty() || !zero.Subset(all) || all.Subset(zero) {
		t.Error("the zero range must admit nothing")
	}
	if again := mustRange(t, zero.String()); !again.Empty() {
		t.Errorf("the zero range is spelled %q, which admits something", zero)
	}
}

// The algebra against counting, on random ranges whose bounds crowd together.
func TestRelationsAgainstCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	yes := map[string]int{}
	for range 20_000 {
		a, b := mustRange(t, randomRange(rng)), mustRange(t, randomRange(rng))
		pool := poolFor(a, b)
		subset, meets := a.Subset(b), a.Intersects(b)
		if want := subsetByCount(a, b, pool); subset != want {
			t.Fatalf("%q subset of %q: %v, counting says %v", a.Text(), b.Text(), subset, want)
		}
		if want := intersectsByCount(a, b, pool); meets != want {
			t.Fatalf("%q intersects %q: %v, counting says %v", a.Text(), b.Text(), meets, want)
		}
		yes[fmt.Sprint("subset ", subset)]++
		yes[fmt.Sprint("intersects ", meets)]++
	}
	if len(yes) != 4 {
		t.Errorf("the sample shows only %v", yes)
	}
}

// What is a subset must match no version that the other refuses, wherever the
// version comes from.
func TestRelationsAgainstMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		a, b := mustRange(t, randomRange(rng)), mustRange(t, randomRange(rng))
		v := mustParse(t, randomVersion(rng))
		if a.Match(v) && !b.Match(v) && a.Subset(b) {
			t.Fatalf("%q is said to be a subset of %q, but %s", a.Text(), b.Text(), v)
		}
		if a.Match(v) && b.Match(v) && !a.Intersects(b) {
			t.Fatalf("%q and %q are said not to meet, but %s", a.Text(), b.Text(), v)
		}
		if again := mustRange(t, a.String()); again.Match(v) != a.Match(v) || again.String() != a.String() {
			t.Fatalf("%q and its own spelling %q differ on %s", a.Text(), a, v)
		}
	}
}

func pick(rng *rand.Rand, words ...string) string { return words[rng.IntN(len(words))] }

func randomVersion(rng *rand.Rand) string {
	return fmt.Sprintf("%d.%d.%d", rng.IntN(3), rng.IntN(3), rng.IntN(3)) +
		pick(rng, "", "", "", "-0", "-a", "-a.0", "-a.1", "-b")
}

func randomRange(rng *rand.Rand) string {
	var alternatives []string
	for range 1 + rng.IntN(3) {
		if rng.IntN(8) == 0 {
			alternatives = append(alternatives, randomVersion(rng)+" - "+randomVersion(rng))
			continue
		}
		var terms []string
		for range 1 + rng.IntN(2) {
			version := randomVersion(rng)
			if rng.IntN(4) == 0 {
				version = pick(rng, "*", "0", "1", "2", "1.x", "0.1", "1.1", "2.0.x")
			}
			terms = append(terms, pick(rng, "", "^", "~", ">", ">=", "<", "<=")+version)
		}
		alternatives = append(alternatives, strings.Join(terms, " "))
	}
	return strings.Join(alternatives, " || ")
}

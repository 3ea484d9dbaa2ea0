package drift

import "testing"

// TestCatalogue: every kind stands once, says what it is and how it is found,
// and has a severity for at least one effect.
func TestCatalogue(t *testing.T) {
	seen := map[Kind]bool{}
	for _, e := range Catalogue() {
		if seen[e.Kind] {
			t.Errorf("%s stands twice", e.Kind)
		}
		seen[e.Kind] = true
		if e.Says == "" || len(e.Means) == 0 || e.Read == None && e.Write == None {
			t.Errorf("%s is not told in full: %+v", e.Kind, e)
		}
	}
	if len(seen) != 55 {
		t.Errorf("%d kinds, 55 are documented", len(seen))
	}
}

package spelling_test

import (
	"testing"

	"github.com/seed-ae386458/interlock/internal/spelling"
)

func TestNearest(t *testing.T) {
	known := []string{"family", "range", "built_against", "k", "args", "approval", "approved_by"}
	for name, want := range map[string]string{"familly": "family", "rang": "range", "builtagainst": "built_against", "q": "", "arrange": "range", "xyz": "", "Family": "family",
		"arguments": "args", "arg": "args", "fam": "family", "built": "built_against", "argon": "", "app": "", "ra": ""} {
		if got := spelling.Nearest(name, known); got != want {
			t.Errorf("%q is near %q, expected %q", name, got, want)
		}
	}
}

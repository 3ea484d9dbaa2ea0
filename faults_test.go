package interlock_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	heldBy   = regexp.MustCompile("(script )?`(\\w+)`")
)

// TestFaultsAreHeld: what docs/suites.md says to hold a fault of the field is
// there: a test, a scenario, or a script.
func TestFaultsAreHeld(t *testing.T) {
	tests := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
			tests[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(read(t, "docs/suites.md"), "## Faults of others")
	rows := 0
	for line := range strings.SplitSeq(section, "\n") {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || !strings.Contains(line, "#") {
			continue
		}
		rows++
		named := heldBy.FindAllStringSubmatch(cells[2], -1)
		if len(named) == 0 {
			t.Errorf("nothing holds: %s", cells[0])
		}
		for _, m := range named {
			path := "scenarios/" + m[2] + ".txtar"
			if m[1] != "" {
				path = "cmd/interlock/testdata/script/" + m[2] + ".txtar"
			}
			if _, err := os.Stat(path); err != nil && !tests[m[2]] {
				t.Errorf("%s names %s, which is not there", cells[0], m[2])
			}
		}
	}
	if rows != 14 {
		t.Errorf("%d faults are listed, want 14", rows)
	}
}

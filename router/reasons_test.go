package router_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// untested are the reasons that no scenario and no test meets, with why.
var untested = map[interlock.Reason]string{}

var constant = regexp.MustCompile(`(Reason\w+)\s+Reason = "([a-z-]+)"`)

// TestReasonsAreMet: a caller meets every reason in some scenario, or a test
// names it.
func TestReasonsAreMet(t *testing.T) {
	table, err := os.ReadFile("../reason.go")
	if err != nil {
		t.Fatal(err)
	}
	said := words(t)
	met := 0
	for _, m := range constant.FindAllStringSubmatch(string(table), -1) {
		name, id := m[1], interlock.Reason(m[2])
		why, excepted := untested[id]
		found := said[name] || said[string(id)]
		switch {
		case found && excepted:
			t.Errorf("%s is met; take it out of the exceptions", id)
		case !found && !excepted:
			t.Errorf("no scenario and no test meets %s", id)
		case !found:
			t.Logf("%s is met nowhere: %s", id, why)
		default:
			met++
		}
	}
	if all := len(interlock.Reasons()); met+len(untested) != all {
		t.Errorf("%d reasons met and %d excepted, of %d", met, len(untested), all)
	}
}

var word = regexp.MustCompile(`[A-Za-z]+(?:-[a-z]+)*`)

// words are all that scenarios and tests say, this one apart; a disposition
// stands for the reason of its name.
func words(t *testing.T) map[string]bool {
	t.Helper()
	said := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && strings.HasPrefix(name, ".") && name != ".." {
			return filepath.SkipDir
		}
		if d.IsDir() || path == filepath.Join("..", "router", "reasons_test.go") || path == filepath.Join("..", "reasons_test.go") ||
			!strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, ".txtar") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, w := range word.FindAllString(strings.ReplaceAll(string(text), "_", "-"), -1) {
			said[w] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return said
}

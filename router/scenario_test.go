package router_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the outputs of the scenarios")

// TestScenarios runs every file of scenarios/: one behaviour each, as prose,
// commands and what they print, then the files that the commands read.
func TestScenarios(t *testing.T) {
	paths, err := filepath.Glob("../scenarios/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a := parseArchive(string(text))
			had := a.comment
			got := play(t, path, a)
			if *update && got != had {
				a.comment, had = got, got
				if err := os.WriteFile(path, []byte(a.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(had, got); diff != "" {
				t.Errorf("%s (-file +run):\n%s", path, diff)
			}
		})
	}
}

// stages are the first words that a scenario's name may have.
var stages = regexp.MustCompile(`^(registry|vet|snapshot|eligible|discover|fit|dispose|disclose|recheck|approve|invoke|validate|project|receipt|store|router)_`)

// play runs the commands of a scenario and gives its text with what they
// printed now.
func play(t *testing.T, path string, a archive) string {
	t.Helper()
	prose, script, found := strings.Cut(a.comment, "\n\n")
	if !found || !strings.HasPrefix(prose, "# "+filepath.Base(path)+"\n") {
		t.Fatalf("%s begins with its own name and prose, then an empty line", path)
	}
	if !strings.Contains(prose, "\n# promise: ") && !strings.Contains(prose, "\n# matrix: ") {
		t.Fatalf("%s has no line `# promise: ` or `# matrix: `", path)
	}
	if !stages.MatchString(filepath.Base(path)) {
		t.Fatalf("the first word of %s is no stage", path)
	}
	w := newWorld(t, a.files)
	out := []string{prose + "\n"}
	for _, block := range strings.Split(strings.Trim(script, "\n"), "\n\n") {
		commands, _, _ := strings.Cut(strings.Trim(block, "\n"), "\n----")
		out = append(out, commands+"\n----\n"+w.do(commands))
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n") + "\n\n"
}

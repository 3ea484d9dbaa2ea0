package eval

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSuiteMutants brings back the known traps of resolvers and logs, one at a
// time, and expects the tests to notice. A mutant that lives means that a
// promise is no longer guarded. It builds packages anew for each mutant, so it
// runs with the suites.
func TestSuiteMutants(t *testing.T) {
	if os.Getenv("INTERLOCK_SUITES") == "" {
		t.Skip("builds packages anew for each mutant: run it with make suites")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		trap, file, was, is string
		killers             []string // package, and the tests that must notice
	}{
		{"the upper end of a range is inclusive, so the next major slips in",
			"internal/version/comparator.go", "case opLess:\n\t\treturn order < 0", "case opLess:\n\t\treturn order < 0 || order > 0 && v.major == c.bound.major",
			[]string{"./internal/version", "."}},
		{"the floor is held against what is offered, after wordings and versions were folded",
			"internal/resolve/discover/discover.go", "\tbest.Score = members[0].Score\n", "",
			[]string{"./router", "TestScenarios"}},
		{"the compatible filter comes after truncation",
			"internal/resolve/discover/discover.go", "\tslices.SortFunc(list.entries, before)", "\tdefer func() { list.entries = list.entries[:min(len(list.entries), 5)] }()\n\tslices.SortFunc(list.entries, before)\n\tlist.entries = list.entries[:min(len(list.entries), 5)]",
			[]string{"./router", "TestScenarios|TestNoScoreCrosses"}},
		{"an empty compatible set falls back to the nearest match",
			"internal/resolve/dispose/dispose.go", "if req.Empty != nil {", "if req.Empty != nil && len(d.r.Incompatible()) == 0 {",
			[]string{"./router", "TestScenarios|TestNoScoreCrosses"}},
		{"refused calls of one tool have one digest",
			"receipt/seal.go", "b := &Blank{ID: hex.EncodeToString(drawn[:idSize])}", "b := &Blank{ID: hex.EncodeToString(make([]byte, idSize))}",
			[]string{"./receipt", "."}},
	} {
		t.Run(m.trap, func(t *testing.T) { notice(t, root, m.file, m.was, m.is, m.killers) })
	}
}

// notice runs the tests of a package with one file replaced, and fails where
// they pass.
func notice(t *testing.T, root, file, was, is string, killers []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), was) != 1 {
		t.Fatalf("the place in %s that the mutant changes is not there once: the code has moved on, and so must the mutant", file)
	}
	dir := t.TempDir()
	mutant, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, file): mutant}})
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{mutant: []byte(strings.Replace(string(text), was, is, 1)), overlay: replaced} {
		if err := os.WriteFile(name, body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-count=1", "-overlay", overlay, "-run", killers[1], killers[0])
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		t.Errorf("nobody noticed:\n%s", out)
	case !strings.Contains(string(out), "--- FAIL"):
		t.Errorf("the mutant does not build, so it proves nothing:\n%s", out)
	}
}

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

var bracketed = regexp.MustCompile(`\[([a-z-]+(?: [a-z-]+)*)\]`)

// TestFitReasonsAreMet: each reason of fit, and each kind in which what is near
// may not fit, stands in what some scenario prints; and none is printed that is
// not in the table.
func TestFitReasonsAreMet(t *testing.T) {
	files, err := filepath.Glob("../scenarios/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	met, unfit := map[string]string{}, map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, printed, _ := strings.Cut(string(text), "\n----\n")
		printed, _, _ = strings.Cut(printed, "\n-- ")
		for _, line := range strings.Split(printed, "\n") {
			if kinds, ok := strings.CutPrefix(line, "does not fit in "); ok {
				for _, kind := range strings.Split(kinds, ", ") {
					unfit[kind] = true
				}
			}
			if strings.Contains(line, "tool=") || strings.HasPrefix(line, "  ") {
				for _, m := range bracketed.FindAllStringSubmatch(line, -1) {
					for _, reason := range strings.Fields(m[1]) {
						met[reason] = file
					}
				}
			}
		}
	}
	for _, row := range interlock.FitReasons() {
		if met[string(row.Reason)] == "" {
			t.Errorf("no scenario shows %s", row.Reason)
		}
		delete(met, string(row.Reason))
	}
	for reason, file := range met {
		t.Errorf("%s shows %s, which the table does not hold", file, reason)
	}
	for _, kind := range [...]string{"effect", "outputs", "operation"} {
		if !unfit[kind] {
			t.Errorf("no scenario shows a tool that does not fit in %s", kind)
		}
	}
}

// TestEachRefusalIsAskedAgain: the agent that asks again meets every typed
// refusal of a need and the event that a supported one may bear, and is served
// after each in the end, by a change that the explanation proposed.
func TestEachRefusalIsAskedAgain(t *testing.T) {
	text, err := os.ReadFile("../scenarios/dispose_agent_asks_again.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, printed, _ := strings.Cut(string(text), "\n----\n")
	printed, _, _ = strings.Cut(printed, "\n-- ")
	for _, kind := range []string{interlock.EventShadowed, (&interlock.NoCompatibleContract{}).Type(), (&interlock.LowConfidenceMatch{}).Type(), (&interlock.NoMatch{}).Type(),
		(&interlock.ForbiddenNeed{}).Type(), (&interlock.AmbiguousNeed{}).Type(), (&interlock.MissingInput{}).Type(), (&interlock.OverBudget{}).Type()} {
		served := regexp.MustCompile(`(?m)^\w+ ` + kind + `: .*\n  so .*\n(?:(?:\w+ \w+: .*|  so .*)\n)*supported by `)
		if !served.MatchString(printed) {
			t.Errorf("no agent that meets %s is served in the end", kind)
		}
	}
}

package interlock_test

import (
	"flag"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

var update = flag.Bool("update", false, "rewrite docs/reasons.md from the table")

// stages are the headings of the page, in the order of the road.
var stages = []struct{ name, says string }{
	{"surface", "The request, before it means anything."},
	{"ingest", "A source, read."},
	{"registry", "A change of the registry."},
	{"eligible", "The versions that may serve a caller."},
	{"dispose", "The kind of answer to a need. A refused need is an answer, not a failure."},
	{"recheck", "A call, before anything is sent."},
	{"invoke", "A call on its way to the source and back."},
	{"validate", "The answer of a source, before it is released."},
	{"store", "What is on the disk."},
	{"log", "The append-only log."},
	{"eval", "A run over labelled needs."},
	{"cmd", "The program and its configuration."},
	{"any", "Anywhere."},
}

func TestReasonsPage(t *testing.T) {
	const path = "docs/reasons.md"
	want := reasonsPage(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, read(t, path)); diff != "" {
		t.Errorf("%s is not what the table says; run make update (-want +got):\n%s", path, diff)
	}
}

func TestReasonIDs(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := make(map[interlock.Reason]bool)
	for _, row := range interlock.Reasons() {
		if !kebab.MatchString(string(row.Reason)) {
			t.Errorf("reason %q is not kebab-case", row.Reason)
		}
		if seen[row.Reason] {
			t.Errorf("reason %q stands in the table twice", row.Reason)
		}
		seen[row.Reason] = true
		if !sentence(row.Means) || !sentence(row.Remedy) {
			t.Errorf("reason %q: what it means and what to do are sentences that end in a full stop", row.Reason)
		}
	}
}

// TestReasonTableIsWhole holds the table to the constants: each stands in it,
// and nothing else does.
func TestReasonTableIsWhole(t *testing.T) {
	var declared, listed []string
	for _, id := range reasonConstants(t) {
		declared = append(declared, id)
	}
	for _, row := range interlock.Reasons() {
		listed = append(listed, string(row.Reason))
	}
	slices.Sort(declared)
	slices.Sort(listed)
	if len(declared) == 0 {
		t.Fatal("no constant of type Reason was found")
	}
	if diff := cmp.Diff(declared, listed); diff != "" {
		t.Errorf("constants of type Reason and the table differ (-constants +table):\n%s", diff)
	}
}

// TestFitReasons holds that table to its form: the faces describe the same set.
func TestFitReasons(t *testing.T) {
	described := read(t, "internal/surface/httpapi/openapi.json")
	seen := map[interlock.FitReason]bool{}
	for _, row := range interlock.FitReasons() {
		if seen[row.Reason] || !sentence(row.Means) || !strings.Contains(described, strconv.Quote(string(row.Reason))) {
			t.Errorf("reason of fit %q stands twice, means nothing, or is not described", row.Reason)
		}
		seen[row.Reason] = true
	}
}

// reasonConstants gives the value of each constant of type Reason in the root
// package, by its name.
func reasonConstants(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for _, path := range files {
		ast.Inspect(parse(t, path, nil).syntax, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && isReason(spec.Type) {
				for i, name := range spec.Names {
					found[name.Name] = literal(t, spec.Values[i])
				}
			}
			return true
		})
	}
	return found
}

func isReason(typ ast.Expr) bool {
	id, ok := typ.(*ast.Ident)
	return ok && id.Name == "Reason"
}

func literal(t *testing.T, value ast.Expr) string {
	t.Helper()
	lit, ok := value.(*ast.BasicLit)
	if !ok {
		t.Fatalf("a constant of type Reason is not a literal: %v", value)
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func reasonsPage(t *testing.T) string {
	t.Helper()
	rows := make(map[string][]interlock.ReasonRow)
	for _, row := range interlock.Reasons() {
		rows[row.Stage] = append(rows[row.Stage], row)
	}
	var page strings.Builder
	page.WriteString("# Reasons\n\n" +
		"Every refusal and every failure carries one of these, by the stage that decides it. " +
		"An id is stable for ever and never reused.\n\n" +
		"<!-- Made from the table in reason.go by `make update`. -->\n")
	for _, stage := range stages {
		if len(rows[stage.name]) == 0 {
			continue
		}
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n| reason | what it means | what to do |\n|---|---|---|\n", stage.name, stage.says)
		for _, row := range rows[stage.name] {
			fmt.Fprintf(&page, "| `%s` | %s | %s |\n", row.Reason, cell(row.Means), cell(row.Remedy))
		}
		delete(rows, stage.name)
	}
	page.WriteString("\n## fit\n\nIn what a tool fits a need, or does not. Candidates carry them; they refuse nothing by themselves.\n\n| reason | what it means |\n|---|---|\n")
	for _, row := range interlock.FitReasons() {
		fmt.Fprintf(&page, "| `%s` | %s |\n", row.Reason, cell(row.Means))
	}
	for stage := range rows {
		t.Errorf("stage %q of the table of reasons has no heading in reasons_test.go", stage)
	}
	return page.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func sentence(text string) bool { return len(text) > 1 && strings.HasSuffix(text, ".") }

package diff_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

var update = flag.Bool("update", false, "rewrite docs/rules.md from the table")

// subjects are the headings of the page, in order.
func subjects() [][2]string {
	return [][2]string{
		{"proof", "What the proof alone shows."},
		{"contract", "Whole operations."},
		{"object", "The members of objects."},
		{"value", "Single values."},
		{"array", "Lists."},
		{"choice", "Alternatives, exclusions and conditions."},
		{"meaning", "What values mean. No schema check sees these."},
		{"promise", "What is promised beside the schemas."},
		{"web", "What an HTTP operation promises besides."},
	}
}

func TestRulesPage(t *testing.T) {
	const path = "../../docs/rules.md"
	want := rulesPage()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("%s is not what the table says; run go test -run TestRulesPage ./internal/diff -update (-want +got):\n%s", path, d)
	}
}

func rulesPage() string {
	var b strings.Builder
	b.WriteString(`# Change rules

Generated from the table in internal/diff; do not edit. A rule names a change
between two contracts and explains it. Whether old callers survive a change of a
schema is decided by proof: *proof* below reads "breaks exactly where the
inclusion proof fails". *break* breaks whatever the schemas say, *ok* never does.
Tool mode counts on what Interlock enforces: arguments that the caller's contract
does not declare are refused (` + "`undeclared_refused`" + `), results are cut to what it
declares (` + "`projected`" + `), and a missing argument takes its stated default
(` + "`default_filled`" + `). A change that no value feels as the schema stands, such as a
maximum beside the type string, counts as its *proof* column failing: what is
enforced is not what the schema says.
`)
	for _, s := range subjects() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", s[0], s[1])
		b.WriteString("| rule | change | input: strict, tool | output: strict, tool | remedy |\n|---|---|---|---|---|\n")
		for _, r := range diff.Rules() {
			if r.Subject == s[0] {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.ID, r.When, column(r.In, r.SafeIn), column(r.Out, r.SafeOut), r.Remedy)
			}
		}
	}
	return b.String()
}

func column(m rule.Modes, safe string) string {
	text := string(m.Strict) + ", " + string(m.Tool)
	if safe != "" && m.Strict != rule.OK {
		text += " (`" + safe + "`)"
	}
	return text
}

// TestRules holds the table to its form.
func TestRules(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{}
	var known []string
	for _, s := range subjects() {
		known = append(known, s[0])
	}
	for _, r := range diff.Rules() {
		switch {
		case seen[r.ID] || !kebab.MatchString(r.ID):
			t.Errorf("rule %q stands twice, or is not kebab-case", r.ID)
		case !slices.Contains(known, r.Subject):
			t.Errorf("rule %s has the subject %q, which has no heading", r.ID, r.Subject)
		case !strings.HasSuffix(r.When, ".") || r.Remedy == "":
			t.Errorf("rule %s does not say when, or what to do", r.ID)
		case r.Schema != nil && r.Contract != nil:
			t.Errorf("rule %s looks at schemas and at contracts", r.ID)
		}
		for dir, m := range map[rule.Direction]rule.Modes{in: r.In, out: r.Out} {
			if m.Strict == "" || m.Tool == "" {
				t.Errorf("rule %s has no verdict on %s", r.ID, dir)
			}
			if (m.Strict != rule.OK || m.Tool != rule.OK) && r.Harm(dir) == "" {
				t.Errorf("rule %s can break on %s and does not say whom", r.ID, dir)
			}
		}
		seen[r.ID] = true
	}
}

// TestRulesHaveFiles holds that each rule lives in a file of its own name.
func TestRulesHaveFiles(t *testing.T) {
	for _, r := range diff.Rules() {
		if r.Schema == nil && r.Contract == nil {
			continue
		}
		found, err := filepath.Glob("rules/*/" + strings.ReplaceAll(r.ID, "-", "") + ".go")
		if err != nil || len(found) != 1 {
			t.Errorf("rule %s has %d files", r.ID, len(found))
		}
	}
}

// TestEveryRuleIsFound holds that the tables of the tests meet every rule over
// schemas.
func TestEveryRuleIsFound(t *testing.T) {
	met := map[string]bool{"text-ambiguous": true} // by TestTextParameters
	for _, r := range rows() {
		for _, id := range strings.Fields(r.rules) {
			met[id] = true
		}
	}
	for _, r := range diff.Rules() {
		if r.Schema != nil && !met[r.ID] {
			t.Errorf("no row of the table of schema changes meets rule %s", r.ID)
		}
	}
}

// FuzzCompare feeds the reader and the rules whatever comes: a comparison ends,
// a schema equals itself, and a verdict agrees with its changes.
func FuzzCompare(f *testing.F) {
	for _, r := range rows() {
		f.Add([]byte(r.old), []byte(r.new))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, dir := range []rule.Direction{in, out} {
			opts := diff.Options{Work: 2_000}
			same, err := diff.Compare(diff.Schemas(json.RawMessage(a), dir), diff.Schemas(json.RawMessage(a), dir), opts)
			if err == nil && (same.Verdict != diff.Identical || len(same.Changes) > 0) {
				t.Errorf("%s against itself: %s %v", a, same.Verdict, ids(same.Changes))
			}
			r, err := diff.Compare(diff.Schemas(json.RawMessage(a), dir), diff.Schemas(json.RawMessage(b), dir), opts)
			if err == nil {
				consistent(t, fmt.Sprintf("%s %s → %s", dir, a, b), r)
			}
		}
	})
}

package drift

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the table of kinds in docs/drift.md")

const (
	tableBegins = "<!-- kinds: written by make update -->\n"
	tableEnds   = "<!-- kinds end -->"
)

// kindsTable writes the catalogue as the page has it.
func kindsTable() string {
	var b strings.Builder
	b.WriteString("| kind | what it is | of a read | of a write | found |\n|---|---|---|---|---|\n")
	grade := func(s Severity) string {
		if s == None {
			return "-"
		}
		return string(s)
	}
	for _, e := range Catalogue() {
		means := make([]string, len(e.Means))
		for i, m := range e.Means {
			means[i] = string(m)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", e.Kind, e.Says, grade(e.Read), grade(e.Write), strings.Join(means, ", "))
	}
	return b.String()
}

// TestKindsPage holds the page to the catalogue.
func TestKindsPage(t *testing.T) {
	const path = "../../docs/drift.md"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(raw), tableBegins)
	_, after, closed := strings.Cut(rest, tableEnds)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", path)
	}
	want := before + tableBegins + kindsTable() + tableEnds + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("%s is not what the catalogue says; run make update (-want +got):\n%s", path, diff)
	}
}

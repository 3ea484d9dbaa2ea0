package driftlab

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
)

var update = flag.Bool("update", false, "write docs/drift-lab.md")

// fault is one way in which a tool stops doing what it documents.
type fault struct {
	kind    drift.Kind
	name    string // where one kind has several
	says    string // description of the tool
	in, out string // schemas
	more    string // members of the tool besides, instead of notFoundAndInvalid
	clean   answerer
	drifted answerer
	calls   func(n int) string // arguments of the n-th call, from 0
	warm    int                // clean calls before the switch
	within  int                // calls, or requests of probes, that have to suffice
	probes  int                // 0: it is found by calls
	turn    func(tool object)  // another definition, read again: it is found by that
	effects []interlock.Effect // default: read and write
	also    []drift.Kind       // that the same answers show as well
	long    bool               // only where there is time
	secret  bool               // calls carry a credential
	beside  *fault             // another tool of the same source, named "beside"
	at      string             // the tool that is probed, where it is not the one that drifts
}

type answerer func(a args, n int) reply

// notFoundAndInvalid are the failures that a tool documents, unless it says
// otherwise.
const notFoundAndInvalid = `"errors":[{"when":"not_found","status":404},{"when":"invalid_argument","status":400}]`

// missed names the kinds that the lab does not show, and why.
var missed = map[drift.Kind]string{
	drift.VersionChangedWithoutSchema: "a source that states a new version has published a new definition: it gets a baseline of its own, and nothing that was accepted for the old one carries over. Found only where a definition waits for review",
	drift.BindingChanged:              "the same: an endpoint that a source states anew ends every offer and every acceptance, and begins a new baseline. Found only where a definition waits for review",
	drift.ToolRenamedOrShadowed:       "a tool under another name is another tool to the registry: it is vetted as new, and look-alike names are quarantined there",
}

// result is one line of the table.
type result struct {
	kind     drift.Kind
	name     string
	effect   interlock.Effect
	by       string
	within   int
	took     int // 0: it was not found
	severity drift.Severity
	stray    []string
}

// TestLab switches each fault on and looks how soon it is found, as what, and
// how gravely.
func TestLab(t *testing.T) {
	long := os.Getenv("INTERLOCK_SUITES") != "" || *update
	var results []result
	for _, f := range slices.Concat(faults(), lists()) {
		effects := f.effects
		if effects == nil {
			effects = []interlock.Effect{interlock.EffectRead, interlock.EffectWrite}
		}
		for _, effect := range effects {
			if severityOf(f.kind, effect) == drift.None || f.long && !long {
				continue
			}
			t.Run(fmt.Sprintf("%s%s/%s", f.kind, f.name, effect), func(t *testing.T) {
				w := newWorld(t)
				r := w.try(t, f, effect)
				r.name = f.name
				results = append(results, r)
				w.judge(t, f, r)
			})
		}
	}
	if !long {
		return
	}
	results = append(results, mcpResults(t)...)
	covered(t, results)
	if *update && !t.Failed() {
		writePage(t, results)
	}
}

func severityOf(kind drift.Kind, effect interlock.Effect) drift.Severity {
	for _, e := range drift.Catalogue() {
		if e.Kind == kind && effect == interlock.EffectRead {
			return e.Read
		}
		if e.Kind == kind {
			return e.Write
		}
	}
	return drift.None
}

// try runs one fault against one effect.
func (w *world) try(t *testing.T, f fault, effect interlock.Effect) result {
	t.Helper()
	r := result{kind: f.kind, effect: effect, within: f.within, by: "calls"}
	name := "tool"
	s, tool := w.serve("lab", name, f, effect)
	tools := []object{tool}
	if f.beside != nil {
		_, other := w.serve("lab", "beside", *f.beside, f.beside.effects[0])
		tools = append(tools, other)
	}
	w.register("lab", f.secret, tools...)
	w.row("lab/tool") // what it documents is on record from here on
	for n := range f.warm {
		_ = w.call("lab/tool", f.calls(n)) // some are refused, as documented
	}
	if row := w.row("lab/tool"); len(row.Divergences) > 0 {
		t.Fatalf("before the switch: %s", told(row))
	}
	s.drifted.Store(true)
	switch {
	case f.turn != nil:
		r.by = "definition"
		f.turn(tool)
		w.writeManifest("lab", []object{tool})
		if _, err := w.router.Refresh(context.Background(), "lab"); err != nil {
			t.Fatal(err)
		}
		r.took = 1
	case f.probes > 0:
		r.by = "probe"
		r.took = w.probe(t, f, "lab/"+cmp.Or(f.at, "tool"))
	default:
		for n := range f.within {
			if err := w.call("lab/tool", f.calls(f.warm+n)); interlock.ReasonOf(err) == interlock.ReasonDriftRejected {
				break
			}
			if r.took = n + 1; found(w.row("lab/tool"), f.kind) != nil {
				break
			}
		}
	}
	return w.grade(f, r)
}

// probe probes a tool and gives how many requests went out.
func (w *world) probe(t *testing.T, f fault, tool string) int {
	t.Helper()
	sent := 0
	for n := range f.probes {
		report, err := w.router.Probe(context.Background(), interlock.Local(), interlock.ProbeRequest{What: tool, Budget: 40, Seed: fmt.Sprint("lab", n)})
		if err != nil {
			t.Fatal(err)
		}
		sent += report.Tools[0].Sent
	}
	return sent
}

// grade reads what was found; what was not took 0.
func (w *world) grade(f fault, r result) result {
	row := w.row("lab/tool")
	d := found(row, f.kind)
	if d == nil {
		r.took = 0
	} else {
		r.severity = d.Severity
	}
	for _, d := range row.Divergences {
		if d.Kind != f.kind && d.Severity != drift.Minor && !slices.Contains(f.also, d.Kind) {
			r.stray = append(r.stray, string(d.Kind))
		}
	}
	return r
}

func found(row drift.Row, kind drift.Kind) *drift.Divergence {
	for i, d := range row.Divergences {
		if d.Kind == kind {
			return &row.Divergences[i]
		}
	}
	return nil
}

func (w *world) judge(t *testing.T, f fault, r result) {
	t.Helper()
	row := w.row("lab/tool")
	switch {
	case r.took == 0:
		t.Errorf("not found within %d by %s: %s; suspected %v", f.within, r.by, told(row), row.Suspected)
	case r.took > f.within:
		t.Errorf("found after %d, stated are %d", r.took, f.within)
	case r.severity != severityOf(f.kind, r.effect):
		t.Errorf("found as %s, the catalogue has %s", r.severity, severityOf(f.kind, r.effect))
	case len(r.stray) > 0:
		t.Errorf("stands beside unrelated %v: %s", r.stray, told(row))
	}
}

// covered holds the lab to what it promises: fifty kinds, and a reason for each
// that is missing.
func covered(t *testing.T, results []result) {
	t.Helper()
	kinds := map[drift.Kind]bool{}
	for _, r := range results {
		if r.took > 0 {
			kinds[r.kind] = true
		}
	}
	for _, e := range drift.Catalogue() {
		if !kinds[e.Kind] && missed[e.Kind] == "" {
			t.Errorf("%s is neither found nor named", e.Kind)
		}
		if kinds[e.Kind] && missed[e.Kind] != "" {
			t.Errorf("%s is found, and named as missed", e.Kind)
		}
	}
	if len(kinds) < 50 {
		t.Errorf("%d of 55 kinds are found", len(kinds))
	}
}

func writePage(t *testing.T, results []result) {
	t.Helper()
	var b strings.Builder
	kinds := map[drift.Kind]bool{}
	for _, r := range results {
		kinds[r.kind] = true
	}
	fmt.Fprintf(&b, "%s\n", pageHead)
	fmt.Fprintf(&b, "%d of %d kinds are found.\n\n| kind | effect | found by | stated within | found after | severity |\n|---|---|---|---|---|---|\n", len(kinds), len(drift.Catalogue()))
	for _, e := range drift.Catalogue() {
		for _, r := range results {
			if r.kind != e.Kind {
				continue
			}
			unit := map[string]string{"calls": "calls", "probe": "requests of a probe", "definition": "reading"}[r.by]
			fmt.Fprintf(&b, "| `%s`%s | %s | %s | %d | %d %s | %s |\n", r.kind, r.name, r.effect, r.by, r.within, r.took, unit, r.severity)
		}
	}
	b.WriteString("\n## Not shown\n\n")
	for _, e := range drift.Catalogue() {
		if reason := missed[e.Kind]; reason != "" {
			fmt.Fprintf(&b, "- `%s`: %s\n", e.Kind, reason)
		}
	}
	if err := os.WriteFile("../../docs/drift-lab.md", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

const pageHead = `# Drift lab

Written by ` + "`make drift-lab`" + `: for each kind of the catalogue a real service on this machine stops doing what it documents, behind a real router and store. Calls are traffic as an agent makes it; requests of a probe are what ` + "`interlock probe`" + ` sends by itself, all of it counted, not only what showed the fault. A reading is one look at the source's definitions.
`

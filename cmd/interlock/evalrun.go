package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/qualify"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// evalRun scores what a plan registered.
type evalRun struct {
	Plan   string `required:"" help:"Plan that interlock eval plan registered." placeholder:"FILE" type:"path"`
	Out    string `required:"" help:"Folder for the record; it must hold none." placeholder:"DIR" type:"path"`
	Ledger string `help:"Ledger of plans and runs (ledger.jsonl beside the case file)." placeholder:"FILE" type:"path"`
}

// The files of a record.
const (
	recordFile = "record.json"
	linesFile  = "lines.jsonl"
	pageFile   = "record.html"
)

// Run scores, writes the record and says what was decided: 0 to promote, 3
// otherwise.
func (c evalRun) Run(ctx context.Context, a *app) error {
	text, err := os.ReadFile(c.Plan)
	if err != nil {
		return usagef("cannot read the plan: %v", err)
	}
	plan, err := qualify.ReadPlan(text)
	if err != nil {
		return err
	}
	if err := freshFolder(c.Out); err != nil {
		return err
	}
	cases := fromPlan(c.Plan, plan.Inputs.Cases.Name)
	in, err := a.qualifying(ctx, cases, fromPlan(c.Plan, plan.Inputs.Calibration.Name), c.Plan)
	if err != nil {
		return err
	}
	record, lines, err := c.score(ctx, a, plan, in, ledgerOf(c.Ledger, cases))
	if err != nil {
		return err
	}
	if err := writeRecord(c.Out, record, lines); err != nil {
		return err
	}
	return a.decided(c.Out, record)
}

func freshFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return usagef("cannot make the folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, recordFile)); err == nil {
		return usagef("%s holds a record already, and none is written over", dir)
	}
	return nil
}

// score holds the inputs against the plan, enters the run into the ledger, and
// only then answers anything.
func (c evalRun) score(ctx context.Context, a *app, plan qualify.Plan, in qualifying, ledger string) (qualify.Record, []byte, error) {
	fail := func(err error) (qualify.Record, []byte, error) { return qualify.Record{}, nil, err }
	if err := plan.Hold(in.inputs); err != nil {
		return fail(err)
	}
	cases, err := in.set.Scored(plan.Split)
	if err != nil {
		return fail(err)
	}
	if err := in.ready(plan, cases); err != nil {
		return fail(err)
	}
	began := time.Now()
	id := qualify.Digest([]byte(plan.Digest + began.Format(time.RFC3339Nano)))[:16]
	err = inLedger(ledger, func(l qualify.Ledger) (qualify.Entry, error) {
		return qualify.Consumption(plan, cases, id, began.UTC().Format(time.RFC3339)), l.Admit(plan, cases)
	})
	if err != nil {
		return fail(err)
	}
	lines, run, err := in.cat.Score(ctx, plan, cases, in.classes, eval.ScoreOptions{Tokens: tokenCounter(), Progress: a.progress("cases"), Baseline: a.progress("baseline")})
	if err != nil {
		return fail(err)
	}
	run.ID, run.Began, run.Took = id, began.UTC().Format(time.RFC3339), time.Since(began).Round(time.Millisecond).Seconds()
	run.Start.Compile = float64(in.compile.Round(time.Microsecond).Microseconds()) / 1000
	run.Overlaps = in.set.Overlaps(plan.Split)
	text, err := qualify.LinesText(lines)
	if err != nil {
		return fail(err)
	}
	return qualify.Compute(plan, lines, qualify.Input{Name: linesFile, Digest: qualify.Digest(text)}, run), text, nil
}

func writeRecord(dir string, record qualify.Record, lines []byte) error {
	text, err := record.Text()
	if err != nil {
		return err
	}
	page, err := record.Page()
	if err != nil {
		return err
	}
	return errors.Join(writeNew(filepath.Join(dir, linesFile), lines), writeNew(filepath.Join(dir, pageFile), page), writeNew(filepath.Join(dir, recordFile), text))
}

// decided prints a decision and gives its exit code.
func (a *app) decided(dir string, r qualify.Record) error {
	if a.JSON {
		if err := a.print(struct {
			Record   string           `json:"record"`
			Run      string           `json:"run"`
			Cases    int              `json:"cases"`
			Decision qualify.Decision `json:"decision"`
			Paired   []qualify.Paired `json:"paired"`
		}{filepath.Join(dir, recordFile), r.Run.ID, r.Cells[0].Cases, r.Decision, r.Overall()}); err != nil {
			return err
		}
	} else if err := a.summary(dir, r); err != nil {
		return err
	}
	if r.Decision.Verdict == qualify.Promote {
		return nil
	}
	return &exitError{wire.ExitRefused}
}

// summary prints what a person asks first.
func (a *app) summary(dir string, r qualify.Record) error {
	head := []string{"arm", "complete", "recall", "first", "refused", "accepted", "tokens", "warm ms"}
	var rows [][]string
	for _, c := range r.Cells {
		if c.By != "all" {
			continue
		}
		row := []string{c.Arm}
		for _, id := range []string{"complete", "recall", "first", "false_refusal", "false_accept"} {
			row = append(row, percent(c.Figures[id]))
		}
		rows = append(rows, append(row, fmt.Sprintf("%.0f", c.Cost.Tokens.Median), fmt.Sprintf("%.2f", c.Cost.Warm.P50/1000)))
	}
	if err := table(a.out, head, rows); err != nil {
		return err
	}
	s := a.style(a.out)
	paint := map[string]func(string) safe{qualify.Promote: s.green, qualify.Reject: s.red, qualify.Blocked: s.yellow}[r.Decision.Verdict]
	at := ""
	if r.Decision.Stage != "" {
		at = " at " + string(r.Decision.Stage)
	}
	tell(a.out, "\n%s%s\n", paint(r.Decision.Verdict), at)
	for _, why := range r.Decision.Why {
		tell(a.out, "  %s\n", why)
	}
	return tell(a.out, "record: %s\n", filepath.Join(dir, pageFile))
}

func percent(f qualify.Figure) string {
	if f.N == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f (%.1f-%.1f)", 100*f.Value, 100*f.Low, 100*f.High)
}

// evalVerify makes a record's figures again.
type evalVerify struct {
	Record string `arg:"" help:"Folder of the record, or its record.json." type:"path"`
	Cases  string `help:"The case file, to hold its digest against the plan's too." placeholder:"FILE" type:"path"`
}

// Run verifies.
func (c evalVerify) Run(_ context.Context, a *app) error {
	path := c.Record
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, recordFile)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return usagef("cannot read the record: %v", err)
	}
	lines, err := os.ReadFile(filepath.Join(filepath.Dir(path), linesFile))
	if err != nil {
		return usagef("cannot read the lines of the record: %v", err)
	}
	record, err := qualify.Check(text, lines)
	if err != nil {
		return err
	}
	if c.Cases != "" {
		if err := heldCases(c.Cases, record); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.print(map[string]any{"run": record.Run.ID, "plan": record.Plan.Digest, "verdict": record.Decision.Verdict, "verified": true})
	}
	return tell(a.out, "verified: the digests hold and every figure follows from the lines; %s\n", record.Decision.Verdict)
}

func heldCases(path string, record qualify.Record) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return usagef("cannot read the cases: %v", err)
	}
	now := record.Plan.Inputs
	now.Cases = qualify.Input{Name: path, Digest: qualify.Digest(text)}
	return record.Plan.Hold(now)
}

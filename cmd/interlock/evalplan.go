package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/qualify"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// evalPlan writes down what a run will be, before it is.
type evalPlan struct {
	Cases  string `required:"" help:"Case file: a header line, then a case a line." placeholder:"FILE" type:"path"`
	Out    string `required:"" help:"Plan to write." placeholder:"FILE" type:"path"`
	Ledger string `help:"Ledger of plans and runs (ledger.jsonl beside the case file)." placeholder:"FILE" type:"path"`

	Calibration string `help:"What calibrate wrote, for the pipeline; none of its needs may be scored." placeholder:"FILE" type:"path"`

	Name      string   `help:"Name of the plan." default:"unnamed" placeholder:"NAME"`
	Split     string   `help:"Split that is scored: train, dev, calibration or confirmation." default:"dev" placeholder:"NAME"`
	Arm       []string `help:"Arm that is compared; repeatable; all five without it." placeholder:"ARM"`
	Candidate string   `help:"Arm that would be promoted." default:"pipeline" placeholder:"ARM"`
	Baseline  string   `help:"Arm that it must not fall behind." default:"hybrid" placeholder:"ARM"`
	K         int      `name:"k" help:"Tools of an answer at most." default:"5" placeholder:"N"`
	Bytes     int      `help:"Bytes of schema of an answer at most." default:"32768" placeholder:"N"`
	Tokens    int      `help:"Tokens (o200k) of an answer at most; 0 is no bound." default:"0" placeholder:"N"`
	Primary   string   `help:"Measure that decides." default:"complete" placeholder:"MEASURE"`
	Margin    float64  `help:"The interval of candidate less baseline must lie above this share." default:"0" placeholder:"SHARE"`
	Precision float64  `help:"Half width of that interval at most." default:"0.05" placeholder:"SHARE"`
	Refused   float64  `help:"Served needs refused at most, of the joint operating point." default:"0.2" placeholder:"SHARE"`
	Accepted  float64  `help:"Needs that nothing serves accepted at most, of the same point." default:"0.4" placeholder:"SHARE"`
	Language  []string `help:"Language of the population; repeatable (en, ko, ja)." placeholder:"TAG"`
	Over      []string `help:"Language of the catalogues that needs of each language are asked over; repeatable (en, ko, ja)." placeholder:"TAG"`
	Stratum   []string `help:"Stratum of the population; repeatable (all six)." placeholder:"NAME"`
	Least     int      `help:"Native cases that a cell of the population needs." default:"30" placeholder:"N"`
	Resamples int      `help:"Draws of the bootstrap." default:"2000" placeholder:"N"`
	Seed      uint64   `help:"Seed of the bootstrap." default:"1" placeholder:"N"`
}

// Run freezes the inputs by digest and registers the plan.
func (c evalPlan) Run(ctx context.Context, a *app) error {
	in, err := a.qualifying(ctx, c.Cases, c.Calibration, c.Out)
	if err != nil {
		return err
	}
	cases, err := in.set.Scored(c.Split)
	if err != nil {
		return err
	}
	plan, err := c.plan(in.inputs).Sealed()
	if err != nil {
		return err
	}
	if err := in.ready(plan, cases); err != nil {
		return err
	}
	text, err := plan.Text()
	if err != nil {
		return err
	}
	if err := writeNew(c.Out, text); err != nil {
		return err
	}
	err = inLedger(ledgerOf(c.Ledger, c.Cases), func(qualify.Ledger) (qualify.Entry, error) {
		return qualify.Entry{Kind: qualify.Registered, At: plan.Made, Plan: plan.Digest, Name: plan.Name, Split: plan.Split}, nil
	})
	if err != nil {
		return errors.Join(err, os.Remove(c.Out))
	}
	if a.JSON {
		return a.print(plan)
	}
	return tell(a.out, "registered %s as %s: %s against %s in %s, split %s\n", c.Out, plan.Digest[:12], plan.Candidate, plan.Baseline, plan.Primary, plan.Split)
}

// plan is what the command line says.
func (c evalPlan) plan(in qualify.Inputs) qualify.Plan {
	p := qualify.DefaultPlan()
	p.Name, p.Made, p.Inputs, p.Split = c.Name, now(), in, c.Split
	p.Candidate, p.Baseline, p.Primary, p.Margin, p.Precision = c.Candidate, c.Baseline, c.Primary, c.Margin, c.Precision
	p.K, p.Bytes, p.Tokens, p.Resamples, p.Seed = c.K, c.Bytes, c.Tokens, c.Resamples, c.Seed
	p.Point = qualify.Point{FalseRefusal: c.Refused, FalseAccept: c.Accepted}
	p.Population.Least = c.Least
	for _, list := range []struct {
		given []string
		into  *[]string
	}{{c.Arm, &p.Arms}, {c.Language, &p.Population.Languages}, {c.Over, &p.Population.Tools}, {c.Stratum, &p.Population.Strata}} {
		if len(list.given) > 0 {
			*list.into = list.given
		}
	}
	return p
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }

func ledgerOf(given, cases string) string {
	if given != "" {
		return given
	}
	return filepath.Join(filepath.Dir(cases), "ledger.jsonl")
}

// qualifying is everything that goes into a run.
type qualifying struct {
	set     qualify.CaseSet
	classes qualify.Classes
	cat     *eval.Catalogue
	inputs  qualify.Inputs
	compile time.Duration
	learned []string // needs that the calibration was made from
}

// qualifying reads a case file with what it names, and takes the digests. Names
// of files are relative to the plan.
func (a *app) qualifying(ctx context.Context, cases, calibration, plan string) (in qualifying, err error) {
	text, err := os.ReadFile(cases)
	if err != nil {
		return in, usagef("cannot read the cases: %v", err)
	}
	if in.set, err = qualify.ReadCases(text); err != nil {
		return in, err
	}
	if in.set.Catalogue == "" {
		return in, usagef("%s: its header names no catalogue", cases)
	}
	in.inputs.Cases = qualify.Input{Name: besidePlan(plan, cases), Digest: in.set.Digest}
	beside := filepath.Dir(cases)
	if in.set.Equivalents != "" {
		text, err := os.ReadFile(filepath.Join(beside, in.set.Equivalents))
		if err != nil {
			return in, usagef("cannot read the equal tools: %v", err)
		}
		if in.classes, err = qualify.ReadClasses(text); err != nil {
			return in, err
		}
		in.inputs.Equivalents = qualify.Input{Name: in.set.Equivalents, Digest: qualify.Digest(text)}
	}
	tools := filepath.Join(beside, in.set.Catalogue)
	if text, err = os.ReadFile(tools); err != nil {
		return in, usagef("cannot read the catalogue: %v", err)
	}
	in.inputs.Catalogue = qualify.Input{Name: in.set.Catalogue, Digest: qualify.Digest(text)}
	began := time.Now()
	if in.cat, err = a.measured(ctx, tools, false); err != nil {
		return in, err
	}
	in.compile = time.Since(began)
	if in.inputs.Model, in.inputs.Scorer, err = in.cat.Identity(ctx); err != nil {
		return in, err
	}
	if err := in.learn(ctx, calibration, plan); err != nil {
		return in, err
	}
	in.inputs.Program, err = thisProgram()
	return in, err
}

// besidePlan names a file as seen from the plan.
func besidePlan(plan, file string) string {
	name, err := filepath.Rel(filepath.Dir(plan), file)
	if err != nil {
		name = file
	}
	return filepath.ToSlash(name)
}

// fromPlan finds a file that besidePlan named.
func fromPlan(plan, name string) string {
	if name = filepath.FromSlash(name); name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(plan), name)
}

// learn gives the pipeline what it was calibrated with.
func (in *qualifying) learn(ctx context.Context, calibration, plan string) error {
	if calibration == "" {
		return nil
	}
	text, err := os.ReadFile(calibration)
	if err != nil {
		return usagef("cannot read the calibration: %v", err)
	}
	cal, _, err := discover.ReadCalibration(text)
	if err != nil {
		return usagef("%v", err)
	}
	for _, m := range cal.Matches {
		in.learned = append(in.learned, m.Query)
	}
	in.inputs.Calibration = qualify.Input{Name: besidePlan(plan, calibration), Digest: qualify.Digest(text)}
	if err := in.cat.Use(ctx, text); err != nil {
		return usagef("%v", err)
	}
	return nil
}

// ready refuses what could not be scored to the end, or was learned from.
func (in qualifying) ready(p qualify.Plan, cases []qualify.Case) error {
	if err := qualify.Apart(cases, in.learned); err != nil {
		return err
	}
	return in.cat.Ready(p, cases, in.classes)
}

// thisProgram is the program that runs: its version, its commit, and the digest of its file.
func thisProgram() (qualify.Input, error) {
	path, err := os.Executable()
	if err != nil {
		return qualify.Input{}, fmt.Errorf("program: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return qualify.Input{}, fmt.Errorf("program: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return qualify.Input{}, fmt.Errorf("program: %w", err)
	}
	name := "interlock " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" && s.Value == "true" {
				name += " " + s.Key[len("vcs."):] + " " + s.Value
			}
		}
	}
	return qualify.Input{Name: name, Digest: hex.EncodeToString(sum.Sum(nil))}, nil
}

// writeNew writes a file that must not be there.
func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s is there already, and what was written down is not written over", path)
	}
	if err != nil {
		return usagef("cannot write %v", err)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// inLedger adds what add gives to a ledger, alone and to the disk before it
// returns.
func inLedger(path string, add func(l qualify.Ledger) (qualify.Entry, error)) (err error) {
	guard := path + ".lock"
	held, err := os.OpenFile(guard, os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonConflict, Stage: "eval", Err: err,
			Public: fmt.Sprintf("Another command writes the ledger %s. If none does, remove %s.", path, guard)}
	}
	defer func() { err = errors.Join(err, held.Close(), os.Remove(guard)) }()
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usagef("cannot read the ledger: %v", err)
	}
	ledger, err := qualify.ReadLedger(text)
	if err != nil {
		return err
	}
	entry, err := add(ledger)
	if err != nil {
		return err
	}
	line, err := ledger.Next(entry)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return usagef("cannot write the ledger: %v", err)
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Sync(), f.Close())
}

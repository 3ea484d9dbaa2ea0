package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
)

// driftCI probes a staging service against its document, for a provider's own
// pipeline.
type driftCI struct {
	OpenAPI  ciOpenAPI  `cmd:"" name:"openapi" help:"An OpenAPI document."`
	Manifest ciManifest `cmd:"" help:"A manifest."`
}

// ciRun is what both take.
type ciRun struct {
	File       string            `arg:"" help:"The document that the service has to keep to."`
	BaseURL    string            `name:"base-url" required:"" help:"Where the service is." placeholder:"URL"`
	SARIF      string            `name:"sarif" help:"Write what differs as SARIF, for code review." placeholder:"FILE" type:"path"`
	JUnit      string            `name:"junit" help:"Write a test case for each probe as JUnit XML." placeholder:"FILE" type:"path"`
	Budget     int               `help:"Requests a tool at most (30)." placeholder:"N"`
	Seed       string            `help:"Another seed makes other requests." default:"ci" placeholder:"SEED"`
	Least      string            `name:"fail-on" help:"Least severity that fails: minor, major or critical." enum:"minor,major,critical" default:"minor" placeholder:"SEVERITY"`
	Credential map[string]string `help:"Reference for a security scheme, by its name: SCHEME=env:NAME." placeholder:"SCHEME=REF"`
	Header     map[string]string `help:"Header sent with each call; a value may be env:NAME or file:PATH." placeholder:"NAME=VALUE"`
}

type ciOpenAPI struct{ ciRun }

type ciManifest struct{ ciRun }

// Run probes a service against its OpenAPI document.
func (c ciOpenAPI) Run(ctx context.Context, a *app) error {
	return c.run(ctx, a, interlock.KindOpenAPI)
}

// Run probes a service against its manifest.
func (c ciManifest) Run(ctx context.Context, a *app) error {
	return c.run(ctx, a, interlock.KindManifest)
}

// ciFindings is what a run came to.
type ciFindings struct {
	rows   []drift.Row
	probed interlock.ProbeReport
	added  interlock.AddReport
	ops    []interlock.Operation
}

func (c ciRun) run(ctx context.Context, a *app, kind string) error {
	document, err := readCompared(c.File)
	if err != nil {
		return err
	}
	found, err := c.probe(ctx, a, kind)
	if err != nil {
		return err
	}
	where := newWhereabouts(kind, document, found.ops)
	if c.SARIF != "" {
		if err := c.sarif(found, where); err != nil {
			return err
		}
	}
	if c.JUnit != "" {
		if err := writeJUnit(c.JUnit, found); err != nil {
			return err
		}
	}
	if err := c.tell(a, found); err != nil {
		return err
	}
	if slices.ContainsFunc(found.rows, c.fails) {
		return &exitError{exitBreaking}
	}
	return nil
}

// fails reports whether a tool has drifted as far as the run minds.
func (c ciRun) fails(row drift.Row) bool {
	order := []drift.Severity{drift.Minor, drift.Major, drift.Critical}
	least := slices.Index(order, drift.Severity(strings.ToUpper(c.Least)))
	return slices.ContainsFunc(row.Divergences, func(d drift.Divergence) bool { return slices.Index(order, d.Severity) >= least })
}

// probe takes the document the whole road, over a store that lives as long as
// the run.
func (c ciRun) probe(ctx context.Context, a *app, kind string) (found ciFindings, err error) {
	dir, err := os.MkdirTemp("", "interlock-ci-")
	if err != nil {
		return found, fmt.Errorf("a folder for the run: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	alone := *a
	alone.Embedder = "none"
	s := &session{path: filepath.Join(dir, "store.db")}
	if err := alone.openLocal(ctx, s, time.Second); err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	file, err := filepath.Abs(c.File)
	if err != nil {
		return found, err
	}
	cfg := interlock.SourceConfig{Name: ciName(c.File), Kind: kind, File: file, BaseURL: c.BaseURL, Credentials: c.Credential, Headers: c.Header}
	if kind == interlock.KindManifest {
		cfg.Name = "" // it names itself
	}
	if found.ops, err = alone.operations(ctx, cfg); err != nil {
		return found, err
	}
	if found.added, err = s.Add(ctx, interlock.Local(), cfg); err != nil {
		return found, err
	}
	who := interlock.Local()
	if found.probed, err = alone.probe(ctx, s, who, interlock.ProbeRequest{What: found.added.Source, Budget: c.Budget, Seed: c.Seed}); err != nil {
		return found, err
	}
	if found.rows, err = s.Drift(ctx, who, interlock.DriftQuery{}); err != nil {
		return found, err
	}
	return found, answered(found, c.BaseURL)
}

// operations reads what a document offers, for where it says so.
func (a *app) operations(ctx context.Context, cfg interlock.SourceConfig) (ops []interlock.Operation, err error) {
	openers, err := a.openers(func(string) {})
	if err != nil {
		return nil, err
	}
	src, err := openers[cfg.Kind].Open(cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	found, err := src.Catalogue(ctx)
	return found.Operations, err
}

// answered refuses to call a service clean that said nothing.
func answered(found ciFindings, base string) error {
	sent := 0
	for _, t := range found.probed.Tools {
		sent += t.Sent
	}
	for _, row := range found.rows {
		if row.Calls[drift.ClassContract] > 0 {
			return nil
		}
	}
	return &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonSourceUnreachable, Stage: "ci",
		Public: fmt.Sprintf("No operation of %s answered as itself to %d requests, so nothing is known of it: it is down, refuses the credential, or the document has nothing that may be probed.", base, sent)}
}

// ciName makes the name of a source from that of its file.
func ciName(file string) string {
	base, _, _ := strings.Cut(filepath.Base(file), ".")
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, base)
	if name = strings.Trim(name, "-_"); name == "" {
		return "service"
	}
	return name[:min(len(name), 64)]
}

func (c ciRun) tell(a *app, found ciFindings) error {
	if a.JSON {
		return a.print(found.rows)
	}
	lines := make([][]string, 0, len(found.rows))
	for i, row := range found.rows {
		worst, sent := "", 0
		for _, d := range row.Divergences {
			worst = string(drift.Severity(worst).Or(d.Severity))
		}
		if i < len(found.probed.Tools) && found.probed.Tools[i].Tool == row.Tool {
			sent = found.probed.Tools[i].Sent
		}
		lines = append(lines, []string{row.Tool, fmt.Sprint(sent), string(row.Verdict), worst})
	}
	if err := table(a.out, []string{"TOOL", "REQUESTS", "VERDICT", "WORST"}, lines); err != nil {
		return err
	}
	st := a.style(a.out)
	for _, row := range found.rows {
		for _, d := range row.Divergences {
			tell(a.out, "\n%s %s of %s at %s\n  %s\n", st.red(string(d.Severity)), st.bold(string(d.Kind)), row.Tool, d.Pointer, d.Evidence)
		}
	}
	return nil
}

// sarif writes each divergence at its place in the document.
func (c ciRun) sarif(found ciFindings, where *whereabouts) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "interlock", Version: version}}, Results: []sarifResult{}}
	for _, e := range drift.Catalogue() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(e.Kind), sarifMessage{e.Says}, sarifMessage{"Bring the service back to its document, or the document to the service under a new version."}})
	}
	for _, row := range found.rows {
		for _, d := range row.Divergences {
			level := "error"
			if d.Severity == drift.Minor {
				level = "warning"
			}
			words := fmt.Sprintf("%s: %s (%s) at %s. %s", row.Tool, d.Kind, d.Severity, d.Pointer, d.Evidence)
			run.Results = append(run.Results, sarifResult{RuleID: string(d.Kind), Level: level, Message: sarifMessage{words},
				Locations: []sarifLocation{placed(c.File, where.of(row.Tool, d.Pointer), where.lines)}})
		}
	}
	return run.write(c.SARIF)
}

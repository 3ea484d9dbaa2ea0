package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"

	"github.com/seed-ae386458/interlock/internal/eval"
)

// evalCmd measures discovery on labelled needs.
type evalCmd struct {
	Rank   evalRank   `cmd:"" help:"Rank the tools of a file for the requests of another, one line of JSON a request."`
	Init   evalInit   `cmd:"" help:"Begin a case file from your own catalogue, accepted matches and log; what nobody knows is left open."`
	Plan   evalPlan   `cmd:"" help:"Freeze cases, catalogue, model and program, and register what will be scored."`
	Run    evalRun    `cmd:"" help:"Score a registered plan and write the record with its decision."`
	Verify evalVerify `cmd:"" help:"Make every figure of a record again from its lines."`
}

type evalRank struct {
	Tools string `required:"" help:"Tools, one JSON object a line: id, provider, name, description, inputSchema, outputSchema." placeholder:"FILE" type:"path"`
	Tasks string `required:"" help:"Requests, one JSON object a line: id, query, scope (\"*\" or a list of tool ids), context." placeholder:"FILE" type:"path"`
	K     int    `name:"k" help:"Tools a line at most." default:"60" placeholder:"N"`

	Calibration string `help:"What calibrate wrote." placeholder:"FILE" type:"path"`

	Signals bool `help:"Give what served needs are told by, in numbers."`
}

// Run ranks.
func (c evalRank) Run(ctx context.Context, a *app) error {
	cat, err := a.measured(ctx, c.Tools, c.Signals)
	if err != nil {
		return err
	}
	if c.Calibration != "" {
		if err := use(ctx, cat, c.Calibration); err != nil {
			return err
		}
	}
	tasks, err := readLines[eval.Task](c.Tasks)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(a.out)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := cat.Rank(ctx, tasks, c.K, func(l eval.Line) error { return enc.Encode(l) }); err != nil {
		return err
	}
	return out.Flush()
}

// measured compiles the tools of a file with the embedder and the glossary of
// the configuration.
func (a *app) measured(ctx context.Context, file string, signals bool) (*eval.Catalogue, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, usagef("cannot read the tools: %v", err)
	}
	return a.measuredText(ctx, text, signals)
}

func (a *app) measuredText(ctx context.Context, text []byte, signals bool) (*eval.Catalogue, error) {
	cfg, err := loadConfig(a.configPath())
	if err != nil {
		return nil, err
	}
	embedder, err := a.embedder(cfg)
	if err != nil {
		return nil, err
	}
	reranker, first, _, err := a.reranker(cfg)
	if err != nil {
		return nil, err
	}
	glosser, err := cfg.glosser()
	if err != nil {
		return nil, err
	}
	return eval.Open(ctx, text, eval.Options{Reranker: reranker, RerankFirst: first, Embedder: embedder, Glosser: glosser, Logger: a.logger, Signals: signals, Progress: a.progress("vectors")})
}

// readLines reads a file of one JSON value a line.
func readLines[T any](file string) ([]T, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, usagef("cannot read %v", err)
	}
	defer f.Close()
	rows, err := eval.ReadLines[T](f)
	if err != nil {
		return nil, usagef("%s: %v", file, err)
	}
	return rows, nil
}

// use gives a catalogue the calibration of a file.
func use(ctx context.Context, cat *eval.Catalogue, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return usagef("cannot read the calibration: %v", err)
	}
	if err := cat.Use(ctx, text); err != nil {
		return usagef("%v", err)
	}
	return nil
}

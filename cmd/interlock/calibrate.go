package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// calibrateCmd learns from accepted matches.
type calibrateCmd struct {
	Tools   string `required:"" help:"Tools, one JSON object a line: id, provider, name, description, inputSchema." placeholder:"FILE" type:"path"`
	Matches string `required:"" help:"Accepted matches, one JSON object a line: query, tools (a list of ids; empty where nothing serves it)." placeholder:"FILE" type:"path"`
	Out     string `required:"" help:"File to write; the configuration names it as calibration." placeholder:"FILE" type:"path"`
	Plot    string `help:"Also draw the reliability of the probability, as SVG." placeholder:"FILE" type:"path"`
}

// Run learns and writes, and says what the part that was kept apart confirms.
func (c calibrateCmd) Run(ctx context.Context, a *app) error {
	cat, err := a.measured(ctx, c.Tools, false)
	if err != nil {
		return err
	}
	matches, err := readLines[eval.Match](c.Matches)
	if err != nil {
		return err
	}
	cal, report, err := cat.Calibrate(ctx, matches)
	if err != nil {
		return usagef("%v", err)
	}
	text, err := json.Marshal(cal)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	_, digest, err := discover.ReadCalibration(text)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.Out, text, 0o600); err != nil {
		return usagef("cannot write %v", err)
	}
	if c.Plot != "" {
		if err := os.WriteFile(c.Plot, []byte(report.Plot(fmt.Sprintf("%d requests kept apart, and as many without their tools", report.Confirmed+report.Unserved))), 0o600); err != nil {
			return usagef("cannot write %v", err)
		}
	}
	if a.JSON {
		return a.print(map[string]any{"calibration": digest, "scorer": cal.Scorer, "matches": len(cal.Matches), "confirmation": report})
	}
	if lost := len(matches) - report.Learned - report.Confirmed - report.Empty; lost > 0 {
		tell(a.err, "%d of %d matches name no tool that is there\n", lost, len(matches))
	}
	return a.tellCalibration(digest, report)
}

// fewMatches is how many matches are too few for anchors and a gate.
const fewMatches = 40

func (a *app) tellCalibration(digest string, r eval.Confirmation) error {
	tell(a.out, "calibration/%s: learned from %d matches, confirmed on %d kept apart\n", digest, r.Learned, r.Confirmed)
	if r.Learned < fewMatches {
		tell(a.out, "fewer than %d matches: needs like them find their tools, and scores keep their scale; the figures below say little\n", fewMatches)
	}
	if r.Confirmed == 0 {
		return nil
	}
	line := func(what string, before, after float64) error {
		return tell(a.out, "%-20s %5.1f -> %5.1f (95 %%: %.1f either way)\n", what, 100*before, 100*after, 196*math.Sqrt(after*(1-after)/float64(r.Confirmed)))
	}
	return errors.Join(line("first place", r.Before.First, r.After.First), line("first five", r.Before.Five, r.After.Five),
		tell(a.out, "served from %.2f on: %.1f %% of the served refused, %.1f %% of the others accepted; calibration error %.3f\n", r.Point, 100*r.FalseRefuse, 100*r.FalseAccept, r.Error))
}

// calibration reads the configured one; nil where there is none.
func (c config) calibration() ([]byte, error) {
	if c.Calibration == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.path(c.Calibration))
	if err != nil {
		return nil, configError("calibration: %s cannot be read", filepath.Base(c.Calibration))
	}
	if _, _, err := discover.ReadCalibration(text); err != nil {
		return nil, configError("%v", err)
	}
	return text, nil
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/eval"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
	"github.com/seed-ae386458/interlock/policy"
)

// calibrateCmd learns from accepted matches.
type calibrateCmd struct {
	Tools   string `help:"Tools, one JSON object a line: id, provider, name, description, inputSchema. Without it, those of the store." placeholder:"FILE" type:"path"`
	Matches string `help:"Accepted matches, one JSON object a line: query, tools (a list of ids; empty where nothing serves it)." placeholder:"FILE" type:"path"`
	FromLog bool   `help:"Take the needs of the log whose offered tools were then called with success as accepted matches."`
	Needs   string `help:"With --from-log: needs as they were asked, one JSON object a line. Without it, those that log.needs has kept." placeholder:"FILE" type:"path"`
	Since   string `help:"With --from-log: only what was asked since a day (2026-11-01), a time (RFC 3339), or for a while (720h)." placeholder:"WHEN"`
	Tenant  string `help:"With --from-log: only what this tenant's principals asked." placeholder:"NAME"`
	Used    string `help:"Also write the matches that are learned from, in the form of --matches." placeholder:"FILE" type:"path"`
	Out     string `required:"" help:"File to write; the configuration names it as calibration." placeholder:"FILE" type:"path"`
	Plot    string `help:"Also draw the reliability of the probability, as SVG." placeholder:"FILE" type:"path"`
}

// Run learns and writes, and says what the part that was kept apart confirms.
func (c calibrateCmd) Run(ctx context.Context, a *app) error {
	if err := c.check(); err != nil {
		return err
	}
	tools, matches, taken, err := c.gather(ctx, a)
	if err != nil {
		return err
	}
	cat, err := a.measuredText(ctx, tools, false)
	if err != nil {
		return err
	}
	cal, report, err := cat.Calibrate(ctx, matches)
	if err != nil {
		return usagef("%v", err)
	}
	if len(cal.Matches) == 0 {
		return a.learnedNothing(taken, matches, report)
	}
	digest, err := c.write(cal, report, matches)
	if err != nil {
		return err
	}
	if a.JSON {
		out := map[string]any{"calibration": digest, "scorer": cal.Scorer, "matches": len(cal.Matches), "confirmation": report}
		if taken != nil {
			out["log"] = taken
		}
		return a.print(out)
	}
	a.tellLost(matches, report)
	return a.tellCalibration(digest, report)
}

// learnedNothing says that there is no match of which a calibration could be made,
// and why. Nothing is written: an empty one would change what it is not made for.
func (a *app) learnedNothing(taken *takenLog, matches []eval.Match, report eval.Confirmation) error {
	if a.JSON {
		out := map[string]any{"calibration": "", "matches": 0, "confirmation": report}
		if taken != nil {
			out["log"] = taken
		}
		return errors.Join(a.print(out), &exitError{wire.ExitFailed})
	}
	a.tellLost(matches, report)
	tell(a.err, "there is no match to learn from%s; nothing is written\n", beside(report.Empty))
	return &exitError{wire.ExitFailed}
}

// beside names what is no match of a tool.
func beside(empty int) string {
	if empty == 0 {
		return ""
	}
	return " beside " + count(empty, "need") + " that nothing serves"
}

// tellLost says of how many matches the tools are not there.
func (a *app) tellLost(matches []eval.Match, r eval.Confirmation) {
	if lost := len(matches) - r.Learned - r.Confirmed - r.Empty; lost > 0 {
		tell(a.err, "%d of %s: no word of a need, or no tool that is there\n", lost, countOf(len(matches), "match", "matches"))
	}
}

// check refuses what says nothing to learn from.
func (c calibrateCmd) check() error {
	switch {
	case !c.FromLog && c.Matches == "":
		return usagef("say what to learn from: --matches FILE, --from-log, or both")
	case !c.FromLog && (c.Needs != "" || c.Since != "" || c.Tenant != ""):
		return usagef("--needs, --since and --tenant say what is taken from the log; add --from-log")
	}
	return nil
}

// gather gives the tools, the matches, and what was taken of the log; nil for
// nothing.
func (c calibrateCmd) gather(ctx context.Context, a *app) (tools []byte, matches []eval.Match, taken *takenLog, err error) {
	if c.Tools != "" {
		if tools, err = os.ReadFile(c.Tools); err != nil {
			return nil, nil, nil, usagef("cannot read the tools: %v", err)
		}
	}
	if c.Matches != "" {
		if matches, err = readLines[eval.Match](c.Matches); err != nil {
			return nil, nil, nil, err
		}
	}
	if c.Tools != "" && !c.FromLog {
		return tools, matches, nil, nil
	}
	err = a.with(ctx, func(s *session, who interlock.Principal) error {
		if tools == nil {
			if tools, err = toolLines(ctx, s, who); err != nil {
				return err
			}
		}
		if !c.FromLog {
			return nil
		}
		if err := s.may(who, policy.Audit, "reads the log"); err != nil {
			return err
		}
		found, log, err := c.accepted(ctx, a, s)
		matches, taken = append(matches, found...), &log
		return err
	})
	return tools, matches, taken, err
}

// takenLog is what the log gave, and what of it was left out.
type takenLog struct {
	Needs    int            `json:"needs"`    // answered with an offer
	Calls    int            `json:"calls"`    // of an offered tool, with success
	Failed   int            `json:"failed"`   // without
	Accepted int            `json:"accepted"` // needs with such a call
	Tenants  map[string]int `json:"tenants"`  // calls by tenant
	Kept     int            `json:"needs_kept"`
	Unread   int            `json:"needs_unread"` // kept lines that are no needs
	Matches  int            `json:"matches"`
	LeftOut  eval.LeftOut   `json:"left_out"`
}

// accepted finds the kept needs in the log, with what was called after them.
func (c calibrateCmd) accepted(ctx context.Context, a *app, s *session) ([]eval.Match, takenLog, error) {
	since, err := sinceOf(c.Since, time.Now())
	if err != nil {
		return nil, takenLog{}, err
	}
	needs, unread, err := s.keptNeeds(c.Needs)
	if err != nil {
		return nil, takenLog{}, err
	}
	log, err := readAccepted(ctx, s, eval.Asked{Since: since, Tenant: c.Tenant})
	if err != nil {
		return nil, takenLog{}, err
	}
	names, err := a.needNames()
	if err != nil {
		return nil, takenLog{}, err
	}
	found, left, err := log.Matches(needs, names)
	if err != nil {
		return nil, takenLog{}, err
	}
	sum := takenLog{Needs: log.Needs, Calls: log.Followed, Failed: log.Failed, Accepted: len(log.By), Tenants: log.Tenants, Kept: len(needs), Unread: unread, Matches: len(found), LeftOut: left}
	if !a.JSON {
		a.tellTaken(sum)
	}
	return found, sum, nil
}

func (a *app) tellTaken(t takenLog) {
	tell(a.out, "the log: %d needs were answered with offers, and %d calls of an offered tool succeeded; %d needs were accepted by one\n", t.Needs, t.Calls, t.Accepted)
	for _, name := range slices.Sorted(maps.Keys(t.Tenants)) {
		if len(t.Tenants) > 1 {
			tell(a.out, "  %d calls by principals of %s\n", t.Tenants[name], name)
		}
	}
	tell(a.out, "%s; left out: %d calls that did not succeed, %d needs that were not kept, %d that go on with earlier turns, %d without words\n",
		countOf(t.Matches, "match", "matches"), t.Failed, t.LeftOut.Unkept, t.LeftOut.Continued, t.LeftOut.Wordless)
	a.tellUnread(t.Unread)
	a.hint(t.Kept == 0 && t.Accepted > 0, needsHint)
}

// sinceOf reads a day, a time, or a while before now; empty is the beginning.
func sinceOf(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return now.Add(-d), nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usagef("since: %q is no day (2026-11-01), time (RFC 3339) or while (720h)", text)
}

// write writes the calibration, and gives its digest.
func (c calibrateCmd) write(cal discover.Calibration, report eval.Confirmation, matches []eval.Match) (string, error) {
	text, err := json.Marshal(cal)
	if err != nil {
		return "", err
	}
	text = append(text, '\n')
	_, digest, err := discover.ReadCalibration(text)
	if err != nil {
		return "", err
	}
	files := map[string][]byte{c.Out: text}
	if c.Used != "" {
		var lines []byte
		for _, m := range matches {
			line, err := interlock.Marshal(m)
			if err != nil {
				return "", err
			}
			lines = append(append(lines, line...), '\n')
		}
		files[c.Used] = lines
	}
	if c.Plot != "" {
		files[c.Plot] = []byte(report.Plot(fmt.Sprintf("%d requests kept apart, and as many without their tools", report.Confirmed+report.Unserved)))
	}
	for name, text := range files {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return "", usagef("cannot write %v", err)
		}
	}
	return digest, nil
}

// tooRefusing is the share of the served that an operating point refuses where it
// is of no use: it was chosen to refuse a twentieth.
const tooRefusing = 0.5

// fewMatches is how many matches are too few for anchors and a gate.
const fewMatches = 40

func (a *app) tellCalibration(digest string, r eval.Confirmation) error {
	tell(a.out, "calibration/%s: learned from %s, confirmed on %d kept apart%s\n", digest, countOf(r.Learned, "match", "matches"), r.Confirmed, beside(r.Empty))
	if r.Learned < fewMatches {
		tell(a.out, "fewer than %d matches: needs like them find their tools, and scores keep their scale; the figures below say little\n", fewMatches)
	}
	if r.Confirmed == 0 {
		return nil
	}
	line := func(what string, before, after float64) error {
		return tell(a.out, "%-20s %5.1f -> %5.1f (95 %%: %.1f either way)\n", what, 100*before, 100*after, 196*math.Sqrt(after*(1-after)/float64(r.Confirmed)))
	}
	if r.FalseRefuse > tooRefusing {
		tell(a.err, "%s refuses most of what is served, or all of it: more matches are needed before anything is refused by it\n", a.style(a.err).yellow("this operating point"))
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

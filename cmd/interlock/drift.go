package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/receipt"
)

type driftCmd struct {
	List   driftList   `cmd:"" default:"withargs" help:"How tools behave against what they document; one tool in depth."`
	Accept driftAccept `cmd:"" help:"Accept one divergence of a tool by its digest."`
	Reject driftReject `cmd:"" help:"Refuse a divergence, and take back what was accepted."`
	Replay driftReplay `cmd:"" help:"Judge an exported log anew, without a store."`
	CI     driftCI     `cmd:"" name:"ci" help:"Probe a service against its document, without a store: for a provider's own pipeline."`
}

type driftList struct {
	Tool                 string `arg:"" optional:"" help:"Whole name of a tool, for all that is known of it."`
	RequireDocumentation bool   `help:"Judge as if tools that document nothing were rejected."`
	All                  bool   `help:"Print the tools too of which too little is known, however many."`
	Watch                bool   `help:"Print again whenever a verdict changes, until interrupted."`
}

type driftAccept struct {
	Tool      string        `arg:"" help:"Whole name of the tool."`
	Digest    string        `required:"" help:"Digest of the divergence, as the list shows it." placeholder:"HEX"`
	Approver  string        `help:"Who answers for it; required for CRITICAL." placeholder:"NAME"`
	Expires   time.Duration `help:"How long it holds; required for CRITICAL. Without it: until a fingerprint changes." placeholder:"DURATION"`
	Principal string        `name:"for" help:"Whose calls it covers; without it everybody's." placeholder:"NAME"`
}

type driftReject struct {
	Tool   string `arg:"" help:"Whole name of the tool."`
	Digest string `required:"" help:"Digest of the divergence, as the list shows it." placeholder:"HEX"`
}

type driftReplay struct {
	File                 string `arg:"" help:"A log that log export wrote." type:"path"`
	RequireDocumentation bool   `help:"Judge as if tools that document nothing were rejected."`
}

// Run prints the verdicts.
func (c driftList) Run(ctx context.Context, a *app) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		query := interlock.DriftQuery{Tool: c.Tool, RequireDocumentation: c.RequireDocumentation}
		rows, err := s.Drift(ctx, who, query)
		if err != nil {
			return err
		}
		if err := a.tellDrift(a.worthTelling(rows, c.All || c.Tool != ""), c.Tool != ""); err != nil || !c.Watch {
			return err
		}
		return a.watchDrift(ctx, s, who, query)
	})
}

// watchEvery is how often a watched list is looked at.
const watchEvery = time.Second

// watchDrift prints the rows whose verdict or divergences changed.
func (a *app) watchDrift(ctx context.Context, s *session, who interlock.Principal, query interlock.DriftQuery) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	seen := map[string]string{}
	for first := true; ; first = false {
		rows, err := s.Drift(ctx, who, query)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		var moved []drift.Row
		for _, row := range rows {
			if state := stateOf(row); seen[row.Tool] != state {
				seen[row.Tool] = state
				moved = append(moved, row)
			}
		}
		if len(moved) > 0 && !first {
			if err := a.tellDrift(moved, query.Tool != ""); err != nil {
				return err
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// stateOf is what of a row makes it worth telling again.
func stateOf(row drift.Row) string {
	parts := []string{string(row.Verdict)}
	for _, d := range row.Divergences {
		parts = append(parts, d.Digest)
	}
	return strings.Join(parts, " ")
}

// screen is how many rows that say nothing yet are printed before they are
// counted instead.
const screen = 20

// worthTelling leaves out of a list for people the tools of which nothing is
// known yet, or nothing is documented, where they are many, and says how many it
// leaves out. JSON has them all.
func (a *app) worthTelling(rows []drift.Row, all bool) []drift.Row {
	if all || a.JSON {
		return rows
	}
	a.hint(len(rows) == 0, "no tool is there; `interlock sources` lists where tools come from")
	unknown, undocumented := 0, 0
	told := slices.DeleteFunc(slices.Clone(rows), func(r drift.Row) bool {
		switch {
		case len(r.Divergences) > 0:
			return false
		case r.Verdict == drift.InsufficientEvidence:
			unknown++
		case r.Verdict == drift.NoDocumentedDependency:
			undocumented++
		default:
			return false
		}
		return true
	})
	if unknown+undocumented <= screen {
		return rows
	}
	a.hint(true, fmt.Sprintf("not listed: %d of which too little is known yet, %d that document nothing; --all lists them, interlock probe asks them", unknown, undocumented))
	return told
}

// tellDrift prints rows as JSON, as a table, or one in depth.
func (a *app) tellDrift(rows []drift.Row, deep bool) error {
	if a.JSON {
		return a.print(rows)
	}
	if deep && len(rows) == 1 {
		return a.tellTool(rows[0])
	}
	lines := make([][]string, 0, len(rows))
	for _, row := range rows {
		worst, kinds := drift.None, []string{}
		for _, d := range row.Divergences {
			worst = worst.Or(d.Severity)
			kinds = append(kinds, string(d.Kind))
		}
		lines = append(lines, []string{row.Tool, row.Version, string(row.Verdict), string(worst), strings.Join(kinds, ", ")})
	}
	return table(a.out, []string{"TOOL", "VERSION", "VERDICT", "WORST", "DRIFT"}, lines)
}

// tellTool prints all that is known of one tool.
func (a *app) tellTool(row drift.Row) error {
	st := a.style(a.out)
	paint := st.green
	switch row.Verdict {
	case drift.DriftRejected:
		paint = st.red
	case drift.DriftWithinPolicy, drift.InsufficientEvidence:
		paint = st.yellow
	}
	tell(a.out, "%s %s  %s\n", st.bold(row.Tool), row.Version, paint(string(row.Verdict)))
	if row.Documented+row.Observed != "" {
		tell(a.out, "  documented %s\n  observed   %s\n", st.dim(row.Documented), st.dim(row.Observed))
	}
	for _, d := range row.Divergences {
		at := ""
		if d.Pointer != "" {
			at = " at " + d.Pointer
		}
		tell(a.out, "\n%s %s%s (confidence %.4f)\n", paint(string(d.Severity)), st.bold(string(d.Kind)), at, d.Confidence)
		if d.Digest == "" {
			continue // the rest is for holders of audit
		}
		tell(a.out, "  %s\n", plain(d.Evidence))
		tell(a.out, "  %s\n", st.dim("interlock drift accept "+row.Tool+" --digest "+d.Digest))
	}
	a.tellSight(row)
	return nil
}

// tellSight prints what traffic can show of a tool and how soon, and what it
// cannot.
func (a *app) tellSight(row drift.Row) {
	st := a.style(a.out)
	if len(row.Visible) > 0 {
		tell(a.out, "\n%s\n", st.bold("traffic can show"))
	}
	for _, s := range row.Visible {
		when := fmt.Sprintf("in %d calls", s.Calls)
		if s.Days > 0 {
			when += fmt.Sprintf(", %.1f days at its rate", s.Days)
		}
		tell(a.out, "  %-34s %s\n", s.Kind, when)
	}
	if len(row.ProbeOnly) > 0 {
		tell(a.out, "\n%s\n", st.bold("only a probe can show"))
	}
	for _, k := range row.ProbeOnly {
		tell(a.out, "  %s\n", k)
	}
}

// Run accepts a divergence.
func (c driftAccept) Run(ctx context.Context, a *app) error {
	if c.Expires < 0 {
		return usagef("--expires is a time to come, such as 24h")
	}
	return a.decideDrift(ctx, interlock.DriftDecision{Tool: c.Tool, Digest: c.Digest, Accept: true, Approver: c.Approver, For: c.Expires, Principal: c.Principal})
}

// Run refuses a divergence.
func (c driftReject) Run(ctx context.Context, a *app) error {
	return a.decideDrift(ctx, interlock.DriftDecision{Tool: c.Tool, Digest: c.Digest})
}

func (a *app) decideDrift(ctx context.Context, d interlock.DriftDecision) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		row, err := s.DecideDrift(ctx, who, d)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.print(row)
		}
		return tell(a.out, "%s is %s\n", row.Tool, row.Verdict)
	})
}

// Run judges a log that stands alone, once it is known to be whole.
func (c driftReplay) Run(_ context.Context, a *app) error {
	file, err := os.Open(c.File)
	if err != nil {
		return usagef("the log cannot be read: %v", err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	if _, err := receipt.VerifyExport(file, nil); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	ledger, err := folded(file)
	if err != nil {
		return err
	}
	limit, err := a.replayPolicy()
	if err != nil {
		return err
	}
	limit.RequireDocumentation = limit.RequireDocumentation || c.RequireDocumentation
	return a.tellDrift(a.worthTelling(ledger.Rows(limit, time.Now()), false), false)
}

// folded is what the entries of an export show. They stand between its first
// line and the checkpoint, one object a line.
func folded(export io.Reader) (*drift.Ledger, error) {
	ledger := drift.NewLedger()
	in := json.NewDecoder(bufio.NewReaderSize(export, 64<<10))
	for first := true; ; first = false {
		var entry interlock.LogEntry
		if err := in.Decode(&entry); err != nil {
			return ledger, nil // the checkpoint: no JSON
		}
		if first {
			continue
		}
		if _, err := ledger.Apply(entry); err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
	}
}

// replayPolicy reads what the configuration says of drift; without one the
// defaults hold.
func (a *app) replayPolicy() (drift.Policy, error) {
	file := a.Config
	if file != "" { // an empty variable is none
		file = kong.ExpandPath(file)
	}
	cfg, err := loadConfig(file)
	if err != nil {
		return drift.Policy{}, err
	}
	return cfg.Drift.policy()
}

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

type probeCmd struct {
	What   string `arg:"" help:"Name of a source, or whole name of a tool."`
	Budget int    `help:"Requests a tool at most (30)." placeholder:"N"`
	Seed   string `help:"Make the requests of an earlier probe again." placeholder:"SEED"`
}

// Run probes a tool, or every tool of a source.
func (c probeCmd) Run(ctx context.Context, a *app) error {
	if c.Budget < 0 || c.Budget > interlock.MaxProbeBudget {
		return usagef("--budget lies between 1 and %d", interlock.MaxProbeBudget)
	}
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		report, err := a.probe(ctx, s, who, interlock.ProbeRequest{What: c.What, Budget: c.Budget, Seed: c.Seed})
		if err != nil {
			return err
		}
		if a.JSON {
			return a.print(report)
		}
		return a.tellProbe(report)
	})
}

// probe has everything probed at once, and for a person tool after tool, so
// that he sees how far it is.
func (a *app) probe(ctx context.Context, s *session, who interlock.Principal, req interlock.ProbeRequest) (interlock.ProbeReport, error) {
	if !terminal(a.err) || strings.Contains(req.What, "/") {
		return s.Probe(ctx, who, req)
	}
	tools, err := s.Tools(ctx, who)
	if err != nil {
		return interlock.ProbeReport{}, err
	}
	tools = slices.DeleteFunc(tools, func(t interlock.ToolInfo) bool { return !strings.HasPrefix(t.Tool, req.What+"/") })
	if len(tools) == 0 {
		return s.Probe(ctx, who, req) // it says what is wrong
	}
	var all interlock.ProbeReport
	for i, t := range tools {
		fmt.Fprintf(a.err, "\r\x1b[Kprobing %d/%d %s", i+1, len(tools), plain(t.Tool))
		one, err := s.Probe(ctx, who, interlock.ProbeRequest{What: t.Tool, Budget: req.Budget, Seed: req.Seed})
		if err != nil {
			fmt.Fprint(a.err, "\r\x1b[K")
			return all, err
		}
		req.Seed, all.Seed = one.Seed, one.Seed
		all.Tools = append(all.Tools, one.Tools...)
	}
	fmt.Fprint(a.err, "\r\x1b[K")
	return all, nil
}

// tellProbe prints a row a tool, then what does not hold, then what was not
// asked.
func (a *app) tellProbe(report interlock.ProbeReport) error {
	rows := make([][]string, 0, len(report.Tools))
	held, broken := map[string]int{}, map[string]int{}
	for _, t := range report.Tools {
		for _, c := range t.Checks {
			if c.Holds {
				held[t.Tool]++
			} else {
				broken[t.Tool]++
			}
		}
		rows = append(rows, []string{t.Tool, fmt.Sprint(t.Sent), fmt.Sprint(held[t.Tool]), fmt.Sprint(broken[t.Tool]), fmt.Sprint(len(t.NotProbed))})
	}
	if err := table(a.out, []string{"TOOL", "SENT", "AS DOCUMENTED", "OTHERWISE", "NOT PROBED"}, rows); err != nil {
		return err
	}
	st := a.style(a.out)
	for _, t := range report.Tools {
		silent := unchecked(t)
		if broken[t.Tool]+len(silent)+len(t.NotProbed) == 0 {
			continue
		}
		tell(a.out, "\n%s\n", st.bold(t.Tool))
		if silent != "" {
			tell(a.out, "  asked, and nothing stated to check by itself: %s; the answers count as those of calls do\n", silent)
		}
		for _, c := range t.Checks {
			if !c.Holds {
				tell(a.out, "  %s %s: %s\n", st.red(c.Kind), c.Pointer, c.Says)
			}
		}
		for _, reason := range grouped(t.NotProbed) {
			tell(a.out, "  %s\n", st.dim("not probed: "+reason))
		}
	}
	a.hint(true, fmt.Sprintf("`interlock drift` says what follows from it; --seed %s asks the same again", report.Seed))
	return nil
}

// unchecked names the probes that were made and show nothing by themselves, with
// their requests: there was nothing to tell their answers apart from. The judge
// weighs them as it does calls.
func unchecked(t interlock.ProbedTool) string {
	var parts []string
	for _, p := range t.Probes {
		if !slices.ContainsFunc(t.Checks, func(c interlock.Check) bool { return c.Probe == p.Probe }) {
			parts = append(parts, fmt.Sprintf("%s (%d)", p.Probe, p.Sent))
		}
	}
	return strings.Join(parts, ", ")
}

// grouped lists the probes that were not made, those of one reason together.
func grouped(list []interlock.NotProbed) []string {
	var order []string
	names := map[string][]string{}
	for _, n := range list {
		if names[n.Reason] == nil {
			order = append(order, n.Reason)
		}
		names[n.Reason] = append(names[n.Reason], n.Probe)
	}
	for i, reason := range order {
		order[i] = strings.Join(names[reason], ", ") + ": " + reason
	}
	return order
}

package router_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
)

// drift [TOOL]: the verdicts, as the current principal reads them.
func driftRows(w *world, args []string) error {
	q := interlock.DriftQuery{}
	if len(args) > 0 {
		q.Tool = args[0]
	}
	rows, err := w.reg.Drift(context.Background(), w.who, q)
	for _, row := range rows {
		w.printf("%s@%s %s", row.Tool, row.Version, row.Verdict)
		for _, d := range row.Divergences {
			told := ""
			if d.Evidence == "" {
				told = " (no evidence told)"
			}
			w.printf("  %s %s %s%s", d.Severity, d.Kind, d.Pointer, told)
		}
	}
	return err
}

// drift-policy [insufficient=refuse] [insensitive_reads=true]: of the registries
// that are opened from now on; the current one is opened again.
func driftPolicy(w *world, args []string) error {
	w.drift, w.insensitive = drift.Policy{}, false
	_, err := options(args, func(name, value string) (bool, error) {
		switch name {
		case "insufficient":
			w.drift.RefuseInsufficient = value == "refuse"
		case "insensitive_reads":
			w.insensitive = value == "true"
		default:
			return false, fmt.Errorf("a policy on drift has no %q", name)
		}
		return true, nil
	})
	w.restart(0)
	return err
}

// drift-accept TOOL KIND [approver=NAME] [for=DURATION], drift-reject TOOL KIND:
// a decision on the divergence of that kind.
func driftAccept(w *world, args []string) error { return w.decideDrift(args, true) }

func driftReject(w *world, args []string) error { return w.decideDrift(args, false) }

func (w *world) decideDrift(args []string, accept bool) error {
	d := interlock.DriftDecision{Tool: args[0], Accept: accept, Digest: strings.Repeat("0", 64)}
	_, err := options(args[2:], func(name, value string) (_ bool, err error) {
		switch name {
		case "approver":
			d.Approver = value
		case "for":
			d.For, err = time.ParseDuration(value)
		default:
			return false, fmt.Errorf("a decision on drift has no %q", name)
		}
		return true, err
	})
	if err != nil {
		return err
	}
	rows, err := w.reg.Drift(context.Background(), interlock.Local(), interlock.DriftQuery{Tool: d.Tool})
	if err != nil {
		return err
	}
	for _, found := range rows[0].Divergences {
		if string(found.Kind) == args[1] {
			d.Digest = found.Digest
		}
	}
	row, err := w.reg.DecideDrift(context.Background(), w.who, d)
	if err == nil {
		w.printf("%s %s", row.Tool, row.Verdict)
	}
	return err
}

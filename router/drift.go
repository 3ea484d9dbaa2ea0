package router

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/receipt"
)

// Drift gives the verdict on every tool that a principal sees, or on one.
// Evidence may hold what others sent and got, so it is for holders of audit.
func (r *Router) Drift(ctx context.Context, who interlock.Principal, q interlock.DriftQuery) ([]drift.Row, error) {
	if err := r.judge.inbox.idle(ctx); err != nil {
		return nil, err
	}
	view := snapshot.Take(r.keeper, who).View()
	if q.Tool != "" && view.Tool(q.Tool) == nil {
		return nil, noTool("drift", q.Tool)
	}
	limit := r.judge.policy
	limit.RequireDocumentation = limit.RequireDocumentation || q.RequireDocumentation
	if !who.Operator {
		limit.For = who.Name
	}
	audits := r.Holds(who, policy.Audit)
	out := []drift.Row{}
	for _, row := range r.judge.rows(q.Tool, limit, r.opts.Clock()) {
		t := view.Tool(row.Tool)
		if t == nil {
			continue
		}
		switch {
		case audits:
		case t.Whole() != t:
			row = row.Masked(t.Documented(), limit)
		default:
			row = row.Public()
		}
		out = append(out, row)
	}
	return out, nil
}

func noTool(stage, name string) error {
	return &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: stage, Public: fmt.Sprintf("No tool is named %q; `interlock tools` lists them.", clip(name, 100))}
}

// rows reads the ledger: every tool, or one.
func (j *judge) rows(tool string, limit drift.Policy, now time.Time) []drift.Row {
	if tool == "" {
		return j.ledger.Rows(limit, now)
	}
	if row, ok := j.ledger.Row(tool, limit, now); ok {
		return []drift.Row{row}
	}
	return nil
}

// DecideDrift accepts a divergence or refuses it, on record, and gives the
// verdict that follows.
func (r *Router) DecideDrift(ctx context.Context, by interlock.Principal, d interlock.DriftDecision) (drift.Row, error) {
	if !r.Holds(by, policy.Administer) {
		return drift.Row{}, &interlock.Error{Code: interlock.CodeDenied, Reason: interlock.ReasonDenied, Stage: "drift", Public: "Only the operator decides on drift, and who has the right to administer."}
	}
	if r.keeper.Current().Tool(d.Tool) == nil {
		return drift.Row{}, noTool("drift", d.Tool)
	}
	if err := r.judge.inbox.idle(ctx); err != nil {
		return drift.Row{}, err
	}
	now := r.opts.Clock()
	rec, err := r.judge.decide(by, d, now)
	if err != nil {
		return drift.Row{}, err
	}
	if _, err := r.log.Append(ctx, rec.Type, rec.Body, receipt.Flushed); err != nil {
		return drift.Row{}, err
	}
	if err := r.judge.inbox.idle(ctx); err != nil {
		return drift.Row{}, err
	}
	rows := r.judge.rows(d.Tool, r.judge.policy, now)
	if len(rows) != 1 {
		return drift.Row{}, noTool("drift", d.Tool)
	}
	return rows[0], nil
}

// decide gives the record of a decision, or the reason against it.
func (j *judge) decide(by interlock.Principal, d interlock.DriftDecision, now time.Time) (drift.Record, error) {
	if !d.Accept {
		return j.ledger.Revoke(d.Tool, d.Digest, by.Name, now)
	}
	a := drift.Acceptance{Approver: d.Approver, Principal: d.Principal}
	if d.For != 0 {
		a.Expires = now.Add(d.For).UTC().Format(time.RFC3339Nano)
	}
	return j.ledger.Accept(d.Tool, d.Digest, a, now)
}

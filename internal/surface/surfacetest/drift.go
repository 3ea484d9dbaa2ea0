package surfacetest

import (
	"context"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
)

// DriftDigest names the one divergence of this router's tools: the broken one
// gives a value outside its list.
const DriftDigest = "d000000000000000000000000000000000000000000000000000000000000001"

func brokenRow() drift.Row {
	return drift.Row{Tool: Broken, Version: "1.0.0", Effect: interlock.EffectRead, Verdict: drift.DriftRejected, Why: "outside policy: enum_escape", Unseen: 1,
		Divergences: []drift.Divergence{{Kind: drift.EnumEscape, Severity: drift.Major, Pointer: "output:/state", Evidence: "2 calls", Confidence: 0.5, Digest: DriftDigest}}}
}

// Drift gives the row of the broken tool to whoever sees it.
func (r *Router) Drift(ctx context.Context, who interlock.Principal, q interlock.DriftQuery) ([]drift.Row, error) {
	if q.Tool != "" && q.Tool != Broken {
		return nil, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "drift", Public: "No tool of that name."}
	}
	if _, err := r.Show(ctx, who, Broken); err != nil {
		return []drift.Row{}, nil
	}
	return []drift.Row{brokenRow()}, nil
}

// DecideDrift takes the digest that Drift gives.
func (r *Router) DecideDrift(_ context.Context, _ interlock.Principal, d interlock.DriftDecision) (drift.Row, error) {
	if d.Tool != Broken || d.Digest != DriftDigest {
		return drift.Row{}, &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonConflict, Stage: "drift", Public: "The tool has no divergence of that digest."}
	}
	row := brokenRow()
	if d.Accept {
		row.Verdict, row.Why = drift.DriftWithinPolicy, "accepted"
	}
	return row, nil
}

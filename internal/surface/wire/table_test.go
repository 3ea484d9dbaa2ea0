package wire_test

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// The table holds every code once, refuses with 4xx and 3, and fails with 5xx
// and 1.
func TestTableIsWhole(t *testing.T) {
	failures := map[interlock.Code]bool{
		interlock.CodeUpstream: true, interlock.CodeTimeout: true, interlock.CodeIndeterminate: true,
		interlock.CodeExhausted: true, interlock.CodeInternal: true,
	}
	for _, code := range interlock.Codes() {
		row := wire.RowOf(code)
		if row.Code != code || row.Title == "" || row.RPC >= 0 {
			t.Errorf("%s: row %+v", code, row)
		}
		lowest, highest, exit := 400, 499, 3
		if failures[code] {
			lowest, highest, exit = 500, 599, 1
		}
		if row.Status < lowest || row.Status > highest || row.Exit != exit {
			t.Errorf("%s: status %d and exit %d, expected %d to %d and %d", code, row.Status, row.Exit, lowest, highest, exit)
		}
		if row.Sent < 500 {
			t.Errorf("%s: status %d after the send", code, row.Sent)
		}
	}
}

func TestStatusAndExit(t *testing.T) {
	e := func(code interlock.Code, reason interlock.Reason, stage string, outcome interlock.Outcome) error {
		return fmt.Errorf("call: %w", &interlock.Error{Code: code, Reason: reason, Stage: stage, Outcome: outcome})
	}
	for _, c := range []struct {
		name         string
		err          error
		status, exit int
	}{
		{"no offer", e(interlock.CodeConflict, interlock.ReasonOfferInvalid, "recheck", ""), 409, 3},
		{"bad arguments", e(interlock.CodeInvalid, interlock.ReasonArgumentsInvalid, "recheck", interlock.OutcomeNotSent), 400, 3},
		{"approval", e(interlock.CodeApproval, interlock.ReasonApprovalRequired, "recheck", ""), 403, 3},
		{"no binding", e(interlock.CodeUnavailable, interlock.ReasonUnavailable, "recheck", ""), 424, 3},
		{"down after clearance", e(interlock.CodeUnavailable, interlock.ReasonSourceUnreachable, "invoke", interlock.OutcomeNotSent), 503, 1},
		{"bad range", e(interlock.CodeInvalid, interlock.ReasonRangeInvalid, "eligible", ""), 400, 2},
		{"bad request", wire.Invalid("/need", "no"), 400, 2},
		{"result breaks its schema", e(interlock.CodeUpstream, interlock.ReasonResultInvalid, "validate", interlock.OutcomeFailed), 502, 1},
		{"a refusal told after the send", e(interlock.CodeInvalid, interlock.ReasonSourceRefused, "invoke", interlock.OutcomeFailed), 502, 1},
		{"unknown outcome without a stage", e(interlock.CodeTimeout, interlock.ReasonIndeterminate, "", interlock.OutcomeUnknown), 504, 1},
		{"document does not read", e(interlock.CodeInvalid, interlock.ReasonSourceInvalid, "ingest", ""), 400, 1},
		{"no such source", e(interlock.CodeNotFound, interlock.ReasonNotFound, "registry", ""), 404, 3},
		{"no such approval", e(interlock.CodeNotFound, interlock.ReasonNotFound, "store", ""), 404, 3},
		{"the registry moved", e(interlock.CodeConflict, interlock.ReasonConflict, "registry", ""), 409, 1},
		{"log broken", e(interlock.CodeInternal, interlock.ReasonLogInvalid, "log", ""), 500, 1},
		{"anything else", errors.New("boom"), 500, 1},
	} {
		if got := wire.Status(c.err); got != c.status {
			t.Errorf("%s: status %d, expected %d", c.name, got, c.status)
		}
		if got := wire.Exit(c.err); got != c.exit {
			t.Errorf("%s: exit %d, expected %d", c.name, got, c.exit)
		}
	}
	if wire.Exit(nil) != 0 || wire.RPC(wire.Invalid("", "x")) != -32602 || wire.RowOf("no such code").Code != interlock.CodeInternal {
		t.Error("done is 0, a malformed request -32602, and an unknown code internal")
	}
}

func TestLevel(t *testing.T) {
	e := func(code interlock.Code, reason interlock.Reason, stage string) error {
		return fmt.Errorf("call: %w", &interlock.Error{Code: code, Reason: reason, Stage: stage})
	}
	for _, c := range []struct {
		name string
		err  error
		want slog.Level
	}{
		{"a fault of ours", e(interlock.CodeInternal, interlock.ReasonInternal, ""), slog.LevelError},
		{"a panic's", errors.New("boom"), slog.LevelError},
		{"a full disk", e(interlock.CodeExhausted, interlock.ReasonStoreFull, "store"), slog.LevelError},
		{"the tool's own failure", e(interlock.CodeUpstream, interlock.ReasonToolError, "invoke"), slog.LevelInfo},
		{"a source that says no", e(interlock.CodeUpstream, interlock.ReasonSourceRefused, "invoke"), slog.LevelInfo},
		{"a source that fails", e(interlock.CodeUpstream, interlock.ReasonSourceFailed, "invoke"), slog.LevelWarn},
		{"a result that breaks its schema", e(interlock.CodeUpstream, interlock.ReasonResultInvalid, "validate"), slog.LevelWarn},
		{"a source that is down", e(interlock.CodeUnavailable, interlock.ReasonSourceUnreachable, "invoke"), slog.LevelWarn},
		{"a slow source", e(interlock.CodeTimeout, interlock.ReasonTimeout, "invoke"), slog.LevelWarn},
		{"the caller went away", e(interlock.CodeTimeout, interlock.ReasonCancelled, "invoke"), slog.LevelDebug},
		{"a refusal", e(interlock.CodeDenied, interlock.ReasonDenied, "recheck"), slog.LevelDebug},
		{"nothing there", e(interlock.CodeNotFound, interlock.ReasonNotFound, "show"), slog.LevelDebug},
	} {
		if got := slog.Level(wire.Level(c.err)); got != c.want {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}

func TestExitNeed(t *testing.T) {
	for d, exit := range map[interlock.Disposition]int{
		interlock.Supported: 0, interlock.Ambiguous: 3, interlock.NeedsInput: 3,
		interlock.Unsupported: 3, interlock.Forbidden: 3, interlock.BudgetUnsatisfied: 3,
	} {
		if got := wire.ExitNeed(interlock.Resolution{Disposition: d}); got != exit {
			t.Errorf("%s: exit %d, expected %d", d, got, exit)
		}
	}
}

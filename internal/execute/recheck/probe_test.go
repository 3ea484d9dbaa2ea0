package recheck_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
)

// TestProbe: a probe may break the documented input, and nothing else that a
// call may not.
func TestProbe(t *testing.T) {
	operator := interlock.Local()
	for _, tc := range []struct {
		name   string
		who    interlock.Principal
		change func(*interlock.Operation)
		after  func(*rig)
		args   string
		tool   string
		want   interlock.Reason
	}{
		{name: "inside the documentation", who: operator, args: `{"n":1}`},
		{name: "outside the documentation", who: operator, args: `{"n":"x","m":2}`},
		{name: "an agent", who: alice(), args: `{"n":1}`, want: interlock.ReasonOperatorOnly},
		{name: "no object", who: operator, args: `[]`, want: interlock.ReasonArgumentsInvalid},
		{name: "no JSON", who: operator, args: `{"n":`, want: interlock.ReasonArgumentsInvalid},
		{name: "no such tool", who: operator, tool: "s/none", args: `{}`, want: interlock.ReasonNotFound},
		{name: "a write", who: operator, args: `{}`, change: func(o *interlock.Operation) { o.Effect = interlock.EffectWrite }, want: interlock.ReasonDenied},
		{name: "an effect that nobody stated", who: operator, args: `{}`, change: func(o *interlock.Operation) { o.Effect = "" }, want: interlock.ReasonDenied},
		{name: "a write in its sandbox", who: operator, args: `{"dry_run":true}`, change: sandbox},
		{name: "a write beside its sandbox", who: operator, args: `{"dry_run":false}`, change: sandbox, want: interlock.ReasonDenied},
		{name: "a write without its sandbox's argument", who: operator, args: `{}`, change: sandbox, want: interlock.ReasonDenied},
		{name: "forbidden by its owner", who: operator, args: `{}`, change: func(o *interlock.Operation) { o.Probing = &interlock.Probing{Never: true} }, want: interlock.ReasonDenied},
		{name: "nothing to call", who: operator, args: `{}`, change: func(o *interlock.Operation) { o.Binding = nil }, want: interlock.ReasonUnavailable},
		{name: "source down", who: operator, args: `{}`, after: func(r *rig) {
			if err := r.reg.SetDown(context.Background(), "s", "x"); err != nil {
				r.t.Fatal(err)
			}
		}, want: interlock.ReasonUnavailable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			r.publish(tc.change)
			if tc.after != nil {
				tc.after(r)
			}
			if tc.tool == "" {
				tc.tool = "s/ring"
			}
			c, err := recheck.Probe(context.Background(), r.checker, tc.who, recheck.Request{Tool: tc.tool, Why: "within", Args: []byte(tc.args)})
			if interlock.ReasonOf(err) != tc.want {
				t.Fatalf("got %v, want %q", err, tc.want)
			}
			if (err == nil) != c.Valid() || c.Valid() && (c.Why() != "within" || !c.Still()) {
				t.Errorf("a clearance of %q, still %v", c.Why(), c.Valid())
			}
		})
	}
}

func sandbox(o *interlock.Operation) {
	o.Effect = interlock.EffectWrite
	o.Probing = &interlock.Probing{Sandbox: true, Args: json.RawMessage(`{"dry_run":true}`)}
}

// TestProbeFallsWithItsTool: what was cleared before the tool changed is not
// sent after.
func TestProbeFallsWithItsTool(t *testing.T) {
	for name, after := range map[string]func(*interlock.Operation){
		"another binding": func(o *interlock.Operation) { o.Binding = json.RawMessage(`"y"`) },
		"a write now":     func(o *interlock.Operation) { o.Effect = interlock.EffectWrite },
		"forbidden now":   func(o *interlock.Operation) { o.Probing = &interlock.Probing{Never: true} },
	} {
		r := newRig(t)
		r.publish(nil)
		c, err := recheck.Probe(context.Background(), r.checker, interlock.Local(), recheck.Request{Tool: "s/ring", Why: "within", Args: []byte(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		if r.publish(after); c.Still() {
			t.Errorf("%s: it would still be sent", name)
		}
	}
	if _, err := recheck.Probe(context.Background(), newRig(t).checker, interlock.Local(), recheck.Request{Tool: "s/ring"}); err == nil {
		t.Error("a probe without a reason is cleared")
	}
}

package recheck

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/policy"
)

// Request is one request that finds out how a tool behaves.
type Request struct {
	Tool string // whole name
	Why  string // the probe, as the log keeps it
	Args []byte
	// Anonymous leaves out every credential.
	Anonymous bool
}

// Probe clears a request that is made to find out how a tool behaves, or
// refuses it. Only an operator and a principal with the right to administer
// probe. It may break the documented input, which is its point, and it may go
// to a tool that was rejected for drift, which is how that is found mended.
// Everything else holds as for a call: the tool is visible, available and
// allowed, its fingerprints stand at the send, and a tool that may change the
// world is sent to only with the arguments of its declared sandbox.
func Probe(_ context.Context, c *Checker, who interlock.Principal, req Request) (Clearance, error) {
	frozen := snapshot.Take(c.Keeper, who)
	if req.Why == "" {
		return Clearance{}, errors.New("recheck: a probe says why")
	}
	tool := frozen.View().Tool(req.Tool)
	if tool == nil {
		return Clearance{}, refuse(interlock.CodeNotFound, interlock.ReasonNotFound, fmt.Sprintf("No tool is named %q; list the tools.", clip(req.Tool)))
	}
	if err := c.probeable(frozen, tool, req.Args); err != nil {
		return Clearance{}, err
	}
	clear := Clearance{frozen: frozen, tool: tool, given: req.Args, args: req.Args, bare: req.Anonymous, probe: req.Why, checker: c}
	if tool.Effect.Enforced() != interlock.EffectRead {
		clear.approval = operators
	}
	return clear, nil
}

// Why names the probe that the clearance is for; empty for a call.
func (c Clearance) Why() string { return c.probe }

// Anonymous reports that no credential goes with the request.
func (c Clearance) Anonymous() bool { return c.bare }

// callable reports whether the tool is sent to in its state.
func (c Clearance) callable(t *snapshot.Tool) bool {
	return t.State.Callable() || (c.probe != "" || c.blind) && t.State == interlock.StateDriftRejected
}

func (c *Checker) probeable(f snapshot.Frozen, t *snapshot.Tool, args []byte) error {
	who := f.Who()
	if set := c.Keeper.Policies(); !who.Operator && (set == nil || !set.Holds(who, policy.Administer).Allowed) {
		return refuse(interlock.CodeDenied, interlock.ReasonOperatorOnly, "Only the operator, and who may administer, probes tools.")
	}
	seen := *t
	if seen.State == interlock.StateDriftRejected {
		seen.State = interlock.StateActive
	}
	if err := usable(&seen, f.May(t, c.call(args)), ""); err != nil {
		return err
	}
	if t.Binds() || t.Whole() != t {
		return refuse(interlock.CodeDenied, interlock.ReasonDenied, fmt.Sprintf("Policy gives or hides arguments or fields of %s, so it is not probed as you.", t.ID))
	}
	if err := rawjson.Check(args, rawjson.Limits{Bytes: interlock.DefaultMaxArgs, Depth: interlock.MaxJSONDepth}); err != nil || rawjson.KindOf(args) != rawjson.KindObject {
		return refuse(interlock.CodeInvalid, interlock.ReasonArgumentsInvalid, "The arguments of a probe are one JSON object.")
	}
	return sandboxed(t, args)
}

// sandboxed refuses what could change the world, or what its owner forbids.
func sandboxed(t *snapshot.Tool, args []byte) error {
	leave := t.Op.Probing
	if leave == nil {
		leave = &interlock.Probing{}
	}
	if leave.Never {
		return refuse(interlock.CodeDenied, interlock.ReasonDenied, fmt.Sprintf("The owner of %s forbids probes.", t.ID))
	}
	if t.Effect.Enforced() != interlock.EffectRead && !leave.Sandbox {
		return refuse(interlock.CodeDenied, interlock.ReasonDenied, fmt.Sprintf("%s has %s and declares no sandbox, so it is not probed.", t.ID, t.Effect.Phrase()))
	}
	for name, want := range rawjson.Members(leave.Args) {
		if got, ok := rawjson.Member(args, name); !ok || !rawjson.Equal(got, want) {
			return refuse(interlock.CodeDenied, interlock.ReasonDenied, fmt.Sprintf("A probe of %s goes with the arguments of its sandbox.", t.ID))
		}
	}
	return nil
}

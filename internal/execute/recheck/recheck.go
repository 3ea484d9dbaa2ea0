// Package recheck decides, at the last moment and against the current registry,
// whether a call may go out. It promises that a Clearance exists only for a
// call whose offer, fingerprints, state, rights, arguments and approval all
// held when it was made, and that nothing reached a source before. Every
// refusal is an *interlock.Error of stage "recheck".
//
//	clearance, err := recheck.Allow(ctx, checker, who, request)
package recheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/approval"
	"github.com/seed-ae386458/interlock/internal/offer"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/policy"
)

// Checker holds what the checks compare with; every member is required.
type Checker struct {
	Keeper *snapshot.Keeper
	Offers offer.Keys
	Desk   *approval.Desk
	Clock  func() time.Time
	// Insensitive lets callers say that for a read it does not matter how the
	// tool behaves; false: nobody may.
	Insensitive bool
}

// Validate reports what is missing of a checker.
func (c Checker) Validate() error {
	if c.Keeper == nil || len(c.Offers) == 0 || c.Desk == nil || c.Clock == nil {
		return errors.New("recheck: keeper, offer keys, approval desk and clock are required")
	}
	return nil
}

// Clearance is a call proved allowed. Only Allow makes one that is of use.
type Clearance struct {
	frozen   snapshot.Frozen
	tool     *snapshot.Tool
	given    []byte // the arguments as the caller gave them
	args     []byte // with those that are bound
	approval string
	bare     bool      // no credential goes with it
	probe    string    // why, where the request finds out how a tool behaves
	blind    bool      // the caller does not depend on how the tool behaves
	expires  time.Time // of the offer; zero where the call names its tool
	cleans   bool      // policy asks that hidden characters leave the result
	checker  *Checker
}

// Valid reports whether Allow made the clearance.
func (c Clearance) Valid() bool { return c.tool != nil }

// Tool gives the cleared tool.
func (c Clearance) Tool() *snapshot.Tool { return c.tool }

// Args gives the arguments, spelled as the caller spelled them, and with those
// that policy gives for him.
func (c Clearance) Args() []byte { return c.args }

// Who gives the principal that the call is for.
func (c Clearance) Who() interlock.Principal { return c.frozen.Who() }

// View gives the fingerprint of the view that the call was cleared in.
func (c Clearance) View() string { return c.frozen.View().Fingerprint }

// Policies gives the digest of the policies that the call was cleared under;
// empty where none apply.
func (c Clearance) Policies() string { return c.frozen.Policies() }

// Blind reports that the call goes to a tool that is rejected for drift, because
// its caller does not depend on how it behaves.
func (c Clearance) Blind() bool { return c.blind }

// Cleans reports that policy asks for hidden characters to leave the result.
func (c Clearance) Cleans() bool { return c.cleans }

// Approval names the leave that the call goes by; empty where none is needed.
func (c Clearance) Approval() string { return c.approval }

// Lease keeps the registry as it is until it is given back: from the last look
// at it to the dispatch of the call.
func (c Clearance) Lease() (release func()) { return c.checker.Keeper.Lease() }

// Still reports whether the tool is, in the current snapshot, what it was when
// the call was cleared. It is asked in the instant before the send.
func (c Clearance) Still() bool {
	if !c.expires.IsZero() && !c.checker.Clock().Before(c.expires) {
		return false
	}
	now := snapshot.Take(c.checker.Keeper, c.frozen.Who())
	t := now.View().Tool(c.tool.ID)
	if t == nil || !c.callable(t) || terms(now.Who(), t) != terms(c.frozen.Who(), c.tool) || t.ToolRecord.Contract != c.tool.ToolRecord.Contract {
		return false
	}
	if c.probe != "" {
		return c.checker.probeable(now, t, c.given) == nil
	}
	if args, err := bound(now.Who(), t, c.given); err != nil || !bytes.Equal(args, c.args) || t.Cut() != c.tool.Cut() {
		return false
	}
	d := now.May(t, c.checker.call(c.args))
	return d.Allowed && (d.Waived || c.approval != waived) && (c.cleans || !d.Cleans)
}

// Shown gives the tool as its caller may see it now, for what comes back of a
// call: policies may have changed while it ran. Nil where he may not see it any
// more.
func (c Clearance) Shown() *snapshot.Tool { return c.frozen.Shown(c.checker.Keeper, c.tool) }

// call is what policies may know of a call at this moment.
func (c *Checker) call(args []byte) policy.Call {
	return policy.Call{Now: c.Clock(), ArgsBytes: len(args)}
}

// Allow clears a call or refuses it.
func Allow(ctx context.Context, c *Checker, who interlock.Principal, req interlock.CallRequest) (Clearance, error) {
	req.Args = bytes.Clone(req.Args) // what is checked is what is sent, whatever the caller does with his
	frozen := snapshot.Take(c.Keeper, who)
	tool, expires, err := c.find(frozen, req)
	if err != nil {
		return Clearance{}, err
	}
	rights := frozen.May(tool, c.call(req.Args))
	seen, blind := tool, false
	if err := behaves(tool, c.Clock()); err != nil {
		if blind = c.Insensitive && req.Insensitive && tool.Effect == interlock.EffectRead; !blind {
			return Clearance{}, err
		}
		active := *tool
		active.State, seen = interlock.StateActive, &active
	}
	if err := usable(seen, rights, req.Limit); err != nil {
		return Clearance{}, err
	}
	if err := tool.Contract.ValidateArgs(req.Args); err != nil {
		return Clearance{}, err
	}
	given := req.Args
	if req.Args, err = bound(who, tool, given); err != nil {
		return Clearance{}, err
	}
	clear := Clearance{frozen: frozen, tool: tool, given: given, args: req.Args, expires: expires, blind: blind, cleans: rights.Cleans, checker: c}
	clear.approval, err = c.leave(ctx, who, tool, rights, req)
	if err != nil {
		return Clearance{}, err
	}
	return clear, nil
}

// bound gives the arguments with those that policy gives for the caller. What
// he gave himself has passed the contract that he sees, which has none of them;
// all of it together passes the whole contract.
func bound(who interlock.Principal, t *snapshot.Tool, args []byte) ([]byte, error) {
	if !t.Binds() {
		return args, nil
	}
	all, ok := t.Bound(who, args)
	if !ok {
		return nil, unbound(t, errors.New("the credential does not say what the bound argument is"))
	}
	if err := t.Whole().Contract.ValidateArgs(all); err != nil {
		return nil, unbound(t, err)
	}
	return all, nil
}

func unbound(t *snapshot.Tool, cause error) error {
	err := refuse(interlock.CodeDenied, interlock.ReasonDenied, fmt.Sprintf("Policy does not let you call %s.", t.ID))
	err.Err = cause
	return err
}

// find gives the tool that the request means, in the caller's view, and when its
// offer ends.
func (c *Checker) find(f snapshot.Frozen, req interlock.CallRequest) (*snapshot.Tool, time.Time, error) {
	var never time.Time
	if req.Offer == "" && req.Tool != "" {
		if t := f.View().Tool(req.Tool); t != nil {
			return t, never, nil
		}
		return nil, never, refuse(interlock.CodeNotFound, interlock.ReasonNotFound, fmt.Sprintf("No tool is named %q; find one by need, or list the tools.", clip(req.Tool)))
	}
	claim, err := offer.Parse(req.Offer)
	if err != nil {
		return nil, never, offerInvalid(err)
	}
	tool := f.View().ByHandle(claim.Handle)
	if tool == nil {
		return nil, never, offerInvalid(errors.New("no visible tool of that handle"))
	}
	now := terms(f.Who(), tool)
	switch {
	case c.Offers.Holds(claim, now) && c.Clock().Before(claim.Expires):
		return tool, claim.Expires, nil
	case c.Offers.Holds(claim, now):
		return nil, never, refuse(interlock.CodeConflict, interlock.ReasonOfferExpired, "The offer has expired; resolve the need again.")
	case c.earlier(claim, now, tool):
		return nil, never, refuse(interlock.CodeConflict, interlock.ReasonFingerprintChanged, "The tool has changed since the offer was made; resolve the need again and read its schema anew.")
	}
	return nil, never, offerInvalid(errors.New("mac mismatch"))
}

// earlier reports whether the offer was made for a definition that the tool had
// before.
func (c *Checker) earlier(claim offer.Claim, now offer.Terms, t *snapshot.Tool) bool {
	found := false
	for _, d := range t.Earlier {
		then := now
		then.Changed, then.Contract, then.Binding = d.Changed, d.Contract, d.Binding
		found = c.Offers.Holds(claim, then) || found
	}
	return found
}

// Seal makes the offer of a tool for a principal.
func (c *Checker) Seal(who interlock.Principal, t *snapshot.Tool, expires time.Time) string {
	return c.Offers.Seal(t.Handle, terms(who, t), expires)
}

func terms(who interlock.Principal, t *snapshot.Tool) offer.Terms {
	return offer.Terms{Principal: who.Name, Tenant: who.Tenant, Tool: t.ID, Changed: t.Changed, Contract: t.Whole().ToolRecord.Contract, Binding: t.Binding}
}

// usable refuses a tool that is not called in its state, by this principal, or
// through this surface.
func usable(t *snapshot.Tool, rights policy.Decision, limit interlock.Effect) error {
	if t.State == interlock.StateUnavailable {
		return refuse(interlock.CodeUnavailable, interlock.ReasonUnavailable, fmt.Sprintf("%s cannot be called now: %s.", t.ID, t.Why))
	}
	if !t.State.Callable() {
		return refuse(interlock.CodeConflict, interlock.ReasonNotCallable, fmt.Sprintf("%s is %s and is not called: %s.", t.ID, t.State, t.Why))
	}
	if !rights.Allowed {
		return refuse(interlock.CodeDenied, interlock.ReasonDenied, fmt.Sprintf("Policy does not let you call %s.", t.ID))
	}
	if limit != "" && !t.Effect.Within(limit) {
		return refuse(interlock.CodeInvalid, interlock.ReasonEffectTooStrong, fmt.Sprintf("%s has %s, and this way of calling lets nothing stronger than %s through; over MCP call_tool_%[4]s takes it, and so does call_tool, and over HTTP the header Interlock-Limit: %[4]s.", t.ID, t.Effect.Phrase(), limit, t.Effect.Enforced()))
	}
	return nil
}

// behaves refuses a tool that does not do what it documents, further than
// policy lives with at this moment.
func behaves(t *snapshot.Tool, now time.Time) error {
	if t.State != interlock.StateDriftRejected && !t.State.Callable() || !t.Drift.RejectedAt(now) {
		return nil
	}
	refusal := &interlock.DriftRejected{Tool: t.ID, Kinds: t.Drift.Kinds}
	err := refuse(interlock.CodeConflict, interlock.ReasonDriftRejected, refusal.Error()+".")
	err.Refusal = refusal
	return err
}

// What stands in the place of an approval's id.
const (
	operators = "operator" // the operator gave his own leave
	waived    = "waived"   // policy asks for none
)

// leave finds the approval that a write or destructive call goes by.
func (c *Checker) leave(ctx context.Context, who interlock.Principal, t *snapshot.Tool, rights policy.Decision, req interlock.CallRequest) (string, error) {
	switch {
	case t.Effect.Enforced() == interlock.EffectRead:
		return "", nil
	case req.Approve:
		return operators, nil
	case rights.Waived && req.Approval == "":
		return waived, nil
	}
	call := callOf(who, t, req.Args)
	if req.Approval != "" {
		return req.Approval, c.Desk.Check(ctx, req.Approval, call)
	}
	id, err := c.Desk.Ask(ctx, call)
	if err != nil {
		return "", err
	}
	return "", &interlock.Error{Code: interlock.CodeApproval, Reason: interlock.ReasonApprovalRequired, Stage: "recheck", Approval: id, Outcome: interlock.OutcomeNotSent,
		Public: fmt.Sprintf("%s has %s, so a person has to approve this call; have approval %s granted, then repeat the call with it.", t.ID, t.Effect.Phrase(), id)}
}

// Spends reports whether the call goes by an approval that is used up by it.
func (c Clearance) Spends() bool {
	return c.approval != "" && c.approval != operators && c.approval != waived
}

// Spend uses up the approval of a cleared call; it is the last thing before the
// send.
func (c Clearance) Spend(ctx context.Context) error {
	if !c.Spends() {
		return nil
	}
	return c.checker.Desk.Use(ctx, c.approval, callOf(c.frozen.Who(), c.tool, c.args))
}

func callOf(who interlock.Principal, t *snapshot.Tool, args []byte) approval.Call {
	return approval.Call{Principal: who.Name, Tool: t.ID, Contract: t.Whole().ToolRecord.Contract, Binding: t.Binding, Effect: t.Effect, Args: args}
}

func offerInvalid(cause error) error {
	err := refuse(interlock.CodeConflict, interlock.ReasonOfferInvalid, "The offer does not hold: it was altered, made for another principal, or its tool is gone. Resolve the need again.")
	err.Err = cause
	return err
}

func refuse(code interlock.Code, reason interlock.Reason, public string) *interlock.Error {
	return &interlock.Error{Code: code, Reason: reason, Stage: "recheck", Public: public, Outcome: interlock.OutcomeNotSent}
}

// clip bounds text that a message repeats.
func clip(text string) string {
	if len(text) <= 100 {
		return text
	}
	return strings.ToValidUTF8(text[:100], "") + "…"
}

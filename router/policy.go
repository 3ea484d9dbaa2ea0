package router

import (
	"context"
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/receipt"
)

// SetPolicies swaps the policies whole: every answer and every send from now on
// is held to them. It returns once no call that was checked under those before
// is still on its way out. Nil leaves it to the principals' own lists.
func (r *Router) SetPolicies(set *policy.Set) { r.keeper.SetPolicies(set) }

// policiesOf is the digest of the policies that a principal is held to now;
// empty where none apply to him.
func (r *Router) policiesOf(who interlock.Principal) string {
	if set := r.keeper.Policies(); set != nil && !who.Operator {
		return set.Digest()
	}
	return ""
}

// Holds reports whether a principal has the right to audit or to administer.
// The operator has every right; without policies nobody else has one.
func (r *Router) Holds(who interlock.Principal, a policy.Action) bool {
	if who.Operator {
		return true
	}
	set := r.keeper.Policies()
	return set != nil && set.Holds(who, a).Allowed
}

// Approvals lists what a principal asked for and what he may decide on, with the
// arguments as far as he may read them.
func (r *Router) Approvals(ctx context.Context, who interlock.Principal) ([]interlock.Approval, error) {
	all, err := r.desk.List(ctx)
	if err != nil {
		return nil, err
	}
	view := snapshot.Take(r.keeper, who).View()
	list := make([]interlock.Approval, 0, len(all))
	for _, a := range all {
		t, may := view.Tool(a.Tool), who.Operator || r.mayDecide(who, a)
		if own := a.Principal == who.Name && t != nil; !own && !may { // a tool that he lost the sight of is none
			continue
		}
		a.Decidable = may && a.State == interlock.ApprovalAsked && !a.Expired
		a.Args = r.argsOf(a, t)
		list = append(list, r.shownTo(who, a))
	}
	return list, nil
}

// argsOf gives the arguments of the call that an approval is for, to who sees
// its tool as t. Under another contract than the one they were checked against,
// nobody knows what they mean or which of them are masked.
func (r *Router) argsOf(a interlock.Approval, t *snapshot.Tool) string {
	args, contract, ok := r.desk.Held(a.ID)
	if !ok || t == nil || t.Whole().ToolRecord.Contract != contract {
		return ""
	}
	return string(t.Contract.UnmaskedArgs(args))
}

// shownTo gives an approval as a principal may read it. Its digest is a bare hash
// of the arguments, and of the contract with what is masked of it for him: both
// could be tried out. He gets the keyed one, as the log has it.
func (r *Router) shownTo(who interlock.Principal, a interlock.Approval) interlock.Approval {
	if !who.Operator {
		a.Digest = r.log.KeyedDigest([]byte(a.Digest))
	}
	return a
}

// Decide grants or refuses an approval, on record. It asks for the right to
// approve calls of the tool; who lacks it is not told whether there is an
// approval of that id.
func (r *Router) Decide(ctx context.Context, id string, by interlock.Principal, grant bool) (interlock.Approval, error) {
	if err := r.decides(ctx, id, by); err != nil {
		return interlock.Approval{}, err
	}
	a, err := r.desk.Decide(ctx, id, by.Name, grant)
	if err != nil {
		return a, err
	}
	_, err = r.log.Append(ctx, interlock.EntryApproval, receipt.ApprovalBody{At: r.log.Now(), Approval: a.ID, Digest: r.log.KeyedDigest([]byte(a.Digest)), Principal: a.Principal,
		Tool: a.Tool, Effect: a.Effect, State: a.State, By: a.By}, receipt.Flushed)
	return r.shownTo(by, a), err
}

func (r *Router) decides(ctx context.Context, id string, by interlock.Principal) error {
	if by.Operator {
		return nil
	}
	if r.keeper.Policies() == nil {
		return &interlock.Error{Code: interlock.CodeDenied, Reason: interlock.ReasonOperatorOnly, Stage: "approve", Public: "Without policies only the operator decides on approvals."}
	}
	a, err := r.opts.Store.Approval(ctx, id)
	if err != nil && interlock.CodeOf(err) != interlock.CodeNotFound {
		return fmt.Errorf("decide approval: %w", err)
	}
	if err == nil && r.mayDecide(by, a) {
		return nil
	}
	return &interlock.Error{Code: interlock.CodeDenied, Reason: interlock.ReasonDenied, Stage: "approve",
		Public: "There is no approval of that id that policy lets you decide on."}
}

// mayDecide asks the policies whether a principal may decide on an approval. A
// tool that is gone has nobody but the operator for it.
func (r *Router) mayDecide(who interlock.Principal, a interlock.Approval) bool {
	set, t := r.keeper.Policies(), r.keeper.Current().Tool(a.Tool)
	return set != nil && t != nil && set.Approve(who, t.Facts(), policy.Request{Now: r.opts.Clock(), Requester: a.Principal}).Allowed
}

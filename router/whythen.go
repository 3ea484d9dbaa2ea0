package router

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/receipt"
)

// Then is what held for a principal and a tool at an entry of the log, as far as
// it can be said: the log keeps what was decided and the store the policies of
// that time, and neither keeps the definitions of tools that have changed since.
type Then struct {
	Index     int64            `json:"index"`
	At        string           `json:"at"`
	Type      string           `json:"type"`
	Principal string           `json:"principal"`
	View      string           `json:"view,omitempty"`
	Policies  string           `json:"policies,omitempty"`
	Offered   bool             `json:"offered"`          // the entry is an answer that offered the tool
	Called    bool             `json:"called"`           // the entry is of a call of the tool
	Reason    interlock.Reason `json:"reason,omitempty"` // of a refusal
	// SameView says that the principal saw then what he sees now, tool by tool
	// and field by field, so that what is said of now was true then.
	SameView bool `json:"same_view"`
	// Discover and Invoke are what the policies of that time say of the tool as
	// it is now; nil where none applied, or their text is not in the store.
	Discover *policy.Decision `json:"discover,omitempty"`
	Invoke   *policy.Decision `json:"invoke,omitempty"`
}

// WhyAt explains as Why does, and what held at an entry of the log.
func (r *Router) WhyAt(ctx context.Context, caller, who interlock.Principal, tool string, index int64) (Why, error) {
	w, err := r.Why(ctx, caller, who, tool)
	if err != nil {
		return w, err
	}
	then, err := r.entryAt(ctx, index, tool)
	if err != nil {
		return w, err
	}
	if then.Principal != who.Name {
		return w, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "policy", Pointer: "/at",
			Public: fmt.Sprintf("Entry %d is of another principal.", index)}
	}
	then.SameView = then.View != "" && then.View == w.View
	w.Then = &then
	w.Text += fmt.Sprintf("at entry %d (%s, %s): offered %t, called %t, sees the same as now: %t\n", then.Index, then.Type, then.At, then.Offered, then.Called, then.SameView)
	if then.Policies == "" {
		w.Text += "no policies applied then\n"
		return w, nil
	}
	set, err := r.policiesAt(ctx, then.Policies)
	if interlock.ReasonOf(err) == interlock.ReasonNotFound {
		w.Text += "the policies of then, " + then.Policies + ", are not in the store\n"
		return w, nil
	}
	if err != nil {
		return w, err
	}
	t := r.keeper.Current().Tool(tool)
	if t == nil {
		return w, nil
	}
	discover, invoke := set.Discover(who, t.Facts()), set.Invoke(who, t.Facts(), policy.Call{Now: r.opts.Clock()})
	then.Discover, then.Invoke = &discover, &invoke
	w.Text += "by the policies of then, " + then.Policies + ":\ndiscover " + set.Explain(discover) + "invoke " + set.Explain(invoke)
	return w, nil
}

// entryAt reads what an entry of the log says of a tool.
func (r *Router) entryAt(ctx context.Context, index int64, tool string) (Then, error) {
	entries, err := r.LogList(ctx, index, 1)
	if err != nil {
		return Then{}, err
	}
	if len(entries) != 1 || entries[0].Index != index {
		return Then{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "policy", Pointer: "/at", Public: fmt.Sprintf("The log has no entry %d.", index)}
	}
	var body struct {
		receipt.Asker
		At      string            `json:"at"`
		Tool    string            `json:"tool"`
		Reason  interlock.Reason  `json:"reason"`
		Offered []receipt.Offered `json:"offered"`
	}
	if err := json.Unmarshal(entries[0].Body, &body); err != nil {
		return Then{}, fmt.Errorf("read entry %d: %w", index, err)
	}
	return Then{Index: index, At: body.At, Type: entries[0].Type, Principal: body.Principal, View: body.View, Policies: body.Policies, Reason: body.Reason,
		Offered: slices.ContainsFunc(body.Offered, func(o receipt.Offered) bool { return o.Tool == tool }), Called: body.Tool == tool}, nil
}

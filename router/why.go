package router

import (
	"context"
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/policy"
)

// Why says what a principal may do with one tool, and by which policies. It is
// for holders of audit.
type Why struct {
	Principal string          `json:"principal"`
	Tool      string          `json:"tool"`
	Policies  string          `json:"policies"` // digest of the set; empty where there is none
	Visible   bool            `json:"visible"`
	Because   string          `json:"because,omitempty"` // what beside policies keeps it from being visible
	Discover  policy.Decision `json:"discover"`
	Invoke    policy.Decision `json:"invoke"`
	Approve   policy.Decision `json:"approve"` // of what another asked for
	Masked    []MaskedField   `json:"masked"`
	Narrowed  []NarrowedField `json:"narrowed,omitempty"`
	View      string          `json:"view"` // fingerprint of what the principal sees now
	Then      *Then           `json:"then,omitempty"`
	Text      string          `json:"text"` // the same for people
}

// MaskedField is a field that the principal cannot read.
type MaskedField struct {
	At       string          `json:"at"`
	Decision policy.Decision `json:"decision"`
}

// NarrowedField is a list of which the principal gets a part, or an argument
// that is given for him.
type NarrowedField struct {
	At string             `json:"at"`
	By []policy.Narrowing `json:"by"`
}

// Why explains to caller what who may do with a tool now.
func (r *Router) Why(_ context.Context, caller, who interlock.Principal, tool string) (Why, error) {
	if !r.Holds(caller, policy.Audit) {
		return Why{}, &interlock.Error{Code: interlock.CodeDenied, Reason: interlock.ReasonDenied, Stage: "policy", Public: "Only a holder of audit asks what others may do."}
	}
	t := r.keeper.Current().Tool(tool)
	if t == nil {
		return Why{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "policy", Public: fmt.Sprintf("No tool is named %q.", clip(tool, 100))}
	}
	w := Why{Principal: who.Name, Tool: tool, Masked: []MaskedField{}}
	frozen := snapshot.Take(r.keeper, who)
	view := frozen.View()
	w.Visible, w.View = view.Tool(tool) != nil, view.Fingerprint
	set := r.keeper.Policies()
	if set == nil || who.Operator {
		w.Because = "no policies apply: the principal's own lists and tenant decide"
		w.Discover, w.Invoke, w.Approve = listed(), listed(), listed()
		w.bar(who, frozen, t)
		if !who.Operator {
			w.Approve = w.Approve.But("without policies only the operator decides on approvals")
		}
		w.tell(nil)
		return w, nil
	}
	now := r.opts.Clock()
	w.Policies = set.Digest()
	w.Discover, w.Invoke = set.Discover(who, t.Facts()), set.Invoke(who, t.Facts(), policy.Call{Now: now})
	w.Approve = set.Approve(who, t.Facts(), policy.Request{Now: now})
	w.bar(who, frozen, t)
	for _, f := range t.Fields() {
		switch d := set.ReadField(who, f); {
		case !d.Allowed, len(d.Narrows) > 0 && !snapshot.Narrowed(*t.Op, f.At, d.Narrows):
			w.Masked = append(w.Masked, MaskedField{f.At, d})
		case len(d.Narrows) > 0:
			w.Narrowed = append(w.Narrowed, NarrowedField{f.At, d.Narrows})
		}
	}
	w.tell(set)
	return w, nil
}

// listed is a decision that no policy takes part in.
func listed() policy.Decision {
	return policy.Decision{Allowed: true, Permits: []string{}, Forbids: []string{}}
}

// bar takes back what is allowed and is denied beside policies: by the scopes of
// the credential, by the principal's own lists and tenant, and because a tool
// that is not visible is not called either.
func (w *Why) bar(who interlock.Principal, f snapshot.Frozen, t *snapshot.Tool) {
	for _, part := range []struct {
		d *policy.Decision
		a policy.Action
	}{{&w.Discover, policy.Discover}, {&w.Invoke, policy.Invoke}, {&w.Approve, policy.Approve}} {
		if !who.Within(string(part.a)) {
			*part.d = part.d.But(fmt.Sprintf("the scopes of the credential do not reach %s", part.a))
		}
	}
	hidden, uncallable := f.Barred(t)
	w.Discover, w.Invoke = w.Discover.But(hidden), w.Invoke.But(uncallable)
	if w.Visible {
		return
	}
	if w.Discover.Allowed {
		w.Because = "a field that it requires is masked"
	}
	w.Invoke = w.Invoke.But("it is not visible")
}

// tell writes the text; the set is nil where no policies apply.
func (w *Why) tell(set *policy.Set) {
	w.Text = fmt.Sprintf("%s sees %s: %t\n", w.Principal, w.Tool, w.Visible)
	if w.Because != "" {
		w.Text += w.Because + "\n"
	}
	for _, part := range []struct {
		what string
		d    policy.Decision
	}{{"discover", w.Discover}, {"invoke", w.Invoke}, {"approve", w.Approve}} {
		w.Text += part.what + " " + set.Explain(part.d)
	}
	for _, m := range w.Masked {
		w.Text += "readField " + m.At + " " + set.Explain(m.Decision)
		for _, n := range m.Decision.Narrows {
			w.Text += "  masked whole: the schema does not state what " + set.Place(n.Rule) + " goes by, " + n.Text + "\n"
		}
	}
	for _, n := range w.Narrowed {
		for _, by := range n.By {
			w.Text += "readField " + n.At + " narrowed to " + by.Text + "\n  by  " + set.Place(by.Rule) + "\n"
		}
	}
}

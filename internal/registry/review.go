package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff"
)

// Fingerprint names one definition of one tool, wording and binding included:
// what a reviewer accepts or rejects is exactly that.
func Fingerprint(id string, op interlock.Operation, overlays []interlock.Overlay) (string, error) {
	eff := Effective(id, op, overlays)
	hash, err := contract.Hash(eff)
	if err != nil {
		return "", err
	}
	pin, err := contract.Pin(eff)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "interlock/review/1\n%s\n%s\n%s\n%s\n", id, hash, pin, op.Binding))
	return hex.EncodeToString(sum[:]), nil
}

// Review lists what waits, by tool.
func (s *State) Review() ([]interlock.ReviewItem, error) {
	out := []interlock.ReviewItem{}
	overlays := s.Overlays()
	for i := range s.Tools {
		item, err := waiting(s.Tools[i], overlays)
		if err != nil {
			return nil, fmt.Errorf("review %s: %w", s.Tools[i].ID, err)
		}
		if item != nil {
			compared(item)
			out = append(out, *item)
		}
	}
	return out, nil
}

// waiting gives the item of a tool; nil where nothing waits.
func waiting(t *interlock.ToolRecord, overlays []interlock.Overlay) (*interlock.ReviewItem, error) {
	item := interlock.ReviewItem{Tool: t.ID, Family: t.Family, Version: t.Version, State: t.State, Why: t.Why}
	switch {
	case t.Waiting != nil && t.State == interlock.StateQuarantined:
		item.Kind, item.Waiting = interlock.ReviewQuarantined, t.Waiting
		if accepted(*t) {
			item.Accepted = &t.Operation
		}
	case t.Waiting != nil && t.State == interlock.StateChanged:
		item.Kind, item.Accepted, item.Waiting = interlock.ReviewContract, &t.Operation, t.Waiting
	case t.Waiting != nil:
		item.Kind, item.Accepted, item.Waiting = interlock.ReviewWording, &t.Operation, t.Waiting
	case t.State == interlock.StatePending:
		item.Kind, item.Waiting = interlock.ReviewNew, &t.Operation
	default:
		return nil, nil
	}
	var err error
	item.Fingerprint, err = Fingerprint(t.ID, *item.Waiting, overlays)
	if t.Unread && t.Rejected == item.Fingerprint {
		return nil, err // somebody has said no to exactly this
	}
	return &item, err
}

// Decide accepts or rejects the definition that waits of a tool. The
// fingerprint must be that of the definition which waits at this moment.
func (r *Registry) Decide(ctx context.Context, tool, fingerprint string, accept bool) (interlock.ReviewItem, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := r.State()
	had := state.Tool(tool)
	if had == nil {
		return interlock.ReviewItem{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "registry",
			Public: fmt.Sprintf("No tool is named %q; `interlock review` lists what waits.", tool)}
	}
	item, err := waiting(had, state.Overlays())
	if err != nil {
		return interlock.ReviewItem{}, err
	}
	if item == nil || item.Fingerprint != fingerprint {
		return interlock.ReviewItem{}, &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonConflict, Stage: "registry",
			Public: fmt.Sprintf("Of %s no definition with that fingerprint waits; `interlock review` lists what does.", tool)}
	}
	next, err := decided(state, *had, *item, accept)
	if err != nil {
		return interlock.ReviewItem{}, err
	}
	if err := r.commit(ctx, interlock.Change{PutTools: []interlock.ToolRecord{next}}); err != nil {
		return interlock.ReviewItem{}, fmt.Errorf("decide %s: %w", tool, err)
	}
	item.State = next.State
	return *item, nil
}

// decided gives the record after a decision.
func decided(state *State, had interlock.ToolRecord, item interlock.ReviewItem, accept bool) (interlock.ToolRecord, error) {
	next := had
	if !accept {
		next.Rejected, next.Waiting = item.Fingerprint, nil
		if next.State == interlock.StateChanged {
			next.Why = "its source serves a definition that was rejected; restore the accepted contract, or publish it under a new version"
		}
		return next, nil
	}
	next.Reviewed, next.Rejected, next.Waiting, next.Why, next.Unread = item.Fingerprint, "", nil, "", false
	next.Operation = *item.Waiting
	if err := describe(&next, state.Overlays()); err != nil {
		return next, err
	}
	next = renumbered(had, next)
	if len(next.Operation.Binding) > 0 {
		src := state.Source(had.Source)
		if src == nil {
			return next, fmt.Errorf("source %s is gone", had.Source)
		}
		var err error
		if next.Binding, err = contract.BindingFingerprint(src.Config.Kind, next.Operation.Binding, src.Identity); err != nil {
			return next, err
		}
	}
	if next.Contract != had.Contract || next.Binding != had.Binding || next.State != had.State {
		next.Changed = state.Generation + 1
		next = moved(had, next)
	}
	return agree(next, state.except(had.ID)), nil
}

// renumbered gives an accepted contract of a source without versions its own
// number; a stated version stays, for it is what the source states.
func renumbered(had, next interlock.ToolRecord) interlock.ToolRecord {
	next = counted(had, next)
	if !next.NoVersions || next.Contract == had.Contract || !accepted(had) {
		return next
	}
	report, err := diff.Compare(diff.Of(had.Operation), diff.Of(next.Operation), diff.Options{Mode: diff.Tool})
	if err != nil {
		report.Bump = diff.Major
	}
	if after, err := following(had.Version, report.Bump); err == nil {
		next.Version = after
		next = retire(had, next)
	}
	return next
}

// reviewed reports whether somebody has accepted exactly this definition.
func (p *plan) reviewed(id string, op interlock.Operation) bool {
	had := p.before.Tool(id)
	if had == nil || had.Reviewed == "" {
		return false
	}
	fingerprint, err := Fingerprint(id, op, p.overlays)
	return err == nil && fingerprint == had.Reviewed
}

// rejected reports whether somebody has rejected exactly this definition.
func (p *plan) rejected(had interlock.ToolRecord, op interlock.Operation) bool {
	if had.Rejected == "" {
		return false
	}
	fingerprint, err := Fingerprint(had.ID, op, p.overlays)
	return err == nil && fingerprint == had.Rejected
}

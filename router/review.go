package router

import (
	"context"

	"github.com/seed-ae386458/interlock"
)

// Review lists the definitions that wait for a decision.
func (r *Router) Review(context.Context) ([]interlock.ReviewItem, error) {
	return r.reg.State().Review()
}

// DecideReview accepts or rejects the definition of a fingerprint, on record.
func (r *Router) DecideReview(ctx context.Context, tool, fingerprint string, accept bool) (interlock.ReviewItem, error) {
	item, err := r.reg.Decide(ctx, tool, fingerprint, accept)
	if err != nil {
		return item, err
	}
	action := "rejected"
	if accept {
		action = "accepted"
	}
	return item, r.noteRegistry(ctx, action+" "+tool+" "+fingerprint, interlock.SourceConfig{Name: tool}, interlock.AddReport{})
}

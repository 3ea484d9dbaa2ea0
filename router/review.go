package router

import (
	"context"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// Review lists the definitions that wait for a decision.
func (r *Router) Review(context.Context) ([]interlock.ReviewItem, error) {
	return r.reg.State().Review()
}

// DecideReview accepts or rejects the definition of a fingerprint, on record as
// by's doing.
func (r *Router) DecideReview(ctx context.Context, by interlock.Principal, tool, fingerprint string, accept bool) (interlock.ReviewItem, error) {
	item, err := r.reg.Decide(ctx, tool, fingerprint, accept)
	if err != nil {
		return item, err
	}
	body := receipt.RegistryBody{Principal: by.Name, Action: receipt.Rejected, Tool: tool, Fingerprint: fingerprint}
	if accept {
		body.Action = receipt.Accepted
	}
	body.Source, _, _ = strings.Cut(tool, "/")
	return item, r.noteRegistry(ctx, body)
}

package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// Reviewer lists and decides the definitions that wait.
type Reviewer interface {
	Review(ctx context.Context) ([]interlock.ReviewItem, error)
	// DecideReview accepts or rejects exactly the definition of a fingerprint, on
	// record as by's doing.
	DecideReview(ctx context.Context, by interlock.Principal, tool, fingerprint string, accept bool) (interlock.ReviewItem, error)
}

// review answers GET /v1/review.
func (s *server) review(w http.ResponseWriter, r *http.Request, _ caller) error {
	items, err := s.keeper.Review(r.Context())
	if err != nil {
		return err
	}
	return sendValue(w, items)
}

// ruling is the body of a decision on a definition that waits.
type ruling struct {
	Tool        string `json:"tool"`
	Fingerprint string `json:"fingerprint"`
	Decision    string `json:"decision"` // accept or reject
}

// rule answers POST /v1/review.
func (s *server) rule(w http.ResponseWriter, r *http.Request, c caller) error {
	raw, err := body(w, r, wire.MaxEnvelope)
	if err != nil {
		return err
	}
	var v ruling
	if err := strict(raw, &v); err != nil {
		return err
	}
	if v.Decision != "accept" && v.Decision != "reject" {
		return wire.Invalid("/decision", "Expected accept or reject.")
	}
	item, err := s.keeper.DecideReview(r.Context(), c.who, v.Tool, v.Fingerprint, v.Decision == "accept")
	if err != nil {
		return err
	}
	return sendValue(w, item)
}

// Review lists the definitions that wait.
func (c *Client) Review(ctx context.Context) (list []interlock.ReviewItem, err error) {
	return list, c.get(ctx, "/v1/review", nil, &list)
}

// DecideReview accepts or rejects a definition that waits.
func (c *Client) DecideReview(ctx context.Context, by interlock.Principal, tool, fingerprint string, accept bool) (item interlock.ReviewItem, err error) {
	v := ruling{tool, fingerprint, "reject"}
	if accept {
		v.Decision = "accept"
	}
	raw, err := wire.Encode(v)
	if err != nil {
		return item, err
	}
	return item, c.post(ctx, "/v1/review", raw, as(by), &item)
}

package httpapi

import (
	"context"
	"net/http"
	"net/url"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// Judge tells how tools behave, and takes decisions on it.
type Judge interface {
	// Drift gives the verdicts on the tools that a principal sees.
	Drift(ctx context.Context, who interlock.Principal, q interlock.DriftQuery) ([]drift.Row, error)
	// DecideDrift refuses a principal without the right.
	DecideDrift(ctx context.Context, by interlock.Principal, d interlock.DriftDecision) (drift.Row, error)
}

// drift answers GET /v1/drift.
func (s *server) drift(w http.ResponseWriter, r *http.Request, c caller) error {
	query := r.URL.Query()
	rows, err := s.keeper.Drift(r.Context(), c.who, interlock.DriftQuery{Tool: query.Get("tool"), RequireDocumentation: query.Get("require_documentation") == "true"})
	if err != nil {
		return err
	}
	return sendValue(w, rows)
}

// decideDrift answers POST /v1/drift.
func (s *server) decideDrift(w http.ResponseWriter, r *http.Request, c caller) error {
	raw, err := body(w, r, wire.MaxEnvelope)
	if err != nil {
		return err
	}
	var d interlock.DriftDecision
	if err := strict(raw, &d); err != nil {
		return err
	}
	row, err := s.keeper.DecideDrift(r.Context(), c.who, d)
	if err != nil {
		return err
	}
	return sendValue(w, row)
}

// Drift gives the verdicts on the tools that who sees.
func (c *Client) Drift(ctx context.Context, who interlock.Principal, q interlock.DriftQuery) (rows []drift.Row, err error) {
	query := url.Values{}
	if q.Tool != "" {
		query.Set("tool", q.Tool)
	}
	if q.RequireDocumentation {
		query.Set("require_documentation", "true")
	}
	return rows, c.get(ctx, "/v1/drift?"+query.Encode(), as(who), &rows)
}

// DecideDrift accepts a divergence or refuses it, as by.
func (c *Client) DecideDrift(ctx context.Context, by interlock.Principal, d interlock.DriftDecision) (row drift.Row, err error) {
	raw, err := wire.Encode(d)
	if err != nil {
		return row, err
	}
	answer, err := c.send(ctx, "POST", "/v1/drift", raw, as(by))
	if err != nil {
		return row, err
	}
	return row, decode("/v1/drift", answer, &row)
}

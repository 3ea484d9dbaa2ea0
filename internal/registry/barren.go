package registry

import (
	"bytes"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/inclusion"
)

// barrenWork bounds the search for a value that fits an output schema, in
// steps: nearly every schema has one in plain sight.
const barrenWork = 50_000

// barren refuses an output schema that no value fits: the tool could return
// nothing. Where results are not held to their schema it is only noted. What
// stood there before has been looked at.
func (p *plan) barren(at, id string, op interlock.Operation) *interlock.Finding {
	if had := p.before.Tool(id); had != nil && bytes.Equal(had.Operation.OutputSchema, op.OutputSchema) {
		return nil
	}
	if len(op.OutputSchema) == 0 || !inclusion.Empty(op.OutputSchema, inclusion.Options{Work: barrenWork}) {
		return nil
	}
	return &interlock.Finding{Pointer: at + "/output_schema", Dropped: op.Results != "warn" && op.Results != "off",
		Reason: "contradicts itself: no value fits it, so the tool could return nothing"}
}

package snapshot

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/registry"
)

// Definition is a tool as somebody documents it: as it was accepted, or as it
// waits.
type Definition struct {
	drift.Stated
	Waiting bool
}

// Tools gives every tool, by source and name, whoever may see it.
func (s *Snapshot) Tools() []*Tool {
	var out []*Tool
	begun, source := 0, ""
	byName := func() {
		slices.SortFunc(out[begun:], func(a, b *Tool) int { return strings.Compare(a.ID, b.ID) })
	}
	for _, seg := range s.segments {
		if seg.source != source {
			byName()
			begun, source = len(out), seg.source
		}
		out = append(out, seg.present()...)
	}
	byName()
	return out
}

// Documented is what the tool documents, in the form that its calls are held
// against; nil where its definition cannot be read.
func (t *Tool) Documented() *drift.Documented {
	if had := t.documented.Load(); had != nil {
		return had
	}
	doc, err := drift.Document(t.Stated())
	if err != nil {
		return nil
	}
	t.documented.CompareAndSwap(nil, doc)
	return t.documented.Load()
}

// Definitions gives the accepted definition, and the one that waits, if any.
func (t *Tool) Definitions() []Definition {
	out := []Definition{{Stated: t.Stated()}}
	if t.Waiting == nil {
		return out
	}
	op := registry.Effective(t.ID, *t.Waiting, t.overlays)
	hash, err := contract.Hash(op)
	pin, pinErr := contract.Pin(op)
	if err != nil || pinErr != nil {
		return out
	}
	waits := t.Stated()
	waits.Operation, waits.Contract, waits.Pin, waits.Compiled = op, hash, pin, nil
	if op.Version != "" {
		waits.Version = op.Version
	}
	return append(out, Definition{Stated: waits, Waiting: true})
}

// behaves prepares what judging the tool needs.
func (t *Tool) behaves(overlays []interlock.Overlay) {
	t.documented, t.overlays = new(atomic.Pointer[drift.Documented]), overlays
}

// Stated is the accepted definition in the form that its documentation is read
// from.
func (t *Tool) Stated() drift.Stated {
	return drift.Stated{Tool: t.ID, Version: t.Version.String(), Effect: t.Effect, Operation: *t.Op,
		Contract: t.ToolRecord.Contract, Pin: t.Pin, Binding: t.Binding, Compiled: t.Contract}
}

package snapshot

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/internal/version"
)

// compiler turns a registry's state into a snapshot.
type compiler struct {
	opts     Options
	state    *registry.State
	before   *Snapshot
	overlays []interlock.Overlay
	never    vectors // wordings that the embedder does not take
}

func (c *compiler) run(ctx context.Context) *Snapshot {
	s := &Snapshot{Generation: c.state.Generation, Serial: c.before.Serial + 1, Sources: c.state.Sources,
		byID: map[string]*Tool{}, byHandle: map[Handle]*Tool{}, views: map[string]*viewing{}, proofs: c.before.proofs, glosser: c.opts.Glosser}
	if c.opts.Embedder != nil {
		s.Scorer = c.opts.Embedder.Name()
	}
	c.overlays = c.state.Overlays()
	if moved, ok := c.state.Since(c.before.Generation); ok && c.sameOverlays(moved) {
		c.patch(ctx, s, moved)
		return s
	}
	old := map[[32]byte]segment{}
	for _, seg := range c.before.segments {
		old[seg.key] = seg
	}
	delete(old, [32]byte{})
	bySource := map[string][]*interlock.ToolRecord{}
	for _, rec := range c.state.Tools {
		bySource[rec.Source] = append(bySource[rec.Source], rec)
	}
	for _, src := range c.state.Sources {
		key := c.key(src, bySource[src.Config.Name])
		seg, ok := old[key]
		if !ok {
			seg = c.segment(ctx, src, bySource[src.Config.Name])
			seg.key = key
		}
		s.put(seg)
	}
	return s
}

// put adds a segment and finds its tools a place.
func (s *Snapshot) put(seg segment) {
	s.segments = append(s.segments, seg)
	for _, t := range seg.tools {
		if t != nil {
			s.byID[t.ID] = t
			s.byHandle[t.Handle] = t
		}
	}
}

// segment compiles records of a source.
func (c *compiler) segment(ctx context.Context, src interlock.SourceRecord, recs []*interlock.ToolRecord) segment {
	var tools []*Tool
	for _, rec := range recs {
		t, err := c.tool(src, rec)
		if err != nil {
			c.opts.Logger.Error("tool left out of the snapshot", "tool", rec.ID, "err", err)
			continue
		}
		t.place = len(tools)
		tools = append(tools, t)
	}
	return c.indexed(ctx, src.Config.Name, tools)
}

// indexed gives compiled tools, each at its place, with their index.
func (c *compiler) indexed(ctx context.Context, source string, tools []*Tool) segment {
	seg := segment{source: source, tools: tools, forms: newForms()}
	docs := make([]index.Doc, 0, len(tools))
	for i, t := range tools {
		docs = append(docs, docsOf(i, t)...)
	}
	if c.opts.Embedder != nil {
		all := lacks(docs)
		seg.lacks = c.opts.stored(ctx, c.never, all).given(docs, all)
	}
	seg.index = index.Build(len(tools), docs, c.opts.Glosser, func(i int) []string { return exactKeys(tools[i]) })
	return seg
}

// tool compiles one record.
func (c *compiler) tool(src interlock.SourceRecord, rec *interlock.ToolRecord) (*Tool, error) {
	t := &Tool{ToolRecord: rec, Op: c.effective(rec.ID, &rec.Operation), Handle: HandleOf(rec.ID)}
	var err error
	if t.Version, err = version.Parse(rec.Version); err != nil {
		return nil, err
	}
	for _, p := range rec.Past {
		v, err := version.Parse(p.Version)
		if err != nil {
			return nil, err
		}
		t.Past = append(t.Past, c.past(rec.ID, v, p))
	}
	if t.Contract, err = contract.CompileShared(t.Op); err != nil {
		return nil, err
	}
	t.State, t.Why = standing(src, rec)
	t.policed()
	t.behaves(c.overlays)
	t.sum = t.sumOf()
	t.naming = new(atomic.Pointer[Naming])
	t.said = new(atomic.Pointer[Said])
	return t, nil
}

// standing gives the state of a record, and why: unavailable while there is
// nothing to call, rejected while it does not behave.
func standing(src interlock.SourceRecord, rec *interlock.ToolRecord) (interlock.State, string) {
	switch {
	case !rec.State.Callable():
	case rec.Drift != nil && rec.Drift.Rejected:
		return interlock.StateDriftRejected, drifted(rec.Drift)
	case len(rec.Operation.Binding) == 0:
		return interlock.StateUnavailable, "it has no binding: nothing to call"
	case src.Down != "":
		return interlock.StateUnavailable, "its source does not answer"
	}
	return rec.State, rec.Why
}

// drifted says why a tool is rejected for its behaviour.
func drifted(d *interlock.DriftStanding) string {
	if slices.Contains(d.Kinds, interlock.InsufficientEvidence) {
		return "too little is known of how it behaves, and policy wants evidence first"
	}
	if len(d.Kinds) == 0 {
		return "it documents nothing of its behaviour, and policy requires it"
	}
	return "it no longer behaves as it documents: " + strings.Join(d.Kinds, ", ")
}

// past is a retired version with the meaning that overlays give it.
func (c *compiler) past(id string, v version.Version, p interlock.Contracted) Past {
	out := Past{Version: v, Contract: p.Contract}
	if p.Stated != nil {
		out.Op = c.effective(id, p.Stated)
	}
	return out
}

// effective gives an operation with the meaning that overlays give it, itself
// where they give none.
func (c *compiler) effective(id string, op *interlock.Operation) *interlock.Operation {
	if !slices.ContainsFunc(c.overlays, func(o interlock.Overlay) bool { return o.Tool == id }) {
		return op
	}
	under := registry.Effective(id, *op, c.overlays)
	return &under
}

// key covers everything that a compiled source depends on.
func (c *compiler) key(src interlock.SourceRecord, recs []*interlock.ToolRecord) [32]byte {
	h := sha256.New()
	if c.opts.Embedder != nil {
		fmt.Fprintf(h, "%s\n", c.opts.Embedder.Name())
	}
	fmt.Fprintf(h, "%q %t\n", src.Config.Name, src.Down != "")
	for _, rec := range recs {
		c.keyOf(h, rec)
	}
	return [32]byte(h.Sum(nil))
}

func (c *compiler) keyOf(h hash.Hash, rec *interlock.ToolRecord) {
	fmt.Fprintf(h, "%q %q %q %q %q %q %s %s %s %d\n", rec.ID, rec.Tenant, rec.Family, rec.Version, rec.State, rec.Effect, rec.Contract, rec.Pin, rec.Binding, rec.Changed)
	op := rec.Operation
	fmt.Fprintf(h, "%q %q %s %s %q %v %q\n", op.Aliases, op.Tags, op.Timeout, op.Results, pastOf(rec), len(rec.Earlier), rec.Why)
	if rec.Drift != nil {
		fmt.Fprintf(h, "drift %t %q %q %d\n", rec.Drift.Rejected, rec.Drift.Kinds, rec.Drift.Places, rec.Drift.Until.UnixNano())
	}
	fmt.Fprintf(h, "%q %v %q\n", op.Variants, op.Errors, op.Fields) // the hashes know them as sets; what is shown keeps their order
	fmt.Fprintf(h, "%d %s %s\n", len(op.InputSchema), op.InputSchema, op.OutputSchema)
	if op.Probing != nil {
		fmt.Fprintf(h, "probing %t %t %s\n", op.Probing.Never, op.Probing.Sandbox, op.Probing.Args)
	}
	for _, canary := range op.Canaries {
		fmt.Fprintf(h, "canary %s %q %s %q\n", canary.Args, canary.Expect.Error, canary.Expect.Result, canary.Shows)
		if canary.Then != nil {
			fmt.Fprintf(h, "then %q %s %s\n", canary.Then.Tool, canary.Then.Args, canary.Then.Expect.Result)
		}
	}
	if rec.Waiting != nil {
		text, _ := interlock.Marshal(rec.Waiting) // it came out of a store as JSON
		fmt.Fprintf(h, "waiting %s\n", text)
	}
	for _, o := range c.overlays {
		if o.Tool == rec.ID {
			fmt.Fprintf(h, "overlay %q\n", o)
		}
	}
}

// pastOf names the retired versions of a record by what was promised.
func pastOf(rec *interlock.ToolRecord) []string {
	var out []string
	for _, p := range rec.Past {
		out = append(out, fmt.Sprintf("%s %s %t", p.Version, p.Contract, p.Stated != nil))
	}
	return out
}

package router

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// changes names tools whose definitions may be others than they were; the zero
// value names none.
type changes struct {
	tools map[string]bool
	all   bool // every tool, and every one that is gone
}

func named(tools []string) map[string]bool {
	out := make(map[string]bool, len(tools))
	for _, t := range tools {
		out[t] = true
	}
	return out
}

func (c *changes) add(o changes) {
	c.all = c.all || o.all
	if c.tools == nil {
		c.tools = make(map[string]bool, len(o.tools))
	}
	maps.Copy(c.tools, o.tools)
}

// movements reads the changes off the registry's generations, one after the
// other.
type movements struct {
	generation uint64          // the last one that was read
	overlaid   map[string]bool // sources that had overlays in it: those reach into other sources
}

func (m *movements) since(state *registry.State) changes {
	moved, known := state.Since(m.generation)
	m.generation = state.Generation
	out := changes{tools: moved.Tools, all: !known}
	for name := range moved.Sources {
		out.all = out.all || m.overlaid[name]
	}
	m.overlaid = map[string]bool{}
	for _, src := range state.Sources {
		if len(src.Overlays) > 0 {
			m.overlaid[src.Config.Name] = true
			out.all = out.all || moved.Sources[src.Config.Name]
		}
	}
	return out
}

// moved names the tools that changes speak of: those that are there by source
// and name, and behind them those that are gone.
func (j *judge) moved(of changes) []string {
	now := j.keeper.Current()
	there, names := now.Tools, j.ledger.Tools
	if !of.all {
		there = func() []*snapshot.Tool { return present(now, of.tools) }
		names = func() []string { return slices.Sorted(maps.Keys(of.tools)) }
	}
	var out []string
	for _, t := range there() {
		out = append(out, t.ID)
	}
	for _, name := range names() {
		if now.Tool(name) == nil {
			out = append(out, name)
		}
	}
	return out
}

// documented gives the records of definitions that the log does not have yet,
// and of tools that are gone, among some tools.
func (j *judge) documented(tools []string) []drift.Record {
	now := j.keeper.Current()
	var out []drift.Record
	for _, name := range tools {
		t := now.Tool(name)
		if t == nil {
			if j.ledger.Knows(name) {
				out = append(out, drift.Record{Type: interlock.EntryDocumented, Body: drift.Gone(name)})
			}
			continue
		}
		defs := t.Definitions()
		for _, d := range defs {
			if !j.ledger.Documents(d.Stated, d.Waiting) {
				out = j.document(out, d, false)
			}
		}
		if len(defs) == 1 && j.ledger.Waits(name) {
			out = j.document(out, defs[0], true)
		}
	}
	return out
}

// present gives the tools of some names that are there, by source and name.
func present(now *snapshot.Snapshot, names map[string]bool) []*snapshot.Tool {
	var out []*snapshot.Tool
	for name := range names {
		if t := now.Tool(name); t != nil {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *snapshot.Tool) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.ID, b.ID))
	})
	return out
}

// document adds the record of a definition; withdrawn says that one that waited
// does so no longer.
func (j *judge) document(to []drift.Record, d snapshot.Definition, withdrawn bool) []drift.Record {
	doc, err := drift.Document(d.Stated)
	if err != nil {
		j.opts.Logger.Error("the documentation of a tool cannot be read", "tool", d.Tool, "err", err)
		return to
	}
	body := doc.Body()
	body.Waiting, body.Withdrawn = d.Waiting, withdrawn
	return append(to, drift.Record{Type: interlock.EntryDocumented, Body: body})
}

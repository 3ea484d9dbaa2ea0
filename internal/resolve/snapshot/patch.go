package snapshot

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/registry"
)

// The parts that a source may stand in, and the share of empty places, one in
// so many, that the largest of them may have, before they are put together.
const (
	maxParts   = 8
	emptyShare = 4
)

// sameOverlays reports that a change moves no overlay: those reach into other
// sources.
func (c *compiler) sameOverlays(moved registry.Moved) bool {
	if len(c.before.segments) == 0 {
		return false
	}
	for name := range moved.Sources {
		if src := c.state.Source(name); src != nil && len(src.Overlays) > 0 {
			return false
		}
		if was := c.before.source(name); was != nil && len(was.Overlays) > 0 {
			return false
		}
	}
	return true
}

func (s *Snapshot) source(name string) *interlock.SourceRecord {
	for i := range s.Sources {
		if s.Sources[i].Config.Name == name {
			return &s.Sources[i]
		}
	}
	return nil
}

// patch makes the snapshot after one change out of the one before it. A tool
// whose definition stands keeps its compiled form and its place in the index
// whatever happens to its state; what is new or defined anew is compiled into a
// segment beside.
func (c *compiler) patch(ctx context.Context, s *Snapshot, moved registry.Moved) {
	bySource := map[string][]string{}
	for id := range moved.Tools {
		name := ""
		if was := c.before.byID[id]; was != nil {
			name = was.Source
			bySource[name] = append(bySource[name], id)
		}
		if rec := c.state.Tool(id); rec != nil && rec.Source != name {
			bySource[rec.Source] = append(bySource[rec.Source], id)
		}
	}
	parts := map[string][]segment{}
	for _, seg := range c.before.segments {
		parts[seg.source] = append(parts[seg.source], seg)
	}
	s.byID, s.byHandle = maps.Clone(c.before.byID), maps.Clone(c.before.byHandle)
	for id := range moved.Tools {
		if was := s.byID[id]; was != nil {
			delete(s.byID, id)
			delete(s.byHandle, was.Handle)
		}
	}
	for _, src := range c.state.Sources {
		name := src.Config.Name
		ids, had := bySource[name], parts[name]
		if !moved.Sources[name] && len(ids) == 0 {
			s.segments = append(s.segments, had...)
			continue
		}
		slices.Sort(ids)
		for _, seg := range c.patched(ctx, src, had, ids) {
			s.put(seg)
		}
	}
}

// patched gives the parts of a source of which some tools moved.
func (c *compiler) patched(ctx context.Context, src interlock.SourceRecord, parts []segment, ids []string) []segment {
	p := patching{compiler: c, src: src}
	if was := c.before.source(src.Config.Name); was == nil || (was.Down == "") != (src.Down == "") {
		p.turned = true // what could be called cannot be, or the other way round
	}
	var out []segment
	for _, seg := range parts {
		out = append(out, p.part(seg, ids))
	}
	for _, id := range ids {
		if rec := c.state.Tool(id); rec != nil && rec.Source == src.Config.Name && !p.stands[id] {
			p.fresh = append(p.fresh, rec)
		}
	}
	if len(p.fresh) > 0 || len(out) == 0 {
		out = append(out, c.segment(ctx, src, p.fresh))
	}
	return c.together(ctx, src, out)
}

// patching is one source on its way to what it is after a change.
type patching struct {
	*compiler
	src    interlock.SourceRecord
	turned bool
	stands map[string]bool // moved, and keeps its place
	fresh  []*interlock.ToolRecord
}

// part gives a segment after the change.
func (p *patching) part(seg segment, ids []string) segment {
	next := segment{source: seg.source, tools: slices.Clone(seg.tools), index: seg.index, lacks: seg.lacks}
	var changed []int
	for i, t := range seg.tools {
		if t == nil {
			continue
		}
		_, moved := slices.BinarySearch(ids, t.ID)
		if !moved && !p.turned {
			continue
		}
		now := p.after(t)
		if now == t {
			p.stand(t.ID)
			continue
		}
		next.tools[i] = now
		changed = append(changed, i)
		if now == nil {
			next.lacks = slices.DeleteFunc(slices.Clone(next.lacks), func(l lack) bool { return l.tool == i })
		} else {
			p.stand(t.ID)
		}
	}
	if len(changed) == 0 {
		return seg
	}
	next.forms = seg.forms.after(changed)
	return next
}

func (p *patching) stand(id string) {
	if p.stands == nil {
		p.stands = map[string]bool{}
	}
	p.stands[id] = true
}

// after gives a compiled tool in its standing after the change; nil where it is
// gone or defined anew.
func (p *patching) after(t *Tool) *Tool {
	rec := p.state.Tool(t.ID)
	if rec == nil || rec.Source != p.src.Config.Name {
		return nil
	}
	if rec != t.ToolRecord {
		was, now := *t.ToolRecord, *rec
		was.Drift, now.Drift = nil, nil
		if !reflect.DeepEqual(was, now) {
			return nil
		}
	}
	return t.standing(p.src, rec, t.place)
}

// standing gives the tool in another standing or place; itself where both are
// the same.
func (t *Tool) standing(src interlock.SourceRecord, rec *interlock.ToolRecord, place int) *Tool {
	state, why := standing(src, rec)
	if state == t.State && why == t.Why && place == t.place && reflect.DeepEqual(rec.Drift, t.Drift) {
		return t
	}
	now := *t
	now.ToolRecord, now.State, now.Why, now.place = rec, state, why, place
	if state != t.State {
		now.policed()
		now.sum = now.sumOf()
	}
	now.masks = t.masks.moved(&now)
	return &now
}

// together puts parts of a source into one where there are too many of them, or
// too little in the largest: all but the largest as long as they are small
// beside it.
func (c *compiler) together(ctx context.Context, src interlock.SourceRecord, parts []segment) []segment {
	largest, total := 0, 0
	for i, seg := range parts {
		total += len(seg.present())
		if len(seg.tools) > len(parts[largest].tools) {
			largest = i
		}
	}
	big := parts[largest]
	present := len(big.present())
	hollow := (len(big.tools)-present)*emptyShare > len(big.tools)
	if len(parts) <= maxParts && !hollow {
		return parts
	}
	if hollow || (total-present)*emptyShare > total {
		return []segment{c.joined(ctx, src, parts)}
	}
	return []segment{big, c.joined(ctx, src, slices.Delete(slices.Clone(parts), largest, largest+1))}
}

// present gives the tools of a segment that are not gone.
func (seg segment) present() []*Tool {
	return slices.DeleteFunc(slices.Clone(seg.tools), func(t *Tool) bool { return t == nil })
}

// joined puts parts into one, in order of name.
func (c *compiler) joined(ctx context.Context, src interlock.SourceRecord, parts []segment) segment {
	var tools []*Tool
	for _, seg := range parts {
		tools = append(tools, seg.present()...)
	}
	slices.SortFunc(tools, func(a, b *Tool) int { return strings.Compare(a.ID, b.ID) })
	for i, t := range tools {
		tools[i] = t.standing(src, t.ToolRecord, i)
	}
	return c.indexed(ctx, src.Config.Name, tools)
}

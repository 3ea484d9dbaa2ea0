package snapshot

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/version"
)

// View is what the principals of one class may see of one snapshot. Everything
// shown to them is computed from it.
type View struct {
	Fingerprint string
	Serial      uint64  // of its snapshot; never shown: it counts changes outside the view too
	Scorer      string  // embedder that the view is searched with; empty for none
	Tools       []*Tool // by id
	Index       *index.View
	denied      map[*Tool]bool // visible, and no call of them could be allowed
	bare        map[*Tool]bool // visible, and some of their wordings have no vector
	byID        map[string]*Tool
	kin         []*Tool            // by family and id
	families    map[string]*Family // those of several tools, and those with edges
	masked      []*Tool            // in the order of their own segment of the index
	marks       [][]Mark           // by segment and place
	snapshot    *Snapshot
}

// Family is one capability family in one view.
type Family struct {
	Name     string
	Tools    []*Tool
	Versions []Versioned // ascending, each version once, past ones included
	Edges    []interlock.Edge
	proofs   *proofs
}

// Graph gives the contract graph of the family: declared edges, and proofs
// where nothing is declared.
func (f *Family) Graph() *contract.Graph {
	rows := make([]contract.VersionContract, 0, len(f.Versions))
	ops := make(map[string]*interlock.Operation, len(f.Versions))
	for _, v := range f.Versions {
		rows = append(rows, contract.VersionContract{Version: v.Version, Contract: v.Contract})
		ops[v.Version.String()] = v.Op
	}
	return contract.NewGraph(rows, f.Edges, func(from, to contract.VersionContract) contract.Proof {
		return f.proofs.of(from.Contract, ops[from.Version.String()], to.Contract, ops[to.Version.String()]).proof
	})
}

// Versioned is one version of a family and the hash of its contract.
type Versioned struct {
	Version  version.Version
	Contract string
	Op       *interlock.Operation // what Contract is the hash of; nil where it is not kept
	Tools    []*Tool              // none for a past version
}

// maxViews bounds the views that are kept of one snapshot.
const maxViews = 512

// view gives the view of a class of principals, compiled once.
func (s *Snapshot) view(r rights) *View {
	s.mu.Lock()
	one := s.views[r.class]
	if one == nil {
		if len(s.views) >= maxViews {
			clear(s.views)
		}
		one = &viewing{}
		s.views[r.class] = one
	}
	s.mu.Unlock()
	one.once.Do(func() { one.view = s.compileView(r) })
	return one.view
}

func (s *Snapshot) compileView(r rights) *View {
	v := &View{Serial: s.Serial, byID: map[string]*Tool{}, denied: map[*Tool]bool{}, bare: map[*Tool]bool{}, snapshot: s}
	late := 0
	var segments, of []*index.Segment
	var visible []index.Bitset
	for _, seg := range s.segments {
		bits := index.NewBitset(len(seg.tools))
		for i, f := range seg.forms.of(seg.tools, r) {
			t := f.tool
			if t == nil {
				continue
			}
			if s.Scorer != "" && !seg.index.Directed(i) {
				v.bare[t] = true
				late += seg.late(i)
			}
			if v.show(f); t.whole != nil {
				v.masked, of = append(v.masked, t), append(of, seg.index)
				continue
			}
			bits.Set(i)
		}
		segments, visible = append(segments, seg.index), append(visible, bits)
	}
	if len(v.masked) > 0 {
		segments, visible = append(segments, overlay(v.masked, of, s.glosser)), append(visible, index.AllOf(len(v.masked)))
	}
	if late*lateShare <= len(v.Tools) {
		v.Scorer = s.Scorer
	}
	slices.SortFunc(v.Tools, func(a, b *Tool) int { return strings.Compare(a.ID, b.ID) })
	v.Index = index.NewView(segments, visible)
	v.gather(s.declared(v, r))
	v.number()
	v.Fingerprint = v.fingerprint()
	return v
}

// declared gives the edges that count in a view: those of the sources that it
// shows. A source that is hidden whole says nothing, and neither may one that
// has no tools, or a hidden tool that it gets would take its edges away. The
// operator is shown every source.
func (s *Snapshot) declared(v *View, r rights) []interlock.Edge {
	shows := map[string]bool{}
	for _, t := range v.Tools {
		shows[t.Source] = true
	}
	var out []interlock.Edge
	for _, src := range s.Sources {
		if shows[src.Config.Name] || r.matcher.Operator() {
			out = append(out, src.Edges...)
		}
	}
	return out
}

// lateShare is the part of a view, one in so many, that may wait for vectors
// while the others are searched by theirs.
const lateShare = 10

// late counts a tool that waits for a vector.
func (seg segment) late(tool int) int {
	if _, waits := slices.BinarySearchFunc(seg.lacks, tool, func(l lack, t int) int { return l.tool - t }); waits {
		return 1
	}
	return 0
}

// show takes a tool into the view.
func (v *View) show(f form) {
	v.Tools = append(v.Tools, f.tool)
	v.byID[f.tool.ID] = f.tool
	if f.denied {
		v.denied[f.tool] = true
	}
}

// gather finds the families. Of a large catalogue almost every tool is its own,
// and such a family is made when it is asked for.
func (v *View) gather(edges []interlock.Edge) {
	v.kin, v.families = slices.Clone(v.Tools), map[string]*Family{}
	slices.SortFunc(v.kin, func(a, b *Tool) int {
		return cmp.Or(strings.Compare(a.Family, b.Family), strings.Compare(a.ID, b.ID))
	})
	for at, t := range v.kin {
		if at > 0 && v.kin[at-1].Family == t.Family && v.families[t.Family] == nil {
			v.families[t.Family] = v.familyAt(at - 1)
		}
	}
	for _, e := range edges {
		if f := v.Family(e.Family); f != nil && f.has(e.From) && f.has(e.To) {
			f.Edges = append(f.Edges, e)
			v.families[f.Name] = f
		}
	}
}

// Families gives every family, by name.
func (v *View) Families() iter.Seq[*Family] {
	return func(yield func(*Family) bool) {
		for at := 0; at < len(v.kin); {
			f := v.familyAt(at)
			if at += len(f.Tools); !yield(f) {
				return
			}
		}
	}
}

// Family finds a family by its name; nil where nothing of it is visible.
func (v *View) Family(name string) *Family {
	at, found := slices.BinarySearchFunc(v.kin, name, func(t *Tool, name string) int { return strings.Compare(t.Family, name) })
	if !found {
		return nil
	}
	return v.familyAt(at)
}

// familyAt gives the family whose first tool stands at a place.
func (v *View) familyAt(at int) *Family {
	name, end := v.kin[at].Family, at+1
	if f := v.families[name]; f != nil {
		return f
	}
	for end < len(v.kin) && v.kin[end].Family == name {
		end++
	}
	f := &Family{Name: name, Tools: slices.Clip(v.kin[at:end]), proofs: v.snapshot.proofs}
	f.gather()
	return f
}

// gather collects the versions of a family, past ones included.
func (f *Family) gather() {
	for _, t := range f.Tools {
		f.put(t.Version, t.ToolRecord.Contract, t.Op, t)
		for _, p := range t.Past {
			f.put(p.Version, p.Contract, p.Op, nil)
		}
	}
	slices.SortStableFunc(f.Versions, func(a, b Versioned) int { return version.Compare(a.Version, b.Version) })
}

// put adds a version, or another tool of one. The contract of a version is that
// of a tool that is accepted; one that waits says nothing about it.
func (f *Family) put(v version.Version, hash string, op *interlock.Operation, t *Tool) {
	for i := range f.Versions {
		row := &f.Versions[i]
		if row.Version.String() != v.String() {
			continue
		}
		if t != nil {
			if !slices.ContainsFunc(row.Tools, accepted) {
				row.Contract, row.Op = hash, op
			}
			row.Tools = append(row.Tools, t)
		}
		return
	}
	row := Versioned{Version: v, Contract: hash, Op: op}
	if t != nil {
		row.Tools = []*Tool{t}
	}
	f.Versions = append(f.Versions, row)
}

func accepted(t *Tool) bool {
	return t.State != interlock.StatePending && t.State != interlock.StateQuarantined
}

// has reports whether a version is in the family, whatever its build metadata.
func (f *Family) has(text string) bool {
	named, err := version.Parse(text)
	return err == nil && slices.ContainsFunc(f.Versions, func(v Versioned) bool { return version.Compare(v.Version, named) == 0 })
}

// Tool finds a visible tool by its whole name; nil where there is none.
func (v *View) Tool(id string) *Tool { return v.byID[id] }

// ByHandle finds a visible tool by its handle; nil where there is none.
func (v *View) ByHandle(h Handle) *Tool {
	whole := v.snapshot.byHandle[h]
	if whole == nil {
		return nil
	}
	if t := v.byID[whole.ID]; t != nil && t.Whole() == whole {
		return t
	}
	return nil
}

// At finds the tool that a piece of evidence speaks of.
func (v *View) At(e index.Evidence) *Tool {
	if v.Mixed(e.Segment) {
		return v.masked[e.Tool]
	}
	return v.snapshot.segments[e.Segment].tools[e.Tool]
}

// SourceOf gives the source of the tool that a piece of evidence speaks of.
func (v *View) SourceOf(e index.Evidence) string {
	if v.Mixed(e.Segment) {
		return v.masked[e.Tool].Source
	}
	return v.snapshot.segments[e.Segment].source
}

// Mixed reports whether the tools of a segment are of more than one source.
func (v *View) Mixed(segment int) bool { return segment == len(v.snapshot.segments) }

// Mark is what a request asks of every tool of the view, kept apart from the
// tools so that asking it of all of them reads little memory.
type Mark struct {
	Slot, Family int32 // numbers: tools of one slot, or one family, have the same
	Resolvable   bool
	Denied       bool // resolvable, and no call of it could be allowed
}

// slotKey names a family and major version.
type slotKey struct {
	family string
	major  uint64
}

// number makes the marks of the visible tools.
func (v *View) number() {
	slots, families := make(map[slotKey]int32, len(v.Tools)), make(map[string]int32, len(v.Tools))
	mark := func(t *Tool) Mark {
		key := slotKey{t.Family, t.Version.Major()}
		m := Mark{Resolvable: t.State.Resolvable()}
		m.Denied = m.Resolvable && !v.MayInvoke(t)
		m.Slot, m.Family = numberOf(slots, key), numberOf(families, key.family)
		return m
	}
	for _, seg := range v.snapshot.segments {
		out := make([]Mark, len(seg.tools))
		for i, t := range seg.tools {
			if t != nil && v.byID[t.ID] == t {
				out[i] = mark(t)
			}
		}
		v.marks = append(v.marks, out)
	}
	out := make([]Mark, len(v.masked))
	for i, t := range v.masked {
		out[i] = mark(t)
	}
	v.marks = append(v.marks, out)
}

// numberOf gives a key its number, the next one where it has none.
func numberOf[K comparable](known map[K]int32, key K) int32 {
	n, ok := known[key]
	if !ok {
		n = int32(len(known))
		known[key] = n
	}
	return n
}

// Mark gives the mark of the tool that a piece of evidence speaks of.
func (v *View) Mark(e index.Evidence) Mark { return v.marks[e.Segment][e.Tool] }

// MayInvoke reports whether a call of a visible tool could be allowed; what
// depends on the call itself is decided at the call.
func (v *View) MayInvoke(t *Tool) bool { return len(v.denied) == 0 || !v.denied[t] }

// Sources gives the sources of which anything is visible, with the count of
// their visible tools; the operator sees the empty ones too.
func (v *View) Sources(operator bool) []interlock.SourceInfo {
	count := map[string]int{}
	for _, t := range v.Tools {
		count[t.Source]++
	}
	out := []interlock.SourceInfo{}
	for _, s := range v.snapshot.Sources {
		n := count[s.Config.Name]
		if n == 0 && !operator {
			continue
		}
		info := interlock.SourceInfo{Name: s.Config.Name, Kind: s.Config.Kind, Tools: n}
		if s.Down != "" {
			info.State = string(interlock.StateUnavailable)
		}
		out = append(out, info)
	}
	return out
}

// fingerprint covers everything of the view that an answer can depend on, and
// nothing else.
func (v *View) fingerprint() string {
	h := sha256.New()
	fmt.Fprintf(h, "interlock/view/1\n%s\n", v.Scorer)
	for _, t := range v.Tools {
		mark := byte(0)
		if v.MayInvoke(t) {
			mark |= 1
		}
		if v.Scorer != "" && v.bare[t] {
			mark |= 2
		}
		h.Write(t.sum[:])
		h.Write([]byte{mark})
	}
	for _, name := range slices.Sorted(maps.Keys(v.families)) {
		for _, e := range v.families[name].Edges {
			fmt.Fprintf(h, "edge %q %q %q %q\n", e.Family, e.From, e.To, e.Compat)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// sumOf names what an answer can depend on of a tool by itself.
func (t *Tool) sumOf() [32]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q %q %s %s %s\n", t.ID, t.Family, t.Version.String(), t.State, t.Effect, t.ToolRecord.Contract, t.Pin, t.Binding)
	for _, p := range t.Past {
		fmt.Fprintf(h, "past %q %s\n", p.Version.String(), p.Contract)
	}
	return [32]byte(h.Sum(nil))
}

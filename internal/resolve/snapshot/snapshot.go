// Package snapshot freezes a registry into what requests read: compiled tools,
// the search index, and the views of principals over them. A snapshot never
// changes; Keeper swaps a new one in after each change of the registry.
//
// It promises that a request that holds a Frozen sees one registry from start
// to end, and that what a View gives is computed from its own tools alone. It
// refuses to show a tool from which a masked field cannot be taken.
//
//	frozen := snapshot.Take(keeper, who)
//	for _, tool := range frozen.View().Tools { … }
package snapshot

import (
	"crypto/sha256"
	"sync"
	"sync/atomic"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/version"
	"github.com/seed-ae386458/interlock/internal/words"
	"github.com/seed-ae386458/interlock/policy"
)

// Tool is the compiled form of one tool.
type Tool struct {
	// The registry's own: nobody changes it.
	*interlock.ToolRecord

	Op       *interlock.Operation // effective: overlays applied; the record's own where none are
	State    interlock.State      // the record's, or unavailable while there is nothing to call
	Why      string
	Version  version.Version
	Past     []Past
	Contract *contract.Compiled
	Handle   Handle
	place    int
	whole    *Tool // of a masked tool, the one with all of its fields
	withheld bool  // some of the output is masked, or some items of a list are
	rows     []rows
	binds    []bind
	cut      string                  // names what is left out; empty where nothing is
	sum      [32]byte                // of what a view's name says of it
	naming   *atomic.Pointer[Naming] // nothing until it is asked for
	said     *atomic.Pointer[Said]   // nothing until it is asked for
	laws     *laws                   // of a masked tool, those of the whole one
	masks    *masks
	docs     []index.Doc // of a masked tool: its searchable texts, without places and vectors
	// What judging its behaviour needs: that of a masked tool is held against Whole.
	documented *atomic.Pointer[drift.Documented]
	overlays   []interlock.Overlay
}

// Naming is what the name of a tool says.
type Naming struct {
	Terms   []string         // its words
	Objects []string         // those that are no acts
	Acts    words.Operations // what it does
}

// Naming reads the tool's name, once.
func (t *Tool) Naming() Naming {
	if t.naming == nil { // a tool that no compiler made
		return namingOf(t.Op.Name)
	}
	if had := t.naming.Load(); had != nil {
		return *had
	}
	made := namingOf(t.Op.Name)
	t.naming.Store(&made)
	return made
}

func namingOf(name string) Naming {
	return Naming{words.Tokens(name), words.Objects(name), words.ToolOperations(name, "")}
}

// Whole gives the tool with all of its fields, which offers, approvals and
// receipts speak of whatever is masked for whom. It is never shown.
func (t *Tool) Whole() *Tool {
	if t.whole != nil {
		return t.whole
	}
	return t
}

// Withholds reports that some of the tool's output is masked in this view: then
// nothing that its source says beside the result may leave either.
func (t *Tool) Withholds() bool { return t.withheld }

// Fields gives every field of the tool as policies read it.
func (t *Tool) Fields() []policy.Field { return t.Whole().fields() }

// Tool gives a tool by its whole name, whoever may see it: for questions of
// rights, never to be shown.
func (s *Snapshot) Tool(id string) *Tool { return s.byID[id] }

// Handled gives a tool by its handle, whoever may see it, for records alone.
func (s *Snapshot) Handled(h Handle) *Tool { return s.byHandle[h] }

// Past is a retired version: a base to start from, never a candidate.
type Past struct {
	Version  version.Version
	Contract string
	Op       *interlock.Operation // what was promised; nil where it is not kept
}

// Handle is the short name of a tool inside an offer.
type Handle [8]byte

// HandleOf gives the handle of a tool's whole name.
func HandleOf(id string) Handle {
	sum := sha256.Sum256([]byte("interlock/handle/1\x00" + id))
	return Handle(sum[:8])
}

// Snapshot is a registry, compiled.
type Snapshot struct {
	Generation uint64
	Serial     uint64 // counts snapshots: some of one generation differ in the vectors that they have
	Scorer     string // embedder of the vectors in the index; empty for none
	Sources    []interlock.SourceRecord
	byID       map[string]*Tool
	byHandle   map[Handle]*Tool
	segments   []segment  // of the sources in their order, of each one or more
	mu         sync.Mutex // guards views
	views      map[string]*viewing
	proofs     *proofs
	glosser    interlock.Glosser // may be nil
}

// viewing is one view, compiled by the first who asks for it.
type viewing struct {
	once sync.Once
	view *View
}

// segment is a source, compiled, or a part of one: what changes of a source
// leaves its place empty and stands in a segment of its own. It is reused while
// its records are the same.
type segment struct {
	source string
	key    [32]byte // of the records and settings it was compiled from; zero for a part
	tools  []*Tool  // nil where one is gone
	index  *index.Segment
	lacks  []lack // wordings that have no vector yet
	forms  *forms
}

// Frozen is what one request holds: a principal, his view of one snapshot, and
// the policies of that moment. Only Take makes one that is of use.
type Frozen struct {
	who    interlock.Principal
	view   *View
	rights rights
}

// Who gives the principal.
func (f Frozen) Who() interlock.Principal { return f.who }

// View gives the principal's view; nil in the zero value.
func (f Frozen) View() *View { return f.view }

// Policies gives the digest of the policies that the principal is held to;
// empty where none apply to him.
func (f Frozen) Policies() string {
	if f.rights.set == nil {
		return ""
	}
	return f.rights.set.Digest()
}

// Barred says what of the principal's own lists and tenant keeps a tool, as it is
// in no view, from being visible, and from being called; empty where they do not.
func (f Frozen) Barred(t *Tool) (hidden, uncallable string) {
	return f.rights.matcher.Barred(t.Tenant, t.ID, f.rights.set != nil)
}

// May asks the policies of this moment in full about one call of a tool of the
// view. Without policies the principal's own lists decide.
func (f Frozen) May(t *Tool, call policy.Call) policy.Decision {
	if f.view == nil || !f.view.MayInvoke(t) {
		return policy.Decision{}
	}
	return f.rights.may(f.who, t, call)
}

// Shown gives a tool of the view as the registry and the policies of this moment
// show it: what they leave out is out beside what those of the view did. Nil
// where they do not show it at all, or it is gone.
func (f Frozen) Shown(k *Keeper, t *Tool) *Tool {
	set, snap := k.policies.Load(), k.Current()
	if f.view == nil || set == f.rights.set && snap == f.view.snapshot {
		return t
	}
	now, whole, current := newRights(f.who, set), t.Whole(), snap.Tool(t.ID)
	if current == nil || !now.sees(current) || !now.sees(whole) {
		return nil
	}
	left := now.cut(whole)
	left.join(f.rights.cut(whole))
	if current != whole { // what its fields mean may have changed, and with it who reads them
		left.join(now.cut(current))
	}
	if left.empty() {
		return t
	}
	return whole.without(left)
}

// Take freezes the keeper's current snapshot and policies for one principal.
func Take(k *Keeper, who interlock.Principal) Frozen {
	r := newRights(who, k.policies.Load())
	return Frozen{who: who, view: k.Current().view(r), rights: r}
}

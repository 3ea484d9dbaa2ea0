// Package snapshot freezes a registry into what requests read: compiled tools,
// the search index, and the views of principals over them. A snapshot never
// changes; Keeper swaps a new one in after each change of the registry.
//
// It promises that a request that holds a Frozen sees one registry from start
// to end, and that what a View gives is computed from its own tools alone. It
// refuses a principal whose grants do not compile.
//
//	frozen := snapshot.Take(keeper, who)
//	for _, tool := range frozen.View.Tools { … }
package snapshot

import (
	"crypto/sha256"
	"sync"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/version"
)

// Tool is the compiled form of one tool.
type Tool struct {
	interlock.ToolRecord
	Op       interlock.Operation // effective: overlays applied
	State    interlock.State     // the record's, or unavailable while there is nothing to call
	Why      string
	Version  version.Version
	Past     []Past
	Contract *contract.Compiled
	Handle   Handle
	segment  int
	place    int
}

// Past is a retired version: a base to start from, never a candidate.
type Past struct {
	Version  version.Version
	Contract string
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
	Scorer     string // embedder of the vectors in the index; empty for none
	Edges      []interlock.Edge
	Sources    []interlock.SourceRecord
	byID       map[string]*Tool
	byHandle   map[Handle]*Tool
	segments   []segment
	mu         sync.Mutex
	views      map[string]*View
}

// segment is one source, compiled; it is reused while its records are the same.
type segment struct {
	key   [32]byte // of the records and settings it was compiled from
	tools []*Tool
	index *index.Segment
}

// Frozen is what one request holds: a principal, and his view of one snapshot.
// Only Take makes one that is of use.
type Frozen struct {
	who  interlock.Principal
	view *View
}

// Who gives the principal.
func (f Frozen) Who() interlock.Principal { return f.who }

// View gives the principal's view; nil in the zero value.
func (f Frozen) View() *View { return f.view }

// Take freezes the keeper's current snapshot for one principal.
func Take(k *Keeper, who interlock.Principal) Frozen {
	return Frozen{who: who, view: k.Current().View(auth.NewMatcher(who))}
}

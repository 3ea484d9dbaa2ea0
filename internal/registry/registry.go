// Package registry publishes and withdraws sources: it turns a catalogue into
// tool records, decides what each change means for its tool, and commits the
// whole step as one generation.
//
// It promises that one bad operation costs only itself, that a source changes
// nobody else's tools, and that a definition that contradicts its own version
// is not called before somebody accepted it. It refuses a change prepared
// against a generation that has moved.
//
//	reg, err := registry.Open(ctx, store)
//	report, err := reg.Publish(ctx, cfg, catalogue, registry.ByOperator)
package registry

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-ae386458/interlock"
)

// Registry holds the registry of one store. It is safe for concurrent use;
// reading takes no lock.
type Registry struct {
	store interlock.Store
	state atomic.Pointer[State]
	mu    sync.Mutex // one change at a time
	hooks []func(context.Context, *State)
	looks map[string]map[string]look // source → tool → what its last publication showed; guarded by mu
}

// State is a registry at one generation. It never changes.
type State struct {
	Generation uint64
	Sources    []interlock.SourceRecord // by name
	Tools      []*interlock.ToolRecord  // by id; a record stays the same one until something changes it
	lapsing    []*interlock.ToolRecord  // of Tools, those whose standing ends at a time
	byPlace    atomic.Pointer[places]   // of Tools, once somebody has asked
	from       uint64                   // the generation before
	moved      Moved                    // since then
}

// Moved names what a change put or dropped.
type Moved struct {
	Sources, Tools map[string]bool
}

// Since gives what moved since an earlier generation; false where more than one
// change lies between, or none is known of.
func (s *State) Since(generation uint64) (Moved, bool) {
	return s.moved, s.moved.Tools != nil && s.from == generation
}

func movedBy(c interlock.Change) Moved {
	m := Moved{Sources: map[string]bool{}, Tools: map[string]bool{}}
	for _, src := range c.PutSources {
		m.Sources[src.Config.Name] = true
	}
	for _, t := range c.PutTools {
		m.Tools[t.ID] = true
	}
	for _, name := range c.DropSources {
		m.Sources[name] = true
	}
	for _, id := range c.DropTools {
		m.Tools[id] = true
	}
	return m
}

// Open loads the registry of a store.
func Open(ctx context.Context, store interlock.Store) (*Registry, error) {
	if store == nil {
		return nil, fmt.Errorf("open registry: no store")
	}
	loaded, err := store.Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("open registry: %w", err)
	}
	r := &Registry{store: store, looks: map[string]map[string]look{}}
	state := &State{Generation: loaded.Generation, Sources: loaded.Sources, Tools: each(loaded.Tools)}
	state.lapsing = filtered(state.Tools, lapses)
	r.state.Store(state)
	return r, nil
}

// State gives the current state.
func (r *Registry) State() *State { return r.state.Load() }

// OnChange adds a hook that runs after each change, before the change is
// reported done. Hooks are added before the first change.
func (r *Registry) OnChange(hook func(context.Context, *State)) { r.hooks = append(r.hooks, hook) }

// Manner says who brings a new definition.
type Manner int

// ByOperator is the operator's own act: new wording counts at once. ByRefresh
// is a source read again: new wording on an unchanged contract waits.
const (
	ByOperator Manner = iota
	ByRefresh
)

// Publish replaces a source whole: its tools become those of the catalogue, of
// which it keeps a copy. A catalogue that changes nothing makes no generation, and
// one of which nothing can be used replaces nothing.
func (r *Registry) Publish(ctx context.Context, cfg interlock.SourceConfig, cat interlock.Catalogue, manner Manner) (interlock.AddReport, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.State().free(cfg.Name); err != nil {
		return interlock.AddReport{}, err
	}
	p := newPlan(r.State(), own(cfg), own(cat), manner)
	p.looks = r.looks[cfg.Name]
	change, report := p.run()
	if err := p.spent(report); err != nil {
		return report, err
	}
	r.looks[cfg.Name] = p.looked
	if !p.empty(change) {
		if err := r.commit(ctx, change); err != nil {
			return interlock.AddReport{}, fmt.Errorf("publish %s: %w", cfg.Name, err)
		}
	}
	p.lend(r.State())
	report.Generation = r.State().Generation
	return report, nil
}

// Withdraw takes a source out, its tools, edges and overlays with it.
func (r *Registry) Withdraw(ctx context.Context, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := r.State()
	if state.Source(name) == nil {
		return &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "registry",
			Public: fmt.Sprintf("No source is named %q; `interlock sources` lists them.", name)}
	}
	change := interlock.Change{DropSources: []string{name}}
	for _, t := range state.of(name) {
		change.DropTools = append(change.DropTools, t.ID)
	}
	after := state.without(name)
	change.PutTools = rederive(state, after, name)
	if err := r.commit(ctx, change); err != nil {
		return fmt.Errorf("withdraw %s: %w", name, err)
	}
	delete(r.looks, name)
	return nil
}

// SetDown records that a source does not answer, and why; an empty why records
// that it answers again. Nothing changes where that is known already.
func (r *Registry) SetDown(ctx context.Context, name, why string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	src := r.State().Source(name)
	if src == nil || src.Down == why {
		return nil
	}
	moved := *src
	moved.Down = why
	return r.commit(ctx, interlock.Change{PutSources: []interlock.SourceRecord{moved}})
}

// SetDrift records what policy says of the behaviour of some tools; nil ends a
// standing. A tool that is gone, or whose definition is another than the one
// that was judged, is passed over. Offers hold: the definition has not moved.
func (r *Registry) SetDrift(ctx context.Context, judged []Judged) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var change interlock.Change
	for _, j := range judged {
		had := r.State().Tool(j.Tool)
		if had == nil || had.Contract != j.Contract || had.Binding != j.Binding || reflect.DeepEqual(had.Drift, j.Standing) {
			continue
		}
		moved := *had
		moved.Drift = j.Standing
		change.PutTools = append(change.PutTools, moved)
	}
	if len(change.PutTools) == 0 {
		return nil
	}
	return r.commit(ctx, change)
}

// Judged is a standing with the definition that it is of.
type Judged struct {
	Tool, Contract, Binding string
	Standing                *interlock.DriftStanding
}

// commit stores a change, makes it the current state and runs the hooks.
func (r *Registry) commit(ctx context.Context, change interlock.Change) error {
	state := r.State()
	generation, err := r.store.Commit(ctx, state.Generation, change)
	if err != nil {
		return err
	}
	next := state.apply(change)
	next.Generation, next.from, next.moved = generation, state.Generation, movedBy(change)
	r.state.Store(next)
	for _, hook := range r.hooks {
		hook(context.WithoutCancel(ctx), next) // the change is made; whoever asked for it may go
	}
	return nil
}

// Source finds a source by name; nil where there is none.
func (s *State) Source(name string) *interlock.SourceRecord {
	i, ok := slices.BinarySearchFunc(s.Sources, name, func(r interlock.SourceRecord, n string) int { return strings.Compare(r.Config.Name, n) })
	if !ok {
		return nil
	}
	return &s.Sources[i]
}

// Tool finds a tool by its whole name; nil where there is none.
func (s *State) Tool(id string) *interlock.ToolRecord {
	i, ok := slices.BinarySearchFunc(s.Tools, id, func(r *interlock.ToolRecord, n string) int { return strings.Compare(r.ID, n) })
	if !ok {
		return nil
	}
	return s.Tools[i]
}

// of gives the tools of a source, by id.
func (s *State) of(source string) []*interlock.ToolRecord {
	if s.Source(source) == nil {
		return nil
	}
	return filtered(s.Tools, func(t *interlock.ToolRecord) bool { return t.Source == source })
}

// Lapsing gives the tools whose standing ends at a time, by id.
func (s *State) Lapsing() []*interlock.ToolRecord { return s.lapsing }

func lapses(t *interlock.ToolRecord) bool { return t.Drift != nil && !t.Drift.Until.IsZero() }

func filtered(tools []*interlock.ToolRecord, keep func(*interlock.ToolRecord) bool) []*interlock.ToolRecord {
	var out []*interlock.ToolRecord
	for _, t := range tools {
		if keep(t) {
			out = append(out, t)
		}
	}
	return out
}

// each gives records a place of their own each, so that one that is replaced
// leaves nothing behind.
func each(records []interlock.ToolRecord) []*interlock.ToolRecord {
	out := make([]*interlock.ToolRecord, len(records))
	for i := range records {
		own := records[i]
		out[i] = &own
	}
	return out
}

// without gives the state without a source, for reading.
func (s *State) without(source string) *State {
	if s.Source(source) == nil {
		return s
	}
	return &State{Generation: s.Generation,
		Sources: slices.DeleteFunc(slices.Clone(s.Sources), func(r interlock.SourceRecord) bool { return r.Config.Name == source }),
		Tools:   filtered(s.Tools, func(r *interlock.ToolRecord) bool { return r.Source != source })}
}

func (s *State) apply(c interlock.Change) *State {
	put := each(c.PutTools)
	id := func(r *interlock.ToolRecord) string { return r.ID }
	next := &State{Generation: s.Generation,
		Sources: merge(s.Sources, c.PutSources, c.DropSources, func(r interlock.SourceRecord) string { return r.Config.Name }),
		Tools:   merge(s.Tools, put, c.DropTools, id),
		lapsing: filtered(merge(s.lapsing, put, c.DropTools, id), lapses)}
	if had := s.byPlace.Load(); had != nil {
		now := had.after(s.records(c), put)
		next.byPlace.Store(&now)
	}
	return next
}

// records gives what stands of the tools that a change moves.
func (s *State) records(c interlock.Change) []*interlock.ToolRecord {
	var out []*interlock.ToolRecord
	for id := range movedBy(c).Tools {
		if t := s.Tool(id); t != nil {
			out = append(out, t)
		}
	}
	return out
}

// merge replaces, adds and drops rows, which stand in order of key, and keeps
// them so. What lies between two rows that move is copied as it is.
func merge[T any](rows, put []T, drop []string, key func(T) string) []T {
	put = slices.Clone(put)
	slices.SortStableFunc(put, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	gone := make([]string, 0, len(put)+len(drop))
	for i := range put {
		gone = append(gone, key(put[i]))
	}
	gone = append(gone, drop...)
	slices.Sort(gone)
	out := make([]T, 0, len(rows)+len(put))
	for _, k := range slices.Compact(gone) {
		at, found := slices.BinarySearchFunc(rows, k, func(r T, k string) int { return strings.Compare(key(r), k) })
		out = append(out, rows[:at]...)
		for len(put) > 0 && key(put[0]) == k {
			out, put = append(out, put[0]), put[1:]
		}
		if found {
			at++
		}
		rows = rows[at:]
	}
	return append(out, rows...)
}

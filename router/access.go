package router

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// The bounds of what refused requests write: one entry a rule and principal in
// accessEvery, for accessKinds of them apart and the others together.
const (
	accessEvery = time.Minute
	accessKinds = 256
)

// access counts requests that were refused at the door. However many there are,
// few entries of the log speak of them, each with how many it stands for.
type access struct {
	mu    sync.Mutex // guards kinds
	kinds map[refusedKind]*refusals
}

// refusedKind is what is counted apart.
type refusedKind struct{ rule, principal string }

// refusals are what is not in the log yet of one kind.
type refusals struct {
	count   int
	since   string
	from    string
	written time.Time // of the last entry
}

func newAccess() *access { return &access{kinds: map[refusedKind]*refusals{}} }

// NoteRefused puts on record that a request was refused at the door: by which
// rule, of whom where that is known, from where. It never waits, and holds
// nothing of a credential.
func (r *Router) NoteRefused(rule, principal, from string) {
	now := r.opts.Clock()
	if body := r.access.add(refusedKind{clip(rule, 64), clip(principal, 256)}, from, r.log.Now(), now); body != nil {
		r.writeAccess(*body)
	}
}

// add counts one, and gives the entry that is due; nil where none is.
func (a *access) add(kind refusedKind, from, at string, now time.Time) *receipt.AccessBody {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kinds[kind] == nil && len(a.kinds) >= accessKinds {
		kind.principal = ""
		a.forget(now)
	}
	one := a.kinds[kind]
	if one == nil {
		one = &refusals{}
		a.kinds[kind] = one
	}
	if one.count++; one.count == 1 {
		one.since, one.from = at, from
	}
	if !one.written.IsZero() && now.Sub(one.written) < accessEvery {
		return nil
	}
	return one.take(kind, now)
}

// forget lets go of kinds that have nothing to tell and may write again anyway.
func (a *access) forget(now time.Time) {
	maps.DeleteFunc(a.kinds, func(_ refusedKind, one *refusals) bool { return one.count == 0 && now.Sub(one.written) >= accessEvery })
}

// take gives the entry of what was counted.
func (one *refusals) take(kind refusedKind, now time.Time) *receipt.AccessBody {
	body := &receipt.AccessBody{Rule: kind.rule, Principal: kind.principal, Count: one.count, Since: one.since, From: one.from}
	*one = refusals{written: now}
	return body
}

// rest gives the entries of everything that was counted and not written.
func (a *access) rest(now time.Time) []receipt.AccessBody {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []receipt.AccessBody
	for _, kind := range slices.SortedFunc(maps.Keys(a.kinds), func(x, y refusedKind) int {
		return strings.Compare(x.rule+"\x00"+x.principal, y.rule+"\x00"+y.principal)
	}) {
		if one := a.kinds[kind]; one.count > 0 {
			out = append(out, *one.take(kind, now))
		}
	}
	return out
}

// settleAccess writes what was counted, for whoever reads the log or ends it.
func (r *Router) settleAccess() {
	for _, body := range r.access.rest(r.opts.Clock()) {
		r.writeAccess(body)
	}
}

func (r *Router) writeAccess(body receipt.AccessBody) {
	body.At = r.log.Now()
	if _, err := r.log.Append(context.Background(), interlock.EntryAccess, body, receipt.Behind); err != nil {
		r.opts.Logger.Error("a refused request is not in the log", "rule", body.Rule, "err", err)
	}
}

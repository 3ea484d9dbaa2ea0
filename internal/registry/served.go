package registry

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/version"
)

// place is a family at a version, its build metadata aside: it orders nothing
// and no range tells by it, so two builds are one version to every caller.
type place struct{ family, version string }

func placeOf(family, text string) place { return place{family, core(text)} }

// core is a version without its build metadata; what is no version stays as it is.
func core(text string) string {
	if strings.Trim(text, "0123456789.") == "" { // has none, and is canonical where it parses
		return text
	}
	if v, err := version.Parse(text); err == nil {
		return v.Core().String()
	}
	return text
}

func (p place) compare(o place) int {
	return cmp.Or(strings.Compare(p.family, o.family), strings.Compare(p.version, o.version))
}

// places are the tools of a state in order of place and id: who else serves a
// version is found without asking every tool.
type places []*interlock.ToolRecord

func newPlaces(tools []*interlock.ToolRecord) places {
	out := slices.Clone(tools)
	slices.SortStableFunc(out, func(a, b *interlock.ToolRecord) int { return recordPlace(a).compare(recordPlace(b)) })
	return out
}

func recordPlace(t *interlock.ToolRecord) place { return placeOf(t.Family, t.Version) }

// at gives the tools at a place, by id.
func (p places) at(where place) places {
	first, _ := slices.BinarySearchFunc(p, where, func(t *interlock.ToolRecord, w place) int { return recordPlace(t).compare(w) })
	end := first
	for end < len(p) && recordPlace(p[end]) == where {
		end++
	}
	return p[first:end]
}

// after gives the places after a change of the tools; before and now are the
// records of what moved.
func (p places) after(before, now []*interlock.ToolRecord) places {
	order := func(a, b *interlock.ToolRecord) int {
		return cmp.Or(recordPlace(a).compare(recordPlace(b)), strings.Compare(a.ID, b.ID))
	}
	before, now = slices.SortedFunc(slices.Values(before), order), slices.SortedFunc(slices.Values(now), order)
	out := make(places, 0, len(p)+len(now)-len(before))
	for len(before)+len(now) > 0 {
		var next *interlock.ToolRecord
		drop := len(now) == 0 || len(before) > 0 && order(before[0], now[0]) <= 0
		if drop {
			next, before = before[0], before[1:]
		} else {
			next, now = now[0], now[1:]
		}
		at, _ := slices.BinarySearchFunc(p, next, order)
		out, p = append(out, p[:at]...), p[at:]
		if drop {
			p = p[1:]
		} else {
			out = append(out, next)
		}
	}
	return append(out, p...)
}

// served knows the accepted contract of each place: of what stands in a state,
// some of it left out, and of what is added to it. Where several tools serve a
// place the first by id counts, and what stands before what is added.
type served struct {
	standing places
	without  func(*interlock.ToolRecord) bool
	added    map[place]string
}

func (s *served) contract(at place) (string, bool) {
	for _, t := range s.standing.at(at) {
		if serves(t) && !s.without(t) {
			return t.Contract, true
		}
	}
	hash, ok := s.added[at]
	return hash, ok
}

// serves reports a record with an accepted contract: what waits, or is put away,
// has none.
func serves(t *interlock.ToolRecord) bool {
	return t.State != interlock.StatePending && t.State != interlock.StateQuarantined
}

func (s *served) add(t *interlock.ToolRecord) {
	at := recordPlace(t)
	if _, taken := s.added[at]; taken || !serves(t) {
		return
	}
	if s.added == nil {
		s.added = map[place]string{}
	}
	s.added[at] = t.Contract
}

// agree holds a record against what is served at the same family and version:
// the second of two contracts that differ waits.
func agree(rec interlock.ToolRecord, by *served) interlock.ToolRecord {
	other, taken := by.contract(recordPlace(&rec))
	if taken && other != rec.Contract && rec.State.Resolvable() {
		rec.State = interlock.StatePending
		rec.Why = fmt.Sprintf("another tool already serves %s %s with another contract", rec.Family, rec.Version)
	}
	return rec
}

// places gives the tools by what they serve, put in order by the first who asks.
func (s *State) places() places {
	if had := s.byPlace.Load(); had != nil {
		return *had
	}
	made := newPlaces(s.Tools)
	s.byPlace.Store(&made)
	return made
}

// except is what every tool of a state but one serves.
func (s *State) except(id string) *served {
	return &served{standing: s.places(), without: func(t *interlock.ToolRecord) bool { return t.ID == id }}
}

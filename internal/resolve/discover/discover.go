// Package discover scores every visible tool against a need and orders them
// inside their parts. It promises that it moves nothing between the parts of
// an eligible.Set, and that equal inputs give equal bytes.
//
//	list, err := discover.Rank(set, need, query, scorer)
package discover

import (
	"cmp"
	"errors"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/ucum"
	"github.com/seed-ae386458/interlock/internal/version"
)

// Entry is one scored tool.
type Entry struct {
	Tool  *snapshot.Tool
	Class eligible.Class
	Score interlock.Score
	Exact bool // the need names it, or it gives every wanted field
	// Evidence is what the score was made from, by way of the rank.
	Evidence index.Evidence
	Rank     float64
	slot     int // of its family and major version
}

// List is the scored view: each part in order. The zero value is inert.
type List struct {
	set     eligible.Set
	query   index.Query
	scorer  string
	regime  Regime
	entries []Entry // by score, best first, ties by name
	stand   Standing
	parts   []List // of each request of a need that consists of several
	gates   Gates
	cosine  func(x float32) float32 // takes one to where the anchors are
	// relevance is what a reranker said of its best tool.
	relevance Relevance
	// Of a list that holds the first entries alone: the others of their slots,
	// and what the whole is made from.
	more []Entry
	rest *ranking
	want []interlock.Want
	// Of a list that a reranker was asked about: what it made of it, and the
	// entries as they stood.
	reranked *interlock.RerankStage
	before   []Entry
	// Of a list that is to be explained: what its ranks were made from.
	found  []index.Evidence
	raised map[string]float64
}

// Set gives the parts that the list orders.
func (l List) Set() eligible.Set { return l.set }

// Scorer names what scored the list.
func (l List) Scorer() string { return l.scorer }

// Directed reports whether vectors are part of what the list is ordered by.
func (l List) Directed() bool { return l.regime.rank.dense != 0 }

// Query gives the need as it was searched for.
func (l List) Query() index.Query { return l.query }

// Moved is the probability that the need is served, as the calibration has it.
func (l List) Moved(p float64) float64 {
	if l.gates.Reranked.by(l.relevance.By) {
		return l.gates.Reranked.Move(p, l.relevance.Best)
	}
	return l.gates.Plain.Move(p)
}

// Standing gives how the first tool stands among the others.
func (l List) Standing() Standing { return l.stand }

// Parts gives the lists of the requests that the need consists of; none where it
// is one, or says by families or fields what it wants.
func (l List) Parts() []List { return l.parts }

// Entries gives every scored tool of all parts, best first.
func (l List) Entries() []Entry { return l.Whole().entries }

// Valid reports whether Rank made the list.
func (l List) Valid() bool { return l.scorer != "" }

// Rank scores the tools of a set. A tool that the need names, or that gives
// every wanted field, scores at least τ: it survives, and outranks nothing by
// it.
func Rank(set eligible.Set, need interlock.Need, query index.Query, scorer Scorer) (List, error) {
	if !set.Valid() {
		return List{}, errors.New("discover: no set")
	}
	list := List{set: set, query: query, scorer: scorer.Name, gates: scorer.Gates, cosine: scorer.cosine}
	list.want = need.Want
	ranked, regime := scorer.best(set, query, scorer.Regime(query.Reading().Language))
	list.regime = regime
	scorer.precede(&ranked, query)
	if need.Explain {
		list.found, list.raised = ranked.found, ranked.raised
	}
	if len(set.Requested()) > 0 || len(need.Want) > 0 || need.Explain {
		list.fill(&ranked, len(ranked.places))
		if !need.Explain {
			ranked.release()
		}
	} else {
		list.begin(&ranked)
	}
	if len(set.Requested()) > 0 || len(need.Want) > 0 {
		return list, nil
	}
	for _, q := range query.Parts() {
		part, err := Rank(set, need, q, scorer)
		if err != nil {
			return List{}, err
		}
		list.parts = append(list.parts, part)
	}
	return list, nil
}

// before orders by score. What scores alike keeps the order of its rank, and
// what ranks alike that of its name.
func before(a, b Entry) int { return cmp.Compare(b.Score, a.Score) }

// givesAll reports whether a tool declares every wanted field.
func givesAll(t *snapshot.Tool, want []interlock.Want) bool {
	if len(want) == 0 {
		return false
	}
	for _, w := range want {
		if !Gives(t, w) {
			return false
		}
	}
	return true
}

// Gives reports whether an output of the tool has the wanted meaning: semantic
// id, qualifiers, and a unit that is the wanted one or converts to it.
func Gives(t *snapshot.Tool, want interlock.Want) bool {
	_, ok := Given(t, want)
	return ok
}

// Given gives the output that has the wanted meaning: one in the wanted unit
// before one that has to be converted. A unit that the tool does not state is
// not the wanted one.
func Given(t *snapshot.Tool, want interlock.Want) (given interlock.FieldMeaning, ok bool) {
	for _, f := range t.Op.Fields {
		if !strings.HasPrefix(f.At, "output:") || f.SemanticID != want.SemanticID || !qualifies(f.Qualifiers, want.Qualifiers) {
			continue
		}
		if want.Unit == "" || want.Unit == f.Unit {
			return f, true
		}
		if !ok && ucum.Convertible(f.Unit, want.Unit) {
			given, ok = f, true
		}
	}
	return given, ok
}

func qualifies(have, want map[string]string) bool {
	for k, v := range want {
		if have[k] != v {
			return false
		}
	}
	return true
}

// Slot is the tools of one family and major version in one part, as one
// candidate.
type Slot struct {
	Entry           // what the slot offers
	Members []Entry // everything in it, best first
}

// Slots folds a part into slots: its score is its best member's, what it offers
// is its highest active version, so that a score never chooses a version. Of a
// list that is not whole it gives the first ones.
func (l List) Slots(class eligible.Class) []Slot {
	n := 0
	for i := range l.entries {
		if l.entries[i].Class == class {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	at := make(map[int]int, n) // places in out
	out := make([]Slot, 0, n)
	for i := range l.entries {
		e := &l.entries[i]
		if e.Class != class {
			continue
		}
		if j, known := at[e.slot]; known {
			out[j].Members = append(out[j].Members, *e)
			continue
		}
		at[e.slot] = len(out)
		out = append(out, Slot{Members: l.entries[i : i+1 : i+1]}) // most slots have one member
	}
	for _, e := range l.more {
		if j, known := at[e.slot]; known && e.Class == class {
			out[j].Members = append(out[j].Members, e)
		}
	}
	for i := range out {
		out[i].Entry = pick(out[i].Members)
	}
	return out
}

// pick gives what a slot offers, with the score of its best member.
func pick(members []Entry) Entry {
	best := members[0]
	if len(members) == 1 {
		return best
	}
	for _, e := range members[1:] {
		if better(e.Tool, best.Tool) {
			best = e
		}
	}
	best.Score = members[0].Score
	for _, e := range members {
		best.Exact = best.Exact || e.Exact
	}
	return best
}

// better says whether a stands before b in a slot whatever the scores: active
// before unavailable before deprecated, then the higher version. Equals keep
// the order of their scores.
func better(a, b *snapshot.Tool) bool {
	if x, y := order(a.State), order(b.State); x != y {
		return x < y
	}
	return version.Compare(a.Version, b.Version) > 0
}

func order(s interlock.State) int {
	switch s {
	case interlock.StateActive:
		return 0
	case interlock.StateUnavailable:
		return 1
	}
	return 2
}

package discover

import (
	"slices"
	"strings"
	"sync"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// ranking is every tool in scope by its best wording, in the order of the index.
// To put all of them in order and to tell everything of each would cost more
// than the search, and of thousands a few dozen are ever looked at: a list
// begins with the first ones, and the rest is there for who asks.
type ranking struct {
	view   *snapshot.View
	found  []index.Evidence
	places []place
	raised map[string]float64           // by tool: the part of its rank that precedents give
	named  []int                        // places of those that the need names
	count  [eligible.Compatible + 1]int // by class
	slots  int                          // greater than any number of a slot
	among  *rivals                      // of the first; nil until they are measured
}

// place is where a tool stands. It is small: a sort moves it a lot.
type place struct {
	rank float64
	at   int32 // in found
	key  int32 // the number of its slot, four times, and its class
}

func (p place) class() eligible.Class { return eligible.Class(p.key & 3) }

func (r *ranking) tool(p place) *snapshot.Tool { return r.view.At(r.found[p.at]) }

func (r *ranking) family(p place) int32 { return r.view.Mark(r.found[p.at]).Family }

func (r *ranking) level(p place, regime Regime) float64 {
	if r.raised == nil {
		return regime.place(r.found[p.at], 0)
	}
	return regime.place(r.found[p.at], r.raised[r.tool(p).ID])
}

// order is by rank, and what ranks alike by name.
func (r *ranking) order(a, b place) int {
	switch {
	case a.rank > b.rank:
		return -1
	case a.rank < b.rank:
		return 1
	}
	return strings.Compare(r.tool(a).ID, r.tool(b).ID)
}

// best gives each tool in scope its best wording, and the regime over what was
// found.
func (s Scorer) best(set eligible.Set, query index.Query, regime Regime) (ranking, Regime) {
	r := ranking{view: set.Frozen().View()}
	r.found = index.Search(r.view.Index, query)
	if s.aligns() {
		for i := range r.found {
			r.found[i].Dense, r.found[i].Context = s.cosine(r.found[i].Dense), s.cosine(r.found[i].Context)
		}
	}
	regime = regime.among(r.found)
	rank := regime.ranks(r.found)
	in := make([]share, index.Chunks(len(r.found)))
	all := roomOf(len(r.found))[:len(r.found)]
	index.Chunked(len(r.found), func(chunk, from, to int) { in[chunk] = r.part(set, rank, all[from:from:to], from, to) })
	r.places = all[:0]
	for _, s := range in {
		r.gather(s)
	}
	return r, regime
}

// share is what came of one stretch of the evidence.
type share struct {
	places []place
	named  []int
	count  [eligible.Compatible + 1]int
	slots  int
}

// part gives each tool in scope its best wording, of those whose first wording
// stands between two places of the evidence, in a list that has room for them.
func (r *ranking) part(set eligible.Set, rank func(*index.Evidence) float64, room []place, from, to int) share {
	same := func(i int) bool {
		a, b := &r.found[i], &r.found[i-1]
		return a.Tool == b.Tool && a.Segment == b.Segment
	}
	for from > 0 && from < to && same(from) {
		from++ // the chunk before ends with this tool
	}
	s := share{places: room}
	bounded := !set.Unbounded()
	for i := from; i < to; {
		first := &r.found[i]
		p := place{rank: rank(first), at: int32(i)}
		for i++; i < len(r.found) && same(i); i++ {
			if x := rank(&r.found[i]); x > p.rank {
				p.rank, p.at = x, int32(i)
			}
		}
		tool := r.view.At(*first)
		if bounded && !set.InScope(tool.Family) {
			continue
		}
		mark := r.view.Mark(*first)
		class := set.ClassIn(tool, mark)
		p.key = mark.Slot<<2 | int32(class)
		s.slots = max(s.slots, int(mark.Slot)+1)
		s.count[class]++
		if first.Exact {
			s.named = append(s.named, len(s.places))
		}
		s.places = append(s.places, p)
	}
	return s
}

// gather adds what came of the next stretch, which stands in the same list and
// never before what was gathered.
func (r *ranking) gather(s share) {
	for _, i := range s.named {
		r.named = append(r.named, len(r.places)+i)
	}
	r.places = append(r.places, s.places...)
	for class, n := range s.count {
		r.count[class] += n
	}
	r.slots = max(r.slots, s.slots)
}

// first gives the n first places, in order.
func (r *ranking) first(n int) []place { return firstOf(r.places, n, r.order) }

// firstOf gives the n first of all places, in order.
func firstOf(all []place, n int, order func(a, b place) int) []place {
	if n >= len(all) {
		out := slices.Clone(all)
		slices.SortFunc(out, order)
		return out
	}
	out := slices.Clone(all[:n]) // a heap, the last in order on top
	for i := n/2 - 1; i >= 0; i-- {
		sink(out, i, order)
	}
	for _, p := range all[n:] {
		if p.rank >= out[0].rank && order(p, out[0]) < 0 {
			out[0] = p
			sink(out, 0, order)
		}
	}
	slices.SortFunc(out, order)
	return out
}

// sink puts the place at i of a heap where it belongs.
func sink(heap []place, i int, order func(a, b place) int) {
	p := heap[i]
	for {
		last, child := p, i
		for c := 2*i + 1; c <= 2*i+2 && c < len(heap); c++ {
			if x := heap[c]; x.rank < last.rank || x.rank == last.rank && order(x, last) > 0 {
				last, child = x, c
			}
		}
		heap[i] = last
		if child == i {
			return
		}
		i, heap[child] = child, p
	}
}

// fewTools is how many tools are put in order at first, or headTools where to
// look through all of them again costs more; widen is by how many times more where
// they do not decide. The list begins with as many of them as do, in steps of
// fewTools.
const (
	fewTools  = 16
	headTools = 64
	manyTools = 4096
	widen     = 4
)

// spare are lists of places that nobody holds any more.
var spare sync.Pool // of *[]place

func roomOf(n int) []place {
	if kept, ok := spare.Get().(*[]place); ok && cap(*kept) >= n {
		return (*kept)[:0]
	}
	return make([]place, 0, n)
}

// release gives back what the ranking was made in; nothing can be asked of it
// any more.
func (r *ranking) release() {
	if r.places == nil {
		return
	}
	index.Release(r.found)
	places := r.places // what is kept must not be what is cleared
	spare.Put(&places)
	*r = ranking{}
}

// Release gives back the memory of what is behind the first tools of a list and
// of its parts. Nothing but its first entries can be asked of it any more.
func (l List) Release() {
	if l.rest != nil {
		l.rest.release()
	}
	for _, p := range l.parts {
		p.Release()
	}
}

// begin puts the first tools into the list: as many as decide the answer.
func (l *List) begin(r *ranking) {
	n := fewTools
	if len(r.places) > manyTools {
		n = headTools
	}
	for n < len(r.places) && !l.fill(r, n) {
		n *= widen
	}
	if n >= len(r.places) {
		l.fill(r, n)
		r.release()
	}
}

// fill puts the first n tools into the list and reports whether they decide.
func (l *List) fill(r *ranking, n int) (enough bool) {
	head := r.first(n)
	if l.stand, enough = r.standing(head, l.regime); !enough {
		return false
	}
	all, room := n >= len(r.places), fewTools
	if all {
		room = n
	}
	l.entries, l.more, l.rest = make([]Entry, 0, min(room, len(head))), nil, nil
	ladder := l.regime.ladder()
	for i, p := range head {
		score := 0.0
		if level := ladder(r.level(p, l.regime), p.rank); !l.query.Wordless() {
			score = l.regime.Score(level)
		}
		l.entries = append(l.entries, l.entry(r, p, score))
		if enough = (i+1)%fewTools == 0 && !all && score < Threshold && r.decides(head[:i+1]); enough {
			l.beyond(r, head[:i+1])
			break
		}
	}
	if !all && !enough {
		return false
	}
	if !slices.IsSortedFunc(l.entries, before) { // what is named stands higher than its rank
		slices.SortStableFunc(l.entries, before)
	}
	return true
}

func (l *List) entry(r *ranking, p place, score float64) Entry {
	e := Entry{Tool: r.tool(p), Class: p.class(), Evidence: r.found[p.at], Rank: p.rank, slot: int(p.key >> 2)}
	if e.Exact = e.Evidence.Exact || givesAll(e.Tool, l.want); e.Exact {
		score = max(score, Threshold)
	}
	e.Score = interlock.Score(score)
	return e
}

// decides reports whether the first places hold what an answer is made from
// beside the confident ones: the best that may be used, the best that is denied,
// and as many slots as advice is given of.
func (r *ranking) decides(head []place) bool {
	var in [len(r.count)]int
	advice := map[int32]bool{}
	for _, p := range head {
		in[p.class()]++
		if p.class() == eligible.Incompatible && len(advice) < interlock.DefaultK {
			advice[p.key] = true
		}
	}
	for _, class := range [...]eligible.Class{eligible.Compatible, eligible.Denied} {
		if in[class] == 0 && r.count[class] > 0 {
			return false
		}
	}
	return len(advice) == interlock.DefaultK || in[eligible.Incompatible] == r.count[eligible.Incompatible]
}

// beyond takes from behind the first places what belongs to them: tools that the
// need names, and others of their slots. Scores only fall along the order, and
// the last of the first places is under τ: so are all behind it, and what the
// need names among them is raised to just that.
func (l *List) beyond(r *ranking, head []place) {
	last := head[len(head)-1]
	behind := func(p place) bool { return p.rank < last.rank || p.rank == last.rank && r.order(p, last) > 0 }
	var named, more []place
	for _, i := range r.named {
		if p := r.places[i]; behind(p) {
			named = append(named, p)
		}
	}
	slices.SortFunc(named, r.order)
	for _, p := range named {
		l.entries = append(l.entries, l.entry(r, p, 0))
	}
	held := index.NewBitset(r.slots << 2)
	for i := range l.entries {
		held.Set(l.entries[i].slot<<2 | int(l.entries[i].Class))
	}
	for _, p := range r.places {
		if held.Has(int(p.key)) && behind(p) && !r.found[p.at].Exact {
			more = append(more, p)
		}
	}
	slices.SortFunc(more, r.order)
	for _, p := range more {
		l.more = append(l.more, l.entry(r, p, 0))
	}
	l.rest = r
}

// Beside is the list with every tool in it that stands in one slot with a tool of
// these sources, in the order of the whole list. What stands behind the first
// tools has no score.
func (l List) Beside(sources []string) List {
	if l.rest == nil || l.rest.places == nil {
		return l
	}
	r := l.rest
	held := index.NewBitset(r.slots << 2)
	segment, of := -1, false
	for _, p := range r.places {
		e := &r.found[p.at]
		if e.Segment != segment || r.view.Mixed(segment) {
			segment, of = e.Segment, slices.Contains(sources, r.view.SourceOf(*e))
		}
		if of {
			held.Set(int(p.key))
		}
	}
	first := make(map[*snapshot.Tool]bool, len(l.entries))
	for _, e := range l.entries {
		first[e.Tool] = true
	}
	var more []place
	for _, p := range r.places {
		if held.Has(int(p.key)) && !first[r.tool(p)] {
			more = append(more, p)
		}
	}
	slices.SortFunc(more, r.order)
	l.entries, l.more, l.rest = slices.Clone(l.entries), nil, nil
	for _, p := range more {
		l.entries = append(l.entries, l.entry(r, p, 0))
	}
	return l
}

// Whole is the list with every tool in it.
func (l List) Whole() List {
	if l.rest == nil || l.rest.places == nil {
		return l
	}
	r := l.rest
	l.fill(r, len(r.places))
	return l
}

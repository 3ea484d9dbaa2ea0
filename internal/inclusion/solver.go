package inclusion

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/inclusion/regular"
)

var (
	one     = big.NewRat(1, 1)
	nothing = &node{id: -2, never: true, maxLength: -1, maxItems: -1, maxProps: -1, minHold: 1, maxHold: -1}
)

// answer is what a search found: a value, the proof that there is none, or
// neither.
type answer struct {
	found truth
	value *value
	stop  *Stop // why neither
}

func empty() answer            { return answer{found: no} }
func found(v *value) answer    { return answer{found: yes, value: v} }
func unsure(stop *Stop) answer { return answer{found: maybe, stop: stop} }
func (a answer) failed() bool  { return a.found == no }
func (a answer) or(b answer) answer { // the better of two ways to the same goal
	if b.found == yes || a.found == no {
		return b
	}
	return a
}

// solver searches for values. It is used by one question alone.
type solver struct {
	work   *int
	eval   *evaluator
	memo   map[string]answer
	active map[string]int // goals under way, with their depth
	depth  int
	lowest int // the outermost goal under way that was taken to be empty
	langs  [2]map[string]*regular.Language
	forms  map[goalOf]form
	doubt  *Stop // a construct that was passed over on the way to a value
	probes int   // small searches under way, whose work is cut short
}

// goalOf names what a literal says of one kind of value.
type goalOf struct {
	literal
	kind kind
}

func newSolver(work *int) *solver {
	return &solver{work: work, eval: newEvaluator(work), memo: map[string]answer{}, active: map[string]int{}, lowest: math.MaxInt,
		langs: [2]map[string]*regular.Language{{}, {}}, forms: map[goalOf]form{}}
}

// maxNested bounds the goals within each other.
const maxNested = 200

var outOfWork = &Stop{Construct: "the work that one decision may take"}

// spend counts work and reports whether some is left.
func (s *solver) spend(n int) bool {
	*s.work -= n
	return *s.work > 0
}

// satisfy searches for a value for which every literal holds. The kinds of
// value that it may have are those in among.
func (s *solver) satisfy(goals []literal, among kind) answer {
	goals, ok := normal(goals)
	if !ok {
		return empty()
	}
	key := keyOf(goals, among)
	s.spend(2*len(goals) + len(key)/32)
	if known, ok := s.memo[key]; ok {
		return known
	}
	if depth, ok := s.active[key]; ok {
		s.lowest = min(s.lowest, depth)
		return empty()
	}
	if s.depth >= maxNested || !s.spend(30) {
		return unsure(outOfWork)
	}
	outer := s.lowest
	s.lowest = math.MaxInt
	s.active[key] = s.depth
	s.depth++
	out := s.overKinds(goals, among)
	s.depth--
	delete(s.active, key)
	if out.found == yes || s.lowest >= s.depth && (s.probes == 0 || out.stop != outOfWork) {
		s.memo[key] = out
	}
	if s.lowest >= s.depth {
		s.lowest = math.MaxInt
	}
	s.lowest = min(s.lowest, outer)
	return out
}

func (s *solver) overKinds(goals []literal, among kind) answer {
	out := empty()
	for _, k := range kinds {
		if among&k == 0 {
			continue
		}
		b := &branch{s: s, kind: k}
		ok := true
		for _, l := range goals {
			ok = ok && b.goal(l)
		}
		if !ok {
			continue
		}
		if out = out.or(s.search(b)); out.found == yes {
			return out
		}
	}
	return out
}

// normal sorts literals and drops what says nothing; false where they
// contradict each other by their names alone.
func normal(goals []literal) ([]literal, bool) {
	out := make([]literal, 0, len(goals))
	for _, l := range goals {
		switch {
		case l.node.never && !l.neg, l.node.trivial() && l.neg:
			return nil, false
		case l.node.never, l.node.trivial():
			continue
		}
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b literal) int {
		return cmp.Or(a.node.id-b.node.id, strings.Compare(a.node.constantKey(), b.node.constantKey()), cmp.Compare(btoi(a.neg), btoi(b.neg)))
	})
	out = slices.CompactFunc(out, func(a, b literal) bool { return a.neg == b.neg && a.same(b) })
	for i := 1; i < len(out); i++ {
		if out[i-1].same(out[i]) {
			return nil, false
		}
	}
	return out, true
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// trivial reports whether a schema plainly says nothing of values.
func (n *node) trivial() bool {
	return n.raw.is(kBool) && n.raw.yes || n.id >= 0 && n.raw.is(kObject) && len(n.raw.kids) == 0
}

func (n *node) constantKey() string {
	if n.id != -1 {
		return ""
	}
	return n.constant.key()
}

func (l literal) same(o literal) bool {
	return l.node.id == o.node.id && l.node.constantKey() == o.node.constantKey()
}

func keyOf(goals []literal, among kind) string {
	var b strings.Builder
	b.WriteByte(byte(among))
	for _, l := range goals {
		b.WriteString(itoa(l.node.id))
		b.WriteByte("+-"[btoi(l.neg)])
		b.WriteString(l.node.constantKey())
	}
	return b.String()
}

// search finds a value for a branch. What is known may be contradictory
// already, or the value that it allows may happen to meet the open choices;
// only a choice that the value breaks is split.
func (s *solver) search(b *branch) answer {
	if !s.spend(20 + 2*len(b.atoms) + len(b.open)) { // a leaf looks at all that is known and open
		return unsure(outOfWork)
	}
	if b.stop != nil {
		s.doubt = b.stop
	}
	if values, ok := b.finite(); ok {
		return s.among(b, values)
	}
	out := s.leaf(b)
	if out.failed() || len(b.open) == 0 {
		return out
	}
	pick := 0
	if out.found == yes {
		if pick = s.broken(b, out.value); pick < 0 {
			return out
		}
	}
	return s.split(b, pick)
}

// split tries each alternative of one open choice.
func (s *solver) split(b *branch, pick int) answer {
	var near *neighbours
	if b.kind == kObject && len(b.open[pick].subs) > 4 && s.probes == 0 {
		near = s.neighboursOf(b, pick)
	}
	result := empty()
	for _, sub := range b.open[pick].subs {
		if !s.spend(1) {
			return result.or(unsure(outOfWork))
		}
		if near != nil && near.hopeless(sub) {
			continue
		}
		next := b.clone()
		next.open = slices.Delete(next.open, pick, pick+1)
		if !next.assert(sub) || !next.retry() {
			continue
		}
		if result = result.or(s.search(next)); result.found == yes {
			return result
		}
	}
	return result
}

// broken gives a choice that a value breaks, or else one that cannot be
// checked; below 0 where it meets all.
func (s *solver) broken(b *branch, v *value) int {
	doubt := -1
	for i, f := range b.open {
		switch s.formHolds(f, b.kind, v) {
		case no:
			return i
		case maybe:
			doubt = i
		}
	}
	return doubt
}

// finite lists the values of a branch whose kind or enum leaves only a few.
func (b *branch) finite() ([]*value, bool) {
	switch b.kind {
	case kNull:
		return []*value{{kind: kNull}}, true
	case kBool:
		return []*value{{kind: kBool, yes: true}, {kind: kBool}}, true
	}
	for _, a := range b.atoms {
		if a.kind == aEnum && !a.neg {
			return a.values, true
		}
	}
	return nil, false
}

// among tries the values of a finite branch, each exactly.
func (s *solver) among(b *branch, values []*value) answer {
	out := empty()
	for _, v := range values {
		if v.kind != b.kind {
			continue
		}
		t := yes
		if !s.spend(1 + len(b.atoms)) {
			return unsure(outOfWork)
		}
		for _, a := range b.atoms {
			t = min(t, s.atomHolds(a, v))
		}
		for _, f := range b.open {
			if t != no {
				t = min(t, s.formHolds(f, b.kind, v))
			}
		}
		switch {
		case t == yes:
			return found(v)
		case t == maybe && *s.work <= 0:
			return unsure(outOfWork)
		case t == maybe:
			out = answer{maybe, v, firstStop(b.stop, &Stop{Construct: "a value that cannot be checked"})}
		}
	}
	return out
}

func firstStop(a, b *Stop) *Stop {
	if a != nil {
		return a
	}
	return b
}

// leaf finds a value for what is known of a branch, without its choices.
func (s *solver) leaf(b *branch) answer {
	var out answer
	switch b.kind {
	case kNumber:
		out = s.number(b)
	case kString:
		out = s.text(b)
	case kArray:
		out = s.array(b)
	case kObject:
		out = s.object(b)
	}
	if out.found == maybe && out.stop == nil {
		out.stop = outOfWork
	}
	return out
}

// formHolds reports whether a form holds for a value.
func (s *solver) formHolds(f form, k kind, v *value) truth {
	s.spend(1)
	switch f.op {
	case fFalse:
		return no
	case fAtom:
		return s.atomHolds(f.atom, v)
	case fGoal:
		return s.eval.holds(f.goal, v)
	case fAll:
		out := yes
		for _, sub := range f.subs {
			if out = min(out, s.formHolds(sub, k, v)); out == no {
				break
			}
		}
		return out
	case fAny:
		out := no
		for _, sub := range f.subs {
			if out = max(out, s.formHolds(sub, k, v)); out == yes {
				break
			}
		}
		return out
	case fStop:
		return maybe
	}
	return yes
}

package inclusion

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// elements is what is known of an array.
type elements struct {
	s         *solver
	each      []*atom
	one       []*atom // an element somewhere
	atLeast   []*atom
	atMost    []*atom
	least     int
	most      int // below 0 is none
	unique    bool
	repeat    bool
	special   int // elements before this are spoken of by their position
	failures  map[string]answer
	positions [][]int         // elements that hold one value, by their positions
	left      []int           // elements from each group on
	at        map[int][]*atom // of each, those of one position
	picked    [][]literal
}

// The limits of what is tried.
const (
	maxElements = 3000
	maxDemands  = 10
	maxUnique   = 150
	maxMore     = 100_000
)

func (s *solver) array(b *branch) answer {
	e := &elements{s: s, most: -1, at: map[int][]*atom{}}
	for _, a := range b.atoms {
		e.take(a)
	}
	if e.most >= 0 && e.least > e.most || e.unique && e.repeat {
		return empty()
	}
	need := len(e.one)
	for _, a := range e.atLeast {
		need += a.lo
	}
	if e.repeat {
		need += 2
	}
	if core := e.special + need; e.least > core+2 && !e.unique {
		return e.long(core)
	}
	longest := max(e.least, e.special+need)
	if e.most >= 0 {
		longest = min(longest, e.most)
	}
	if longest > maxElements || need > maxDemands && need > e.least {
		return unsure(&Stop{Construct: "arrays that are too long"})
	}
	// A longer array than this can lose elements and still obey everything.
	out := empty()
	for length := e.least; length <= longest; length++ {
		if out = out.or(e.ofLength(length)); out.found == yes || *e.s.work <= 0 {
			return out
		}
	}
	return out
}

// long makes an array that has more elements than anything asks for: a core in
// which every demand is met, and one value repeated. A value of that length
// holds such a core, so without a core there is none.
func (e *elements) long(core int) answer {
	more := e.least - core
	if more > maxMore {
		return unsure(&Stop{Construct: "arrays that are too long"})
	}
	goals := e.base([]int{e.special})
	for _, a := range e.atMost {
		goals = append(goals, a.lit.flip())
	}
	rest := e.s.satisfy(goals, kAny)
	if rest.failed() && len(e.atMost) > 0 {
		rest = unsure(&Stop{Construct: "maxContains in long arrays"})
	}
	if rest.found != yes {
		return rest
	}
	e.repeat = false
	out := e.ofLength(core)
	if out.found != yes {
		return out
	}
	kids := slices.Grow(slices.Clone(out.value.kids), more)
	for range more {
		kids = append(kids, rest.value)
	}
	return found(&value{kind: kArray, kids: kids})
}

func (e *elements) take(a *atom) {
	switch a.kind {
	case aLength:
		e.least = max(e.least, a.lo)
		if a.hi >= 0 && (e.most < 0 || a.hi < e.most) {
			e.most = a.hi
		}
	case aEach:
		if a.hi == a.lo+1 {
			e.at[a.lo] = append(e.at[a.lo], a)
		} else {
			e.each = append(e.each, a)
		}
		e.special = max(e.special, a.lo, a.hi)
	case aOne:
		e.one = append(e.one, a)
		e.special = max(e.special, a.lo, a.hi)
	case aCount:
		switch {
		case a.hi < 0:
			e.atLeast = append(e.atLeast, a)
		case a.hi == 0:
			e.each = append(e.each, &atom{kind: aEach, hi: -1, lit: a.lit.flip()})
		default:
			e.atMost = append(e.atMost, a)
		}
	case aUnique:
		e.unique, e.repeat = e.unique || !a.neg, e.repeat || a.neg
	}
}

// ofLength looks for an array of one length.
func (e *elements) ofLength(length int) answer {
	single := make([][]int, length)
	for i := range single {
		single[i] = []int{i}
	}
	if !e.repeat {
		return e.over(single)
	}
	out := empty()
	for i := range length {
		for j := i + 1; j < length; j++ {
			if !e.s.spend(length) {
				return unsure(outOfWork)
			}
			pair := append([][]int{{i, j}}, slices.Concat(single[:i], single[i+1:j], single[j+1:])...)
			if out = out.or(e.over(pair)); out.found == yes {
				return out
			}
		}
	}
	return out
}

// over looks for values for groups of positions, each of one value.
func (e *elements) over(positions [][]int) answer {
	e.positions, e.failures = positions, map[string]answer{}
	e.picked = make([][]literal, 0, len(positions))
	if !e.s.spend(2 * len(positions)) {
		return unsure(outOfWork)
	}
	e.left = make([]int, len(positions)+1)
	for i := len(positions) - 1; i >= 0; i-- {
		e.left[i] = e.left[i+1] + len(positions[i])
	}
	need := demands{one: make([]bool, len(e.one))}
	for _, a := range e.atLeast {
		need.least = append(need.least, a.lo)
	}
	for _, a := range e.atMost {
		need.most = append(need.most, a.hi)
	}
	return e.element(0, need)
}

// demands is what elements still have to meet.
type demands struct {
	one   []bool // met
	least []int
	most  []int
}

func (d demands) clone() demands {
	return demands{slices.Clone(d.one), slices.Clone(d.least), slices.Clone(d.most)}
}

// key names what is left to meet from an element on.
func (d demands) key(at, left int) string {
	out := binary.AppendVarint(binary.AppendVarint(nil, int64(at)), int64(left))
	for _, met := range d.one {
		out = append(out, byte(btoi(met)))
	}
	for _, n := range slices.Concat(d.least, d.most) {
		out = binary.AppendVarint(out, int64(n))
	}
	return string(out)
}

func (d demands) met() bool {
	return !slices.Contains(d.one, false) && !slices.ContainsFunc(d.least, func(n int) bool { return n > 0 })
}

// element chooses what the group at i has to obey.
func (e *elements) element(i int, need demands) answer {
	if !e.s.spend(16 + len(e.each) + len(need.one) + len(need.least) + len(need.most)) {
		return unsure(outOfWork)
	}
	if i == len(e.positions) {
		if !need.met() {
			return empty()
		}
		return e.build()
	}
	for _, n := range need.least {
		if n > e.left[i] {
			return empty()
		}
	}
	key := need.key(min(e.positions[i][0], e.special), len(e.positions)-i)
	if known, ok := e.failures[key]; ok && !e.unique {
		return known
	}
	out := e.choose(i, need, 0, e.base(e.positions[i]))
	if out.found != yes {
		e.failures[key] = out
	}
	return out
}

// base gives what every value at these positions has to obey.
func (e *elements) base(group []int) []literal {
	var out []literal
	for _, at := range group {
		for _, a := range e.at[at] {
			out = append(out, a.lit)
		}
	}
	for _, a := range e.each {
		if slices.ContainsFunc(group, func(at int) bool { return at >= a.lo && (a.hi < 0 || at < a.hi) }) {
			out = append(out, a.lit)
		}
	}
	return out
}

// choose decides for each demand from k on whether the group at i serves it.
func (e *elements) choose(i int, need demands, k int, goals []literal) answer {
	group := e.positions[i]
	total := len(e.one) + len(e.atLeast) + len(e.atMost)
	if k == total {
		got := e.s.satisfy(goals, kAny)
		if got.failed() {
			return got
		}
		e.picked = append(e.picked[:i], goals)
		next := e.element(i+1, need)
		if got.found == maybe && next.found == yes {
			return unsure(got.stop)
		}
		return next
	}
	out := empty()
	try := func(n demands, also ...literal) bool {
		out = out.or(e.choose(i, n, k+1, append(goals[:len(goals):len(goals)], also...)))
		return out.found == yes
	}
	switch {
	case k < len(e.one):
		a := e.one[k]
		if !need.one[k] && slices.ContainsFunc(group, func(at int) bool { return at >= a.lo && (a.hi < 0 || at < a.hi) }) {
			serve := need.clone()
			serve.one[k] = true
			if try(serve, a.lit) {
				return out
			}
		}
		try(need)
	case k < len(e.one)+len(e.atLeast):
		j := k - len(e.one)
		if need.least[j] > 0 {
			serve := need.clone()
			serve.least[j] -= len(group)
			if try(serve, e.atLeast[j].lit) {
				return out
			}
		}
		try(need)
	default:
		j := k - len(e.one) - len(e.atLeast)
		if try(need, e.atMost[j].lit.flip()) {
			return out
		}
		if need.most[j] >= len(group) {
			serve := need.clone()
			serve.most[j] -= len(group)
			try(serve)
		}
	}
	return out
}

// build makes the array once every group has its goals.
func (e *elements) build() answer {
	if e.unique {
		return e.distinct()
	}
	kids := make([]*value, e.length())
	for i, group := range e.positions {
		got := e.s.satisfy(e.picked[i], kAny)
		if got.value == nil {
			return got
		}
		for _, at := range group {
			kids[at] = got.value
		}
	}
	return found(&value{kind: kArray, kids: kids})
}

func (e *elements) length() int {
	n := 0
	for _, group := range e.positions {
		n += len(group)
	}
	return n
}

// distinct gives each element a value of its own: an element with as many
// values as there are elements always finds one, the others are matched
// exactly.
func (e *elements) distinct() answer {
	size := len(e.positions)
	if size > maxUnique {
		return unsure(&Stop{Construct: "uniqueItems over too many elements"})
	}
	domains := make([][]*value, size)
	known := map[string][]*value{}
	for i, goals := range e.picked[:size] {
		key := literalsKey(goals)
		if _, ok := known[key]; !ok {
			values, stop := e.domain(goals, size)
			if stop != nil {
				return unsure(stop)
			}
			known[key] = values
		}
		domains[i] = known[key]
	}
	m := matching{s: e.s, domains: domains, owner: map[string]int{}, chosen: make([]*value, size)}
	order := make([]int, size)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(domains[a]) - len(domains[b]) })
	for _, i := range order {
		if !m.augment(i, map[string]bool{}) {
			if !e.s.spend(1) {
				return unsure(outOfWork)
			}
			return empty()
		}
	}
	return found(&value{kind: kArray, kids: m.chosen})
}

func literalsKey(goals []literal) string {
	var b strings.Builder
	for _, l := range goals {
		fmt.Fprintf(&b, "%d%t%s ", l.node.id, l.neg, l.node.constantKey())
	}
	return b.String()
}

// domain lists values that obey the goals, all of them or as many as asked.
func (e *elements) domain(goals []literal, most int) ([]*value, *Stop) {
	var out []*value
	goals = slices.Clone(goals)
	for len(out) < most {
		got := e.s.satisfy(goals, kAny)
		switch got.found {
		case no:
			return out, nil
		case maybe:
			return nil, firstStop(got.stop, outOfWork)
		}
		out = append(out, got.value)
		goals = append(goals, literal{constant(got.value), true})
	}
	return out, nil
}

// matching pairs elements with values, one of each.
type matching struct {
	s       *solver
	domains [][]*value
	owner   map[string]int
	chosen  []*value
}

// augment finds a value for element i, moving others to other values where
// that helps.
func (m *matching) augment(i int, tried map[string]bool) bool {
	for _, v := range m.domains[i] {
		key := v.key()
		if !m.s.spend(1) || tried[key] {
			continue
		}
		tried[key] = true
		other, taken := m.owner[key]
		if !taken || m.augment(other, tried) {
			m.owner[key], m.chosen[i] = i, v
			return true
		}
	}
	return false
}

package inclusion

import (
	"maps"
	"slices"
)

// members is what is known of an object, and the object under construction.
type members struct {
	s      *solver
	every  []*atom              // of regions that are more than one name
	exact  map[string][]literal // of one name each
	some   []*atom
	has    map[string]bool
	lacks  map[string]bool
	least  int
	most   int      // below 0 is none
	names  []string // every name that something speaks of
	placed map[string][]literal
	fresh  []slot
	stop   *Stop
}

// slot is a member whose name is still free.
type slot struct {
	regions  []*region
	literals []literal
}

// membersOf reads what a branch knows of an object.
func (s *solver) membersOf(b *branch) *members {
	s.spend(3 * len(b.atoms))
	m := &members{s: s, has: map[string]bool{}, lacks: map[string]bool{}, most: -1, placed: map[string][]literal{}, exact: map[string][]literal{}}
	for _, a := range b.atoms {
		m.take(a)
	}
	return m
}

func (s *solver) object(b *branch) answer {
	m := s.membersOf(b)
	if m.most >= 0 && (m.least > m.most || len(m.has) > m.most) {
		return empty()
	}
	m.collect()
	for _, name := range m.names {
		if m.has[name] {
			if m.lacks[name] {
				return empty()
			}
			m.placed[name] = nil
			if m.value(name).failed() {
				return empty()
			}
		}
	}
	return m.place(0)
}

func (m *members) take(a *atom) {
	switch a.kind {
	case aLength:
		m.least = max(m.least, a.lo)
		if a.hi >= 0 && (m.most < 0 || a.hi < m.most) {
			m.most = a.hi
		}
	case aHas:
		if a.neg {
			m.lacks[a.text] = true
		} else {
			m.has[a.text] = true
		}
	case aEvery:
		if name := a.region.exact; name != nil {
			m.exact[*name] = append(m.exact[*name], a.lit)
		} else {
			m.every = append(m.every, a)
		}
	case aSome:
		m.some = append(m.some, a)
	}
}

// collect gathers the names that something speaks of.
func (m *members) collect() {
	for name := range m.has {
		m.names = append(m.names, name)
	}
	for name := range m.lacks {
		m.names = append(m.names, name)
	}
	for name := range m.exact {
		m.names = append(m.names, name)
	}
	for _, a := range append(append([]*atom{}, m.every...), m.some...) {
		if a.region.exact != nil {
			m.names = append(m.names, *a.region.exact)
		}
		m.names = append(m.names, a.region.except...)
	}
	m.s.spend(2 * len(m.names))
	slices.Sort(m.names)
	m.names = slices.Compact(m.names)
}

// goals gives everything that a member of that name must obey.
func (m *members) goals(name string, also []literal) ([]literal, truth) {
	out, sure := slices.Concat(also, m.exact[name]), yes
	for _, a := range m.every {
		switch m.s.eval.inRegion(a.region, name) {
		case yes:
			out = append(out, a.lit)
		case maybe:
			sure = maybe
			m.stop = &Stop{Construct: "names by a pattern that cannot be read"}
		}
	}
	return out, sure
}

// value finds a value for a member that is placed, or would be.
func (m *members) value(name string) answer {
	if m.lacks[name] {
		return empty()
	}
	goals, sure := m.goals(name, m.placed[name])
	out := m.s.satisfy(goals, kAny)
	if sure == maybe && out.found == yes {
		return answer{maybe, out.value, m.stop}
	}
	return out
}

// place finds a member for each of the demands from i on.
func (m *members) place(i int) answer {
	if !m.s.spend(16) {
		return unsure(outOfWork)
	}
	if i == len(m.some) {
		return m.build()
	}
	a := m.some[i]
	out := empty()
	names := []string{}
	if a.region.exact != nil {
		names = append(names, *a.region.exact)
	} else {
		names = m.preferred()
	}
	for _, name := range names {
		in := no
		if !m.s.spend(1) {
			return out.or(unsure(outOfWork))
		}
		if !m.lacks[name] {
			in = m.s.eval.inRegion(a.region, name)
		}
		if in == no {
			continue
		}
		before, had := m.placed[name]
		m.placed[name] = append(before[:len(before):len(before)], a.lit)
		if got := m.value(name); !got.failed() {
			out = out.or(m.place(i + 1))
		}
		if m.placed[name] = before; !had {
			delete(m.placed, name)
		}
		if out.found == yes {
			return out
		}
	}
	if a.region.exact != nil {
		return out
	}
	return m.placeFresh(i, out)
}

// preferred lists the names, those already placed first.
func (m *members) preferred() []string {
	m.s.spend(len(m.names) / 4)
	out := slices.Sorted(maps.Keys(m.placed))
	for _, name := range m.names {
		if _, placed := m.placed[name]; !placed {
			out = append(out, name)
		}
	}
	return out
}

// placeFresh meets a demand by a member of a name that nothing speaks of, a
// new one or one already taken up.
func (m *members) placeFresh(i int, out answer) answer {
	a := m.some[i]
	for k := 0; k <= len(m.fresh); k++ {
		if k == len(m.fresh) {
			alone := slot{[]*region{a.region}, []literal{a.lit}}
			if _, got := m.name(alone, nil); !got.failed() {
				m.fresh = append(m.fresh, alone)
				out = out.or(m.place(i + 1))
				m.fresh = m.fresh[:k]
			}
			break
		}
		old := m.fresh[k]
		m.fresh[k] = slot{append(old.regions[:len(old.regions):len(old.regions)], a.region), append(old.literals[:len(old.literals):len(old.literals)], a.lit)}
		out = out.or(m.place(i + 1))
		m.fresh[k] = old
		if out.found == yes {
			break
		}
	}
	return out
}

// build fills in the values once every demand has its member.
func (m *members) build() answer {
	if m.most >= 0 && len(m.placed)+len(m.fresh) > m.most {
		return empty()
	}
	result, doubt := map[string]*value{}, answer{}
	put := func(name string, a answer) bool {
		if a.found == maybe {
			doubt = a
		}
		if a.value != nil {
			result[name] = a.value
		}
		return a.found != no
	}
	for _, name := range slices.Sorted(maps.Keys(m.placed)) {
		if !put(name, m.value(name)) {
			return empty()
		}
	}
	for _, f := range m.fresh {
		name, got := m.name(f, result)
		if got.failed() && len(m.fresh) > 1 {
			if _, alone := m.name(f, nil); !alone.failed() {
				return unsure(&Stop{Construct: "member names of which only a few exist"})
			}
		}
		if !put(name, got) {
			return empty()
		}
	}
	if doubt.found == maybe {
		return unsure(doubt.stop)
	}
	return m.fill(result)
}

// maxFill bounds the members that are made up to reach minProperties.
const maxFill = 2000

// fill adds members until there are enough.
func (m *members) fill(result map[string]*value) answer {
	doubt := answer{}
	for _, name := range m.names {
		if len(result) >= m.least || !m.s.spend(1) {
			break
		}
		if _, have := result[name]; have {
			continue
		}
		switch got := m.value(name); got.found {
		case yes:
			result[name] = got.value
		case maybe:
			doubt = got
		}
	}
	for len(result) < m.least {
		if m.least > maxFill {
			return unsure(&Stop{Construct: "minProperties over 2000"})
		}
		name, got := m.name(slot{}, result)
		if got.failed() && doubt.found == maybe {
			return unsure(doubt.stop)
		}
		if got.found != yes {
			return got
		}
		result[name] = got.value
	}
	return found(object(result))
}

// question is one question about a name that regions ask.
type question struct {
	pattern string
	literal literal
	isLit   bool
}

func (q question) same(o question) bool {
	return q.isLit == o.isLit && q.pattern == o.pattern && (!q.isLit || q.literal.same(o.literal) && q.literal.neg == o.literal.neg)
}

// maxQuestions bounds the questions by which names are told apart.
const maxQuestions = 8

// name finds a name that nothing speaks of and that is not taken, with a value
// for the member.
func (m *members) name(f slot, taken map[string]*value) (string, answer) {
	var asked []question
	ask := func(r *region) {
		for _, p := range r.patterns {
			asked = append(asked, question{pattern: p.text})
		}
		for _, l := range r.literals {
			asked = append(asked, question{literal: l, isLit: true})
		}
	}
	for _, r := range f.regions {
		ask(r)
	}
	for _, a := range m.every {
		ask(a.region)
	}
	var distinct []question
	m.s.spend(2 * len(asked))
	for _, q := range asked {
		if len(distinct) <= maxQuestions && !slices.ContainsFunc(distinct, q.same) {
			distinct = append(distinct, q)
		}
	}
	if len(distinct) > maxQuestions {
		return "", unsure(&Stop{Construct: "too many patterns for member names"})
	}
	return m.nameFor(f, taken, distinct)
}

func (m *members) nameFor(f slot, taken map[string]*value, asked []question) (string, answer) {
	best := empty()
	m.s.spend(len(asked) * (len(f.regions) + len(m.every)) << len(asked) / 8)
	for bits := range 1 << len(asked) {
		// The first try says no to every question but those that the slot needs.
		in := func(r *region) bool { return r.exact == nil && m.admits(r, asked, bits) }
		if slices.ContainsFunc(f.regions, func(r *region) bool { return !in(r) }) {
			continue
		}
		goals := slices.Clone(f.literals)
		for _, a := range m.every {
			if in(a.region) {
				goals = append(goals, a.lit)
			}
		}
		got := m.s.satisfy(goals, kAny)
		if got.failed() {
			continue
		}
		name, named := m.spell(asked, bits, taken)
		if named.failed() {
			continue
		}
		if named.found == maybe {
			got = named
		}
		if best = best.or(got); best.found == yes {
			return name, best
		}
	}
	return "", best
}

// admits reports whether a name with these answers is in a region.
func (m *members) admits(r *region, asked []question, bits int) bool {
	answered := func(q question) bool {
		return bits>>slices.IndexFunc(asked, q.same)&1 == 1
	}
	for _, p := range r.patterns {
		if answered(question{pattern: p.text}) == p.neg {
			return false
		}
	}
	for _, l := range r.literals {
		if !answered(question{literal: l, isLit: true}) {
			return false
		}
	}
	return true
}

// spell finds the text of a name by the answers to the questions.
func (m *members) spell(asked []question, bits int, taken map[string]*value) (string, answer) {
	b := &branch{s: m.s, kind: kString}
	m.s.spend((len(m.names) + len(taken)) / 4)
	not := make([]*value, 0, len(m.names)+len(taken))
	for _, name := range m.names {
		not = append(not, &value{kind: kString, str: name})
	}
	for _, name := range slices.Sorted(maps.Keys(taken)) {
		if _, known := slices.BinarySearch(m.names, name); !known {
			not = append(not, &value{kind: kString, str: name})
		}
	}
	ok := b.assert(is(atom{kind: aEnum, neg: true, values: not}))
	for i, q := range asked {
		want := bits>>i&1 == 1
		if !q.isLit {
			ok = ok && b.assert(is(atom{kind: aMatch, neg: !want, text: q.pattern}))
		} else {
			ok = ok && b.goal(literal{q.literal.node, q.literal.neg == want})
		}
	}
	if !ok {
		return "", empty()
	}
	got := m.s.search(b)
	if got.found != yes {
		return "", got
	}
	return got.value.str, got
}

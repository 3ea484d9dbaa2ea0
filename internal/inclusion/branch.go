package inclusion

import (
	"slices"
)

// branch is one way under way: what is known of a value, and the choices that
// are still open.
type branch struct {
	s     *solver
	kind  kind
	atoms []*atom
	open  []form // choices
	seen  goals
	fixed []fixed // members that must be there, and their one value
	there []string
	stop  *Stop
}

// fixed is a member with the one value that it may have.
type fixed struct {
	name  string
	value *value
}

// maxFixed bounds the members that are kept in mind so.
const maxFixed = 16

// note keeps in mind what an atom says of one member.
func (b *branch) note(a *atom) {
	switch {
	case a.kind == aHas && !a.neg && len(b.there) < maxFixed:
		b.there = append(b.there[:len(b.there):len(b.there)], a.text)
	case a.kind == aEvery && a.region.exact != nil && !a.lit.neg && len(b.fixed) < maxFixed:
		if list := a.lit.node.listed(); len(list) == 1 {
			b.fixed = append(b.fixed[:len(b.fixed):len(b.fixed)], fixed{*a.region.exact, list[0]})
		}
	}
}

// tells reports what the members in mind say of an atom about one of them.
func (b *branch) tells(a *atom) truth {
	if len(b.fixed) == 0 || a.region == nil || a.region.exact == nil || a.kind != aSome && a.kind != aEvery {
		return maybe
	}
	name := *a.region.exact
	at := slices.IndexFunc(b.fixed, func(f fixed) bool { return f.name == name })
	if at < 0 || !slices.Contains(b.there, name) {
		return maybe
	}
	list := a.lit.node.listed()
	switch {
	case list == nil:
		return maybe
	case !slices.ContainsFunc(list, func(v *value) bool { return v.key() == b.fixed[at].value.key() }):
		return truthOf(a.lit.neg)
	}
	return maybe
}

// goals is a set of literals: a list while there are few, and two bits for each
// node of the table beyond that. Nodes that stand in no table stay in the list.
type goals struct {
	few  []literal
	bits []uint64
}

// maxFew is how many literals a list is looked through for.
const maxFew = 16

func (g *goals) has(l literal) bool {
	if l.node.id < 0 || g.bits == nil {
		return slices.ContainsFunc(g.few, func(o literal) bool { return o.neg == l.neg && o.same(l) })
	}
	at := 2*l.node.id + btoi(l.neg)
	return at>>6 < len(g.bits) && g.bits[at>>6]>>(at&63)&1 == 1
}

func (g *goals) add(l literal) {
	switch {
	case l.node.id < 0 || g.bits == nil && len(g.few) < maxFew:
		g.few = append(g.few, l)
		return
	case g.bits == nil:
		g.bits = []uint64{}
		for _, have := range g.few {
			g.set(have)
		}
	}
	g.set(l)
}

func (g *goals) set(l literal) {
	if l.node.id < 0 {
		return
	}
	at := 2*l.node.id + btoi(l.neg)
	if more := at>>6 + 1 - len(g.bits); more > 0 {
		g.bits = append(g.bits, make([]uint64, more)...)
	}
	g.bits[at>>6] |= 1 << (at & 63)
}

// clone costs what it copies, sixteen words a step.
func (b *branch) clone() *branch {
	b.s.spend(4 + (len(b.atoms)+8*len(b.open)+len(b.seen.bits))/16)
	seen := goals{slices.Clone(b.seen.few), slices.Clone(b.seen.bits)}
	return &branch{b.s, b.kind, slices.Clone(b.atoms), slices.Clone(b.open), seen, b.fixed, b.there, b.stop}
}

// goal takes up a schema; false where that contradicts the branch.
func (b *branch) goal(l literal) bool {
	b.s.spend(1 + len(b.seen.few)/8)
	switch {
	case b.seen.has(l):
		return true
	case b.seen.has(l.flip()):
		return false
	}
	b.seen.add(l)
	return b.assert(b.s.formOf(l, b.kind))
}

// formOf gives what a literal says of a kind of value.
func (s *solver) formOf(l literal, k kind) form {
	at := goalOf{l, k}
	if f, ok := s.forms[at]; ok {
		return f
	}
	f := allOf(clauses(l.node, k)...)
	s.spend(f.size())
	if l.neg {
		f = f.negate(k)
	}
	s.forms[at] = f
	return f
}

// assert takes up a form; false where that contradicts the branch.
func (b *branch) assert(f form) bool {
	b.s.spend(1)
	switch f.op {
	case fFalse:
		return false
	case fAtom:
		b.atoms = append(b.atoms, f.atom)
		b.note(f.atom)
	case fGoal:
		return b.goal(f.goal)
	case fAll:
		for _, sub := range f.subs {
			if !b.assert(sub) {
				return false
			}
		}
	case fAny:
		return b.choice(f)
	case fStop:
		b.stop = f.stop
	}
	return true
}

// choice takes up alternatives. A single one is no choice.
func (b *branch) choice(f form) bool {
	b.s.spend(1 + len(f.subs)/8)
	live := 0
	for _, sub := range f.subs {
		switch b.stands(sub) {
		case yes:
			return true
		case maybe:
			live++
		}
	}
	switch {
	case live == 0:
		return false
	case live == len(f.subs) && live > 1:
		b.open = append(b.open, f)
		return true
	}
	subs := make([]form, 0, live)
	for _, sub := range f.subs {
		if b.stands(sub) == maybe {
			subs = append(subs, sub)
		}
	}
	if live == 1 {
		return b.assert(subs[0])
	}
	b.open = append(b.open, anyOf(subs...))
	return true
}

// stands tells of an alternative whether it holds already, or cannot.
func (b *branch) stands(f form) truth {
	switch {
	case f.op == fTrue, f.op == fGoal && b.seen.has(f.goal):
		return yes
	case f.op == fFalse, f.op == fGoal && (b.seen.has(f.goal.flip()) || f.goal.node.never && !f.goal.neg):
		return no
	case f.op == fAtom:
		return b.tells(f.atom)
	}
	return maybe
}

// retry looks at the open choices again with what is known now.
func (b *branch) retry() bool {
	open := b.open
	b.open = make([]form, 0, len(open))
	for _, f := range open {
		if !b.choice(f) {
			return false
		}
	}
	return true
}

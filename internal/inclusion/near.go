package inclusion

import "slices"

// neighbours is what a branch says beside one choice, found by the names of
// the members that it speaks of. An alternative that cannot hold beside those
// alone cannot hold beside everything, and most are shown impossible so.
type neighbours struct {
	s      *solver
	known  *members
	open   []form
	byName map[string][]int // choices, by the names that they speak of
}

// The limits of one such look.
const (
	maxNear  = 64
	nearWork = 4_000
)

func (s *solver) neighboursOf(b *branch, pick int) *neighbours {
	n := &neighbours{s: s, known: s.membersOf(b), open: b.open, byName: map[string][]int{}}
	for i, f := range b.open {
		if i == pick || len(f.subs) > maxNear {
			continue
		}
		for _, name := range s.namesIn(f, nil, 0) {
			if list := n.byName[name]; len(list) < maxNear && (len(list) == 0 || list[len(list)-1] != i) {
				n.byName[name] = append(list, i)
			}
		}
	}
	return n
}

// hopeless reports whether an alternative cannot hold beside what speaks of
// the same members.
func (n *neighbours) hopeless(f form) bool {
	s := n.s
	left := *s.work
	*s.work = min(left, nearWork)
	start := *s.work
	s.probes++
	out := n.alone(f)
	s.probes--
	*s.work = left - (start - *s.work)
	return out
}

func (n *neighbours) alone(f form) bool {
	b := &branch{s: n.s, kind: kObject}
	if !b.assert(f) {
		return true
	}
	var names []string
	for _, a := range b.atoms {
		names = n.s.namesIn(form{op: fAtom, atom: a}, names, 0)
	}
	for _, open := range b.open {
		names = n.s.namesIn(open, names, 0)
	}
	if len(names) == 0 || len(names) > maxNear {
		return false
	}
	slices.Sort(names)
	names = slices.Compact(names)
	b.atoms = append(b.atoms, n.known.every[:min(len(n.known.every), 8)]...)
	var choices []int
	for _, name := range names {
		b.atoms = append(b.atoms, n.known.about(name)...)
		choices = append(choices, n.byName[name]...)
	}
	slices.Sort(choices)
	for _, i := range slices.Compact(choices) {
		if !b.choice(n.open[i]) {
			return true
		}
	}
	return n.s.search(b).failed()
}

// about gives what is known of one member.
func (m *members) about(name string) []*atom {
	var out []*atom
	if m.has[name] {
		out = append(out, &atom{kind: aHas, text: name})
	}
	if m.lacks[name] {
		out = append(out, &atom{kind: aHas, text: name, neg: true})
	}
	for _, l := range m.exact[name] {
		out = append(out, &atom{kind: aEvery, region: &region{exact: &name}, lit: l})
	}
	return out
}

// namesIn adds the names of members that a form speaks of.
func (s *solver) namesIn(f form, to []string, depth int) []string {
	s.spend(1)
	switch {
	case len(to) > 2*maxNear || depth > 6:
		return to
	case f.op == fGoal:
		return s.namesOf(f.goal.node, to, depth)
	case f.op == fAtom && f.atom.kind == aHas:
		return append(to, f.atom.text)
	case f.op == fAtom && f.atom.region != nil && f.atom.region.exact != nil:
		return append(to, *f.atom.region.exact)
	}
	for _, sub := range f.subs {
		to = s.namesIn(sub, to, depth+1)
	}
	return to
}

func (s *solver) namesOf(n *node, to []string, depth int) []string {
	if len(n.required)+len(n.props) > maxNear {
		return to
	}
	s.spend(1 + (len(n.required)+len(n.props))/4)
	to = append(to, n.required...)
	for _, p := range n.props {
		to = append(to, p.name)
	}
	for _, d := range n.dependRequired {
		to = append(append(to, d.name), d.needs...)
	}
	if depth > 6 {
		return to
	}
	for _, sub := range n.inPlace() {
		if len(to) <= 2*maxNear {
			to = s.namesOf(sub, to, depth+1)
		}
	}
	return to
}

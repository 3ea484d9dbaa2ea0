package inclusion

import "math/big"

// region is a set of member names: one exact name, or all names that are none
// of some, match these patterns and not those, and obey some schemas.
type region struct {
	exact    *string
	except   []string // sorted
	patterns []patternIs
	literals []literal
}

// patternIs is a pattern that must match, or must not.
type patternIs struct {
	text string
	neg  bool
}

// atomKind is what an atom limits.
type atomKind uint8

const (
	aLow      atomKind = iota // number above lo
	aHigh                     // number below hi
	aMultiple                 // number a multiple; neg: not one
	aLength                   // string, array or object of at least lo or at most hi
	aMatch                    // string matches; neg: does not
	aEnum                     // one of values; neg: none of them
	aHas                      // member stands; neg: does not
	aEvery                    // members in the region obey the literal
	aSome                     // a member in the region obeys the literal
	aEach                     // elements from lo to hi obey the literal
	aOne                      // an element from lo to hi obeys the literal
	aCount                    // at least lo, or at most hi, elements obey the literal
	aUnique                   // no element twice; neg: some element twice
)

// atom limits one kind of value. Bounds below 0 are none.
type atom struct {
	kind   atomKind
	neg    bool
	num    *big.Rat
	open   bool
	lo, hi int
	text   string
	values []*value
	region *region
	lit    literal
}

// formKind is how a form is made.
type formKind uint8

const (
	fTrue formKind = iota
	fFalse
	fAtom
	fGoal
	fAll
	fAny
	fStop // a construct that is not read: taken as true on either side
)

// form says something about one value of a known kind.
type form struct {
	op   formKind
	atom *atom
	goal literal
	subs []form
	stop *Stop
}

func always() form                { return form{op: fTrue} }
func never() form                 { return form{op: fFalse} }
func is(a atom) form              { return form{op: fAtom, atom: &a} }
func goal(n *node, neg bool) form { return form{op: fGoal, goal: literal{n, neg}} }
func allOf(subs ...form) form     { return form{op: fAll, subs: subs} }
func anyOf(subs ...form) form     { return form{op: fAny, subs: subs} }

// size counts what a form is made of.
func (f form) size() int {
	total := 1
	for _, sub := range f.subs {
		total += sub.size()
	}
	return total
}

// negate gives what holds where f does not.
func (f form) negate(k kind) form {
	switch f.op {
	case fTrue:
		return never()
	case fFalse:
		return always()
	case fGoal:
		return form{op: fGoal, goal: f.goal.flip()}
	case fAll, fAny:
		out := form{op: fAll + fAny - f.op, subs: make([]form, len(f.subs))}
		for i, sub := range f.subs {
			out.subs[i] = sub.negate(k)
		}
		return out
	case fAtom:
		return f.atom.negate(k)
	}
	return f
}

func (a atom) negate(k kind) form {
	switch a.kind {
	case aLow, aHigh:
		a.kind, a.open = aLow+aHigh-a.kind, !a.open
	case aLength, aCount:
		switch {
		case a.hi >= 0:
			a.lo, a.hi = a.hi+1, -1
		case a.lo == 0:
			return never()
		default:
			a.lo, a.hi = 0, a.lo-1
		}
	case aEvery:
		a.kind, a.lit = aSome, a.lit.flip()
	case aSome:
		a.kind, a.lit = aEvery, a.lit.flip()
	case aEach:
		a.kind, a.lit = aOne, a.lit.flip()
	case aOne:
		a.kind, a.lit = aEach, a.lit.flip()
	case aEnum:
		if !a.neg && k&(kArray|kObject) != 0 {
			return a.unlike(k)
		}
		a.neg = !a.neg
	default:
		a.neg = !a.neg
	}
	return is(a)
}

// unlike says of an array or object that it is none of the values, by its
// parts.
func (a atom) unlike(k kind) form {
	var out []form
	for _, v := range a.values {
		if v.kind == k {
			out = append(out, equals(v).negate(k))
		}
	}
	return allOf(out...)
}

// equals says of an array or object that it is v, by its parts.
func equals(v *value) form {
	size := len(v.kids)
	out := []form{is(atom{kind: aLength, lo: size, hi: -1}), is(atom{kind: aLength, hi: size})}
	for i, kid := range v.kids {
		l := literal{node: constant(kid)}
		if v.kind == kArray {
			out = append(out, is(atom{kind: aEach, lo: i, hi: i + 1, lit: l}))
		} else {
			name := v.names[i]
			out = append(out, is(atom{kind: aHas, text: name}), is(atom{kind: aEvery, region: &region{exact: &name}, lit: l}))
		}
	}
	return allOf(out...)
}

// constant gives a schema that accepts one value. Its id is left to whoever
// makes a goal of it.
func constant(v *value) *node {
	n := newNode("", nil)
	n.id = -1
	n.constant = v
	return n
}

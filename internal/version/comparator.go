package version

// operator compares a version with a bound.
type operator string

const (
	opNone    operator = ""
	opEqual   operator = "="
	opLess    operator = "<"
	opAtMost  operator = "<="
	opMore    operator = ">"
	opAtLeast operator = ">="
)

// comparator admits the versions that stand so to the bound. Its zero value,
// written "*", admits every version.
type comparator struct {
	op    operator
	bound Version
}

// nothing is the comparator below which no version lies.
func nothing() comparator {
	return comparator{opLess, Version{pre: "0", ok: true}}
}

func atLeast(v Version) comparator { return comparator{opAtLeast, v} }

// before bounds from above and keeps out the bound's own pre-releases.
func before(release Version) comparator {
	release.pre = "0"
	return comparator{opLess, release}
}

// admits compares by precedence alone; the rule for pre-releases belongs to
// the set.
func (c comparator) admits(v Version) bool {
	order := Compare(v, c.bound)
	switch c.op {
	case opEqual:
		return order == 0
	case opLess:
		return order < 0
	case opAtMost:
		return order <= 0
	case opMore:
		return order > 0
	case opAtLeast:
		return order >= 0
	}
	return true
}

// invites reports whether c opens the way for the pre-release v.
func (c comparator) invites(v Version) bool {
	return c.bound.pre != "" && compareTriple(c.bound, v) == 0
}

func (c comparator) String() string {
	switch c.op {
	case opNone:
		return "*"
	case opEqual:
		return c.bound.String()
	}
	return string(c.op) + c.bound.String()
}

// caret admits what leaves the first number that is not zero alone.
func caret(p partial) set {
	switch {
	case p.x[0]:
		return set{{}}
	case p.x[1], p.x[2] && p.num[0] != 0:
		return set{atLeast(p.floor()), before(Version{major: p.num[0] + 1, ok: true})}
	case p.x[2]:
		return set{atLeast(p.floor()), before(p.ceiling())}
	}
	low := p.version()
	high := Version{major: low.major, minor: low.minor, patch: low.patch + 1, ok: true}
	if low.major > 0 {
		high = Version{major: low.major + 1, ok: true}
	} else if low.minor > 0 {
		high = Version{minor: low.minor + 1, ok: true}
	}
	return set{atLeast(low), before(high)}
}

// tilde admits what leaves the minor number alone, or the major number where
// it stands by itself.
func tilde(p partial) set {
	switch {
	case p.x[0]:
		return set{{}}
	case p.anyX():
		return set{atLeast(p.floor()), before(p.ceiling())}
	}
	low := p.version()
	return set{atLeast(low), before(Version{major: low.major, minor: low.minor + 1, ok: true})}
}

// compared is an operator, or none, before a version or an x-range. An x
// stands for every number at once: >1 starts at 2.0.0 and <=1 ends before it.
func compared(op operator, p partial) set {
	switch {
	case p.x[0] && (op == opLess || op == opMore):
		return set{nothing()}
	case p.x[0]:
		return set{{}}
	case !p.anyX() && op == opNone:
		return set{{opEqual, p.version()}}
	case !p.anyX():
		return set{{op, p.version()}}
	}
	switch op {
	case opLess:
		return set{before(p.floor())}
	case opAtMost:
		return set{before(p.ceiling())}
	case opMore:
		return set{atLeast(p.ceiling())}
	case opAtLeast:
		return set{atLeast(p.floor())}
	}
	return set{atLeast(p.floor()), before(p.ceiling())}
}

// hyphen admits from low to high, both included; what a partial end leaves
// open is included whole.
func hyphen(low, high partial) set {
	out := set{{}, {}}
	switch {
	case low.x[0]:
	case low.anyX():
		out[0] = atLeast(low.floor())
	default:
		out[0] = atLeast(low.version())
	}
	switch {
	case high.x[0]:
	case high.anyX():
		out[1] = before(high.ceiling())
	default:
		out[1] = comparator{opAtMost, high.version()}
	}
	return out
}

package inclusion

import "math/big"

// numbers is what is known of a number: bounds, of what it is a multiple, of
// what it is not, and values that it is not.
type numbers struct {
	lo, hi         *big.Rat
	loOpen, hiOpen bool
	step           *big.Rat // nil is none
	notSteps       []*big.Rat
	not            map[string]bool // by key
	wide           bool            // a step of too many digits
}

// maxSteps bounds the multiples that are tried one by one.
const maxSteps = 20_000

func (s *solver) number(b *branch) answer {
	n := numbers{not: map[string]bool{}}
	for _, a := range b.atoms {
		if n.take(a); n.wide || !s.spend(1+len(a.values)/2+n.cost()) {
			return unsure(&Stop{Construct: "multipleOf of too many digits"})
		}
	}
	if n.lo != nil && n.hi != nil && beyond(n.lo.Cmp(n.hi), n.loOpen || n.hiOpen) {
		return empty()
	}
	if n.step != nil {
		return n.multiple(s)
	}
	if n.lo != nil && n.hi != nil && n.lo.Cmp(n.hi) == 0 {
		return n.first(n.lo)
	}
	if v := n.nice(); v != nil {
		return found(v)
	}
	return n.dense(s)
}

func (n *numbers) take(a *atom) {
	switch {
	case a.kind == aLow && (n.lo == nil || beyond(a.num.Cmp(n.lo), a.open)):
		n.lo, n.loOpen = a.num, a.open
	case a.kind == aHigh && (n.hi == nil || beyond(n.hi.Cmp(a.num), a.open)):
		n.hi, n.hiOpen = a.num, a.open
	case a.kind == aMultiple && a.neg:
		n.notSteps = append(n.notSteps, a.num)
	case a.kind == aMultiple && n.step == nil:
		n.step = a.num
	case a.kind == aMultiple:
		n.step = lcm(n.step, a.num)
		n.wide = n.step.Num().BitLen()+n.step.Denom().BitLen() > maxBits
	case a.kind == aEnum:
		for _, v := range a.values {
			n.not[v.key()] = true
		}
	}
}

// maxBits bounds the size of numbers that are made, in bits.
const maxBits = 100_000

// cost is what it takes to hold a number against everything.
func (n *numbers) cost() int {
	if n.step == nil {
		return 2 + 2*len(n.notSteps)
	}
	return (1 + len(n.notSteps)) * (2 + (n.step.Num().BitLen()+n.step.Denom().BitLen())/64)
}

// lcm is the smallest number that is a multiple of both.
func lcm(a, b *big.Rat) *big.Rat {
	x, y := new(big.Int).Mul(a.Num(), b.Denom()), new(big.Int).Mul(b.Num(), a.Denom())
	both := new(big.Int).Mul(x, y)
	both.Quo(both, new(big.Int).GCD(nil, nil, x, y))
	return new(big.Rat).SetFrac(both, new(big.Int).Mul(a.Denom(), b.Denom()))
}

// admits reports whether a number obeys everything.
func (n *numbers) admits(x *big.Rat) bool {
	if n.lo != nil && beyond(n.lo.Cmp(x), n.loOpen) || n.hi != nil && beyond(x.Cmp(n.hi), n.hiOpen) {
		return false
	}
	for _, m := range n.notSteps {
		if new(big.Rat).Quo(x, m).IsInt() {
			return false
		}
	}
	return len(n.not) == 0 || !n.not[decimal(x)]
}

func (n *numbers) first(candidates ...*big.Rat) answer {
	for _, x := range candidates {
		if n.admits(x) {
			return found(&value{kind: kNumber, num: x})
		}
	}
	return empty()
}

// nice tries the numbers that read best.
func (n *numbers) nice() *value {
	list := []*big.Rat{new(big.Rat), one, big.NewRat(-1, 1), big.NewRat(1, 2)}
	for _, bound := range []*big.Rat{n.lo, n.hi} {
		if bound != nil {
			whole := new(big.Rat).SetInt(floor(bound))
			list = append(list, bound, whole, new(big.Rat).Add(whole, one), new(big.Rat).Sub(whole, one))
		}
	}
	return n.first(list...).value
}

// dense looks for a number between bounds that leave room: ever closer to one
// end. What is to be avoided lies apart, so this ends.
func (n *numbers) dense(s *solver) answer {
	from, towards := new(big.Rat), one
	switch {
	case n.lo != nil && n.hi != nil:
		from, towards = n.lo, n.hi
	case n.lo != nil:
		from, towards = n.lo, new(big.Rat).Add(n.lo, one)
	case n.hi != nil:
		from, towards = n.hi, new(big.Rat).Sub(n.hi, one)
	}
	way := new(big.Rat).Sub(towards, from)
	for range 200 {
		way = new(big.Rat).Mul(way, big.NewRat(1, 2))
		if x := new(big.Rat).Add(from, way); n.admits(x) {
			return found(&value{kind: kNumber, num: x})
		}
		if !s.spend(4 + n.cost()) {
			break
		}
	}
	return unsure(outOfWork)
}

// multiple looks among the multiples of step.
func (n *numbers) multiple(s *solver) answer {
	for _, m := range n.notSteps {
		if new(big.Rat).Quo(n.step, m).IsInt() {
			return empty() // whatever is a multiple of step is one of m
		}
	}
	var lo, hi *big.Int // of the factor; nil is none
	if n.lo != nil {
		q := new(big.Rat).Quo(n.lo, n.step)
		if lo = floor(q); !q.IsInt() || n.loOpen {
			lo.Add(lo, big.NewInt(1))
		}
	}
	if n.hi != nil {
		q := new(big.Rat).Quo(n.hi, n.step)
		if hi = floor(q); q.IsInt() && n.hiOpen {
			hi.Sub(hi, big.NewInt(1))
		}
	}
	return n.factors(s, lo, hi)
}

func floor(q *big.Rat) *big.Int {
	return new(big.Int).Div(q.Num(), q.Denom()) // Euclidean, and the denominator is above zero
}

// factors tries the factors between two bounds, those nearest to zero first.
func (n *numbers) factors(s *solver, lo, hi *big.Int) answer {
	start, turns := new(big.Int), true
	switch {
	case lo != nil && lo.Sign() > 0:
		start, turns = lo, false
	case hi != nil && hi.Sign() < 0:
		start, turns = hi, false
	}
	in := func(k *big.Int) bool { return (lo == nil || lo.Cmp(k) <= 0) && (hi == nil || k.Cmp(hi) <= 0) }
	try := func(offset int64) (answer, bool) {
		k := new(big.Int).Add(start, big.NewInt(offset))
		if !in(k) {
			return empty(), false
		}
		return n.first(new(big.Rat).Mul(n.step, new(big.Rat).SetInt(k))), true
	}
	sign := int64(1)
	if !turns && start == hi {
		sign = -1
	}
	for i := int64(0); i < maxSteps; i++ {
		up, inside := try(sign * i)
		if up.found == yes {
			return up
		}
		if turns && i > 0 {
			down, below := try(-i)
			if down.found == yes {
				return down
			}
			inside = inside || below
		}
		if !inside {
			return empty()
		}
		if !s.spend(2 * n.cost()) {
			break
		}
	}
	return unsure(&Stop{Construct: "multipleOf over too many candidates"})
}

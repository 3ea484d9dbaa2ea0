package inclusion

import (
	"math/big"
	"unicode/utf8"
)

// atomHolds reports whether an atom holds for a value of its kind.
func (s *solver) atomHolds(a *atom, v *value) truth {
	s.spend(1)
	switch a.kind {
	case aLow:
		return truthOf(!beyond(a.num.Cmp(v.num), a.open))
	case aHigh:
		return truthOf(!beyond(v.num.Cmp(a.num), a.open))
	case aMultiple:
		return truthOf(new(big.Rat).Quo(v.num, a.num).IsInt() != a.neg)
	case aLength:
		size := len(v.kids)
		if v.kind == kString {
			size = utf8.RuneCountInString(v.str)
		}
		return truthOf(size >= a.lo && (a.hi < 0 || size <= a.hi))
	case aMatch:
		return signed(s.eval.match(a.text, v.str), a.neg)
	case aEnum:
		return truthOf(s.eval.contains(a.values, v) != a.neg)
	case aHas:
		return truthOf((v.get(a.text) != nil) != a.neg)
	case aUnique:
		return truthOf(repeats(v) == a.neg)
	case aEvery, aSome:
		return s.membersHold(a, v)
	}
	return s.elementsHold(a, v)
}

func signed(t truth, neg bool) truth {
	if neg {
		return t.not()
	}
	return t
}

func (s *solver) membersHold(a *atom, v *value) truth {
	out := truthOf(a.kind == aEvery)
	if name := a.region.exact; name != nil {
		switch kid := v.get(*name); {
		case kid == nil:
			return out
		default:
			return s.eval.holds(a.lit, kid)
		}
	}
	for i, name := range v.names {
		in := s.eval.inRegion(a.region, name)
		if in == no {
			continue
		}
		t := s.eval.holds(a.lit, v.kids[i])
		if a.kind == aEvery {
			out = min(out, max(t, in.not()))
		} else {
			out = max(out, min(t, in))
		}
	}
	return out
}

func (s *solver) elementsHold(a *atom, v *value) truth {
	out, held, open := truthOf(a.kind == aEach), 0, 0
	if a.kind != aCount && a.hi == a.lo+1 {
		if a.lo >= len(v.kids) {
			return out
		}
		return s.eval.holds(a.lit, v.kids[a.lo])
	}
	s.spend(len(v.kids) / 4)
	for i, kid := range v.kids {
		if a.kind != aCount && (i < a.lo || a.hi >= 0 && i >= a.hi) {
			continue
		}
		if i > a.lo && a.kind != aCount && kid == v.kids[i-1] {
			continue // one value repeated
		}
		t := s.eval.holds(a.lit, kid)
		switch {
		case a.kind == aEach:
			out = min(out, t)
		case a.kind == aOne:
			out = max(out, t)
		case t == yes:
			held++
		case t == maybe:
			open++
		}
	}
	if a.kind == aCount {
		return counted(held, open, a.lo, a.hi)
	}
	return out
}

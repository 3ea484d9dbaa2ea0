package version

import "slices"

// span is the versions v with lo <= v < hi; empty unless lo < hi.
type span struct{ lo, hi Version }

// extent is everything that a range admits, as disjoint parts: releases on
// the one hand, and on the other the pre-releases of each release that some
// comparator invites. Versions have successors (the one after 1.2.3-a is
// 1.2.3-a.0), so every bound can be written half-open and lo is a member of
// each span that is not empty.
type extent struct {
	releases []span
	previews map[Version][]span // by the release they announce
}

// Empty reports whether no version at all satisfies r, as with "<1 >2".
func (r Range) Empty() bool {
	e := r.extent()
	return len(e.releases) == 0 && len(e.previews) == 0
}

// Subset reports whether other admits every version that r admits, across
// alternatives: ">=1 <3" is a subset of "1.x || 2.x". An empty range is a
// subset of every range.
func (r Range) Subset(other Range) bool {
	a, b := r.extent(), other.extent()
	if !within(a.releases, b.releases) {
		return false
	}
	for release, spans := range a.previews {
		if !within(spans, b.previews[release]) {
			return false
		}
	}
	return true
}

// Intersects reports whether some version satisfies both ranges.
func (r Range) Intersects(other Range) bool {
	a, b := r.extent(), other.extent()
	if overlap(a.releases, b.releases) {
		return true
	}
	for release, spans := range a.previews {
		if overlap(spans, b.previews[release]) {
			return true
		}
	}
	return false
}

func (r Range) extent() extent {
	e := extent{previews: map[Version][]span{}}
	for _, s := range r.sets {
		e.add(s)
	}
	e.releases = merged(e.releases)
	for release, spans := range e.previews {
		e.previews[release] = merged(spans)
	}
	return e
}

// add puts in what one alternative admits.
func (e *extent) add(s set) {
	whole := s.span()
	if releases := (span{whole.lo.release(), whole.hi.release()}); !releases.empty() {
		e.releases = append(e.releases, releases)
	}
	for _, c := range s {
		if c.bound.pre == "" {
			continue
		}
		release := c.bound.release()
		if previews := whole.meet(span{before(release).bound, release}); !previews.empty() {
			e.previews[release] = append(e.previews[release], previews)
		}
	}
}

// span is what the comparators admit together, by precedence alone.
func (s set) span() span {
	whole := span{nothing().bound, Version{major: MaxComponent + 1, ok: true}}
	for _, c := range s {
		switch c.op {
		case opLess:
			whole = whole.meet(span{whole.lo, c.bound})
		case opAtMost:
			whole = whole.meet(span{whole.lo, c.bound.successor()})
		case opMore:
			whole = whole.meet(span{c.bound.successor(), whole.hi})
		case opAtLeast:
			whole = whole.meet(span{c.bound, whole.hi})
		case opEqual:
			whole = whole.meet(span{c.bound, c.bound.successor()})
		}
	}
	return whole
}

// release is the least release that is not below v.
func (v Version) release() Version {
	v.pre = ""
	return v
}

// successor is the least version above v.
func (v Version) successor() Version {
	if v.pre != "" {
		v.pre += ".0"
		return v
	}
	v.pre = "0"
	switch {
	case v.patch < MaxComponent:
		v.patch++
	case v.minor < MaxComponent:
		v.minor, v.patch = v.minor+1, 0
	default:
		v.major, v.minor, v.patch = v.major+1, 0, 0
	}
	return v
}

func (s span) empty() bool { return Compare(s.lo, s.hi) >= 0 }

func (s span) meet(o span) span {
	if Compare(o.lo, s.lo) > 0 {
		s.lo = o.lo
	}
	if Compare(o.hi, s.hi) < 0 {
		s.hi = o.hi
	}
	return s
}

// merged sorts the spans and joins those that touch.
func merged(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return Compare(a.lo, b.lo) })
	var out []span
	for _, s := range spans {
		last := len(out) - 1
		switch {
		case last < 0 || Compare(s.lo, out[last].hi) > 0:
			out = append(out, s)
		case Compare(s.hi, out[last].hi) > 0:
			out[last].hi = s.hi
		}
	}
	return out
}

// within reports whether each span of a lies in one of b, which is merged.
func within(a, b []span) bool {
	for _, s := range a {
		inside := func(o span) bool { return s.meet(o) == s }
		if !slices.ContainsFunc(b, inside) {
			return false
		}
	}
	return true
}

func overlap(a, b []span) bool {
	for _, s := range a {
		meets := func(o span) bool { return !s.meet(o).empty() }
		if slices.ContainsFunc(b, meets) {
			return true
		}
	}
	return false
}

package version

import "strconv"

// partial is a version in which numbers may be missing or be x, X or *.
type partial struct {
	prefix string    // the "v" and "=" before it
	num    [3]uint64 // 0 where x holds; numbers over MaxComponent stay over it
	x      [3]bool   // the number is missing or a wildcard
	pre    string
}

// anyX reports whether some number is missing or a wildcard.
func (p partial) anyX() bool { return p.x[0] || p.x[1] || p.x[2] }

// version is the version that p spells when no number is missing.
func (p partial) version() Version {
	return Version{major: p.num[0], minor: p.num[1], patch: p.num[2], pre: p.pre, ok: true}
}

// floor is the least release that starts as p does, for a p that lacks a
// number but not the first.
func (p partial) floor() Version {
	v := Version{major: p.num[0], ok: true}
	if !p.x[1] {
		v.minor = p.num[1]
	}
	return v
}

// ceiling is the least release above every version that starts as p does, for
// such a p.
func (p partial) ceiling() Version {
	if p.x[1] {
		return Version{major: p.num[0] + 1, ok: true}
	}
	return Version{major: p.num[0], minor: p.num[1] + 1, ok: true}
}

// partial reads one version, whole or not. Build metadata is read and
// forgotten, since it never decides anything.
func (s *scanner) partial() partial {
	p := partial{x: [3]bool{true, true, true}}
	count := 0
	for count < 3 {
		s.number(&p, count)
		count++
		if s.err != nil || count == 3 || !s.take('.') {
			break
		}
	}
	if s.err == nil && s.peek() == '-' && count < 3 {
		s.failAt(s.pos, "a pre-release follows three numbers, as in 1.2.3-rc.1")
	}
	if s.err == nil && s.take('-') {
		p.pre = s.identifiers("pre-release", true)
	}
	if s.err == nil && s.take('+') {
		s.identifiers("build", false)
	}
	return p
}

// number reads the i-th number of p or its wildcard.
func (s *scanner) number(p *partial, i int) {
	start := s.pos
	if s.take('x') || s.take('X') || s.take('*') {
		return
	}
	digits := s.run(isDigit)
	switch {
	case digits == "":
		s.failAt(start, "expected a number, x or *, found %s", s.found())
	case len(digits) > 1 && digits[0] == '0':
		s.failAt(start, "the number %s has a leading zero", digits)
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > MaxComponent {
		n = MaxComponent + 1
	}
	p.num[i], p.x[i] = n, false
}

// identifiers reads the dot-separated words of a pre-release or build.
func (s *scanner) identifiers(what string, noLeadingZero bool) string {
	first := s.pos
	for s.err == nil {
		start := s.pos
		id := s.run(isIdentifier)
		if id == "" {
			s.failAt(start, "expected a %s identifier of letters, digits or hyphens, found %s", what, s.found())
		} else if noLeadingZero && len(id) > 1 && id[0] == '0' && isNumber(id) {
			s.failAt(start, "the %s number %s has a leading zero", what, id)
		}
		if !s.take('.') {
			break
		}
	}
	return s.text[first:s.pos]
}

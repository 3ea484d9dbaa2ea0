package version

import "strings"

// ParseRange reads a range in npm's strict grammar. Empty text, like "*",
// admits every release. An error is a [*SyntaxError].
func ParseRange(text string) (Range, error) {
	if len(text) > MaxRangeLength {
		return Range{}, tooLong("range", text, MaxRangeLength)
	}
	s := &scanner{text: text}
	r := Range{text: text}
	for {
		set := s.alternative()
		if s.err != nil {
			return Range{}, s.err
		}
		r.sets = append(r.sets, set)
		if !strings.HasPrefix(s.rest(), "||") {
			break
		}
		s.pos += len("||")
	}
	r.sets = simplify(r.sets)
	return r, nil
}

// alternative reads comparators up to "||" or the end.
func (s *scanner) alternative() set {
	s.space()
	if low, ok := s.hyphenLow(); ok {
		return s.hyphenHigh(low)
	}
	var all set
	for s.err == nil && !s.atEnd() {
		all = append(all, s.term()...)
		if s.err == nil && !s.atBoundary() {
			s.failAt(s.pos, "unexpected %s; separate comparators by a space, alternatives by ||", s.found())
		}
		s.space()
	}
	return all.normal()
}

// hyphenLow reads "LOW - " if the alternative begins with it, and nothing
// otherwise.
func (s *scanner) hyphenLow() (partial, bool) {
	ahead := scanner{text: s.text, pos: s.pos}
	prefix := ahead.prefix(true)
	low := ahead.partial()
	low.prefix = prefix
	if ahead.err == nil && ahead.space() && ahead.take('-') && ahead.space() {
		if !low.anyX() && low.prefix != "" && low.prefix != "v" {
			s.failAt(s.pos, "%q before a whole version is no operator", low.prefix)
		}
		s.pos = ahead.pos
		return low, true
	}
	return partial{}, false
}

// hyphenHigh reads the upper end of a hyphen range, which ends the
// alternative.
func (s *scanner) hyphenHigh(low partial) set {
	start := s.pos
	prefix := s.prefix(true)
	high := s.partial()
	if !high.anyX() && high.pre == "" && prefix != "" && prefix != "v" {
		s.failAt(start, "%q before a whole version is no operator", prefix)
	}
	s.space()
	if s.err == nil && !s.atEnd() {
		s.failAt(s.pos, "unexpected %s: nothing may follow a hyphen range but ||", s.found())
	}
	return s.bounded(start, hyphen(low, high)).normal()
}

// term reads one comparator, caret, tilde or x-range.
func (s *scanner) term() set {
	start := s.pos
	sugar := s.peek()
	if sugar == '^' || sugar == '~' {
		s.pos++
		s.space()
	} else {
		sugar = 0
	}
	opAt := s.pos
	op := s.operator()
	prefix := s.prefix(false)
	p := s.partial()
	p.prefix = prefix
	switch {
	case s.err != nil:
		return nil
	case sugar == '^' && (op == opNone || op == opEqual):
		return s.bounded(start, caret(p))
	case sugar == '~' && op != opLess && op != opAtMost:
		return s.bounded(start, tilde(p))
	case sugar != 0:
		s.failAt(opAt, "%q cannot follow %q", op, sugar)
	case p.x[0] && !p.x[1] || p.x[1] && !p.x[2]:
		s.failAt(start, "no number may follow a wildcard")
	case !p.anyX() && p.prefix != "" && p.prefix != "v":
		s.failAt(start, "%q before a whole version is no operator", string(op)+p.prefix)
	}
	return s.bounded(start, compared(op, p))
}

// operator reads one of < <= > >= = and the white space after it, which may
// also stand between an angle and its equals sign.
func (s *scanner) operator() operator {
	op := opNone
	if c := s.peek(); c == '<' || c == '>' {
		s.pos++
		op = operator([]byte{c})
	}
	equal := s.take('=')
	if op == opNone && !equal {
		return op
	}
	if s.space() && op != opNone && !equal {
		equal = s.take('=')
	}
	if equal {
		op += opEqual
	}
	return op
}

// prefix reads the "v" and "=" that npm allows before a version, and white
// space among them where spaced is set.
func (s *scanner) prefix(spaced bool) string {
	var marks []byte
	for {
		switch c := s.peek(); {
		case c == 'v' || c == '=':
			marks = append(marks, c)
			s.pos++
		case spaced && s.space():
			marks = append(marks, ' ')
		default:
			return string(marks)
		}
	}
}

// bounded refuses comparators with a number over MaxComponent.
func (s *scanner) bounded(start int, comparators set) set {
	for _, c := range comparators {
		if !c.bound.inBounds() {
			s.failAt(start, "no number may pass %d", uint64(MaxComponent))
		}
	}
	return comparators
}

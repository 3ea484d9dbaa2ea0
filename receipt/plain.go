package receipt

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/gowebpki/jcs"

	"github.com/seed-ae386458/interlock"
)

// isCanonical reports whether a body is spelled as RFC 8785 has it. What bodies
// are made of is decided in one pass; what is seldom in them (names beyond
// ASCII, control characters by number, numbers of other kinds) is decided by
// writing it anew.
func isCanonical(body []byte) bool {
	s := scanner{text: body}
	if s.object(0) && s.at == len(body) && utf8.Valid(body) {
		return true
	}
	again, err := jcs.Transform(body)
	return err == nil && bytes.Equal(again, body)
}

// maxDepth is how deep the scanner goes.
const maxDepth = 32

// scanner reads canonical JSON, and gives up where it is not sure.
type scanner struct {
	text []byte
	at   int
}

// take reads one byte where it is the next one.
func (s *scanner) take(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) value(depth int) bool {
	if s.at >= len(s.text) || depth > maxDepth {
		return false
	}
	switch s.text[s.at] {
	case '{':
		return s.object(depth)
	case '[':
		return s.array(depth)
	case '"':
		return s.str()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	}
	return s.number()
}

func (s *scanner) word(word string) bool {
	if !bytes.HasPrefix(s.text[s.at:], []byte(word)) {
		return false
	}
	s.at += len(word)
	return true
}

// object reads an object whose names are plain and stand in order.
func (s *scanner) object(depth int) bool {
	if !s.take('{') {
		return false
	}
	if s.take('}') {
		return true
	}
	var last []byte
	for first := true; ; first = false {
		name, ok := s.name()
		if !ok || !first && bytes.Compare(last, name) >= 0 || !s.take(':') || !s.value(depth+1) {
			return false
		}
		last = name
		if !s.take(',') {
			return s.take('}')
		}
	}
}

// name reads a name of ASCII letters without escapes, whose order is that of its
// bytes.
func (s *scanner) name() ([]byte, bool) {
	if !s.take('"') {
		return nil, false
	}
	from := s.at
	for ; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		if c := s.text[s.at]; c < ' ' || c == '\\' || c >= utf8.RuneSelf {
			return nil, false
		}
	}
	name := s.text[from:s.at]
	return name, s.take('"')
}

func (s *scanner) array(depth int) bool {
	s.at++
	if s.take(']') {
		return true
	}
	for {
		if !s.value(depth + 1) {
			return false
		}
		if !s.take(',') {
			return s.take(']')
		}
	}
}

// str reads a string in which nothing is escaped that need not be.
func (s *scanner) str() bool {
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return true
		case c == '\\':
			if s.at++; s.at >= len(s.text) || bytes.IndexByte([]byte(`"\bfnrt`), s.text[s.at]) < 0 {
				return false
			}
		case c < ' ':
			return false
		}
	}
	return false
}

// number reads a number that Canonical admits.
func (s *scanner) number() bool {
	end := endOfNumber(s.text, s.at)
	number := s.text[s.at:end]
	s.at = end
	digits := bytes.TrimPrefix(number, []byte("-"))
	if len(digits) == 0 || digits[0] < '0' || digits[0] > '9' || digits[0] == '0' && len(digits) > 1 && digits[1] != '.' ||
		bytes.ContainsAny(digits, "+-") {
		return false
	}
	return plainInteger(number) || plainDecimal(number)
}

// parseLine reads the line of an entry as Export spells it, and no other
// spelling. The body is part of the line.
func parseLine(line []byte) (interlock.LogEntry, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"body":`))
	at := bytes.LastIndex(rest, []byte(`,"digest":"`))
	if !ok || at < 0 {
		return interlock.LogEntry{}, false
	}
	entry := interlock.LogEntry{Body: rest[:at:at]}
	digest, rest, ok1 := bytes.Cut(rest[at+len(`,"digest":"`):], []byte(`","index":`))
	index, rest, ok2 := bytes.Cut(rest, []byte(`,"type":"`))
	typ, ok3 := bytes.CutSuffix(rest, []byte("\"}\n"))
	n, err := strconv.ParseInt(string(index), 10, 64)
	entry.Digest, entry.Index, entry.Type = string(digest), n, string(typ)
	return entry, ok1 && ok2 && ok3 && err == nil && strconv.FormatInt(n, 10) == string(index)
}

package version

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError says why a text is no version or no range, and where.
type SyntaxError struct {
	Text    string // the text refused, cut to the bytes that are read
	Offset  int    // the byte at fault; len(Text) when something is missing at the end
	Message string // what was expected there
}

// Error names the text, the place and what was expected.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%q, offset %d: %s", e.Text, e.Offset, e.Message)
}

func tooLong(what, text string, most int) *SyntaxError {
	return &SyntaxError{
		Text: text[:most], Offset: most,
		Message: fmt.Sprintf("the %s has %d bytes; at most %d are read", what, len(text), most),
	}
}

// scanner reads versions and their parts; a fault it meets is kept, and the
// first one counts.
type scanner struct {
	text string
	pos  int
	err  *SyntaxError // the first fault; once set, nothing more is read
}

// failAt records a fault, unless one is known already.
func (s *scanner) failAt(offset int, format string, args ...any) {
	if s.err == nil {
		s.err = &SyntaxError{Text: s.text, Offset: offset, Message: fmt.Sprintf(format, args...)}
	}
}

func (s *scanner) rest() string { return s.text[s.pos:] }

// peek is the next byte, 0 at the end of the text.
func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// take reads c if it stands next.
func (s *scanner) take(c byte) bool {
	if s.pos < len(s.text) && s.text[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

// space reads white space and reports whether there was any.
func (s *scanner) space() bool {
	before := s.pos
	for s.pos < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.rest())
		if !isSpace(r) {
			break
		}
		s.pos += n
	}
	return s.pos > before
}

// run reads the longest row of bytes that belong.
func (s *scanner) run(belongs func(byte) bool) string {
	before := s.pos
	for s.pos < len(s.text) && belongs(s.text[s.pos]) {
		s.pos++
	}
	return s.text[before:s.pos]
}

// atEnd reports whether the text, or the alternative being read, ends here.
func (s *scanner) atEnd() bool {
	return s.pos == len(s.text) || strings.HasPrefix(s.rest(), "||")
}

// atBoundary reports whether a comparator may end here.
func (s *scanner) atBoundary() bool {
	r, _ := utf8.DecodeRuneInString(s.rest())
	return s.atEnd() || isSpace(r)
}

// found describes what stands next, for a message.
func (s *scanner) found() string {
	if s.pos == len(s.text) {
		return "the end"
	}
	r, _ := utf8.DecodeRuneInString(s.rest())
	return fmt.Sprintf("%q", r)
}

// explainVersion tells what is wrong with a text that is no version.
func explainVersion(text string) *SyntaxError {
	s := &scanner{text: text}
	s.space()
	s.take('v')
	start := s.pos
	p := s.partial()
	switch {
	case s.err != nil:
		return s.err
	case p.anyX():
		s.failAt(start, "a version needs three numbers, as in 1.2.3")
	case !p.version().inBounds():
		s.failAt(start, "no number may pass %d", uint64(MaxComponent))
	}
	s.space()
	s.failAt(s.pos, "unexpected %s after the version", s.found())
	return s.err
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isIdentifier(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-'
}

func isNumber(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// isSpace reports what ECMAScript, and so npm, takes for white space.
func isSpace(r rune) bool {
	return '\t' <= r && r <= '\r' || r == '\u2028' || r == '\u2029' || r == '\ufeff' || unicode.Is(unicode.Zs, r)
}

// Package regular decides questions about the strings that patterns match:
// is there one that matches these patterns and not those, of a length between
// two bounds, outside a finite set?
//
// It promises an exact answer or none: [Find] gives a string, a proof that
// there is none, or [Unknown] where the work allowed did not suffice. Patterns
// are unanchored, as JSON Schema has them, and read over Unicode characters.
// Automata are built only as far as the search walks.
//
// It refuses patterns outside the part that RE2 and ECMA-262 share ([Compile]
// fails with [ErrOutside]): look-around, back references, flags, POSIX classes,
// RE2's own anchors. Where the two read a shared construct differently (the
// dot and the class of white space) the caller names the reading.
//
//	lang, err := regular.Compile("^[a-z]+$", regular.RE2)
//	text, found := regular.Find(regular.Query{MustNot: []*regular.Language{lang}, Max: -1}, &work)
package regular

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/seed-ae386458/interlock/internal/contract"
)

// Reading picks the meaning of the dot and of white space.
type Reading int

// The readings.
const (
	RE2  Reading = iota // as the validator matches
	ECMA                // as ECMA-262 defines it
)

// ErrOutside is a pattern that the two readings do not share.
var ErrOutside = errors.New("outside the patterns that RE2 and ECMA-262 share")

// spaceECMA is what \s stands for in ECMA-262.
const spaceECMA = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// dotECMA is what the dot stands for in ECMA-262.
const dotECMA = `[^\n\r\x{2028}\x{2029}]`

// Contested reports whether the readings may differ on a pattern.
func Contested(pattern string) bool {
	re2, err := spell(pattern, RE2)
	ecma, err2 := spell(pattern, ECMA)
	return err != nil || err2 != nil || re2 != ecma
}

// Compile reads a pattern.
func Compile(pattern string, reading Reading) (*Language, error) {
	text, err := spell(pattern, reading)
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOutside, err)
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOutside, err)
	}
	return newLanguage(prog), nil
}

// speller rewrites a pattern for RE2.
type speller struct {
	text    string
	pos     int
	inClass bool
	ecma    bool
	out     strings.Builder
}

func spell(pattern string, reading Reading) (string, error) {
	s := speller{text: contract.Pattern(pattern), ecma: reading == ECMA}
	for s.pos < len(s.text) {
		if err := s.next(); err != nil {
			return "", fmt.Errorf("pattern %.60q at byte %d: %w", pattern, s.pos, err)
		}
	}
	return s.out.String(), nil
}

// next rewrites one token.
func (s *speller) next() error {
	rest := s.text[s.pos:]
	switch c := rest[0]; {
	case c == '\\':
		return s.escape(rest)
	case s.inClass:
		if strings.HasPrefix(rest, "[:") || c == '[' {
			return ErrOutside
		}
		s.inClass = c != ']'
	case c == '[':
		s.inClass = true
		if strings.HasPrefix(rest, "[]") || strings.HasPrefix(rest, "[^]") {
			return ErrOutside // RE2 takes the bracket as a member, ECMA-262 as the end
		}
	case c == '.' && s.ecma:
		s.take(1, dotECMA)
		return nil
	case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:") && !namedGroup(rest):
		return ErrOutside
	case strings.HasPrefix(rest, "{,"):
		return ErrOutside
	}
	s.take(1, rest[:1])
	return nil
}

func namedGroup(rest string) bool {
	return strings.HasPrefix(rest, "(?<") && len(rest) > 3 && rest[3] != '=' && rest[3] != '!'
}

func (s *speller) take(n int, as string) {
	s.out.WriteString(as)
	s.pos += n
}

// escape rewrites a backslash with what it escapes.
func (s *speller) escape(rest string) error {
	if len(rest) < 2 || strings.IndexByte("AzZQECaG", rest[1]) >= 0 || rest[1] >= '1' && rest[1] <= '9' || s.inClass && rest[1] == 'b' {
		return ErrOutside
	}
	switch {
	case rest[1] == 's' && s.ecma && s.inClass:
		s.take(2, spaceECMA)
	case rest[1] == 's' && s.ecma:
		s.take(2, "["+spaceECMA+"]")
	case rest[1] == 'S' && s.inClass:
		return ErrOutside
	case rest[1] == 'S' && s.ecma:
		s.take(2, "[^"+spaceECMA+"]")
	default:
		s.take(2, rest[:2])
	}
	return nil
}

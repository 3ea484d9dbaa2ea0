package contract

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// Canonical writes JSON text in RFC 8785 form: members sorted by UTF-16 code
// units, no white space, one spelling of every string and number. Numbers keep
// their value where the RFC would round it to a double: each is laid out as
// the RFC lays out a double, over all of its decimal digits. It refuses what
// rawjson.Check refuses (duplicate members, lone surrogates, invalid UTF-8,
// depth, numbers of over 1000 digits) and exponents beyond ±10^9.
func Canonical(text []byte) ([]byte, error) {
	n, err := parse(text, rawjson.Limits{Depth: MaxSchemaDepth, Exponent: maxExponent})
	if err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	return n.canonical()
}

// canonical writes n in the form of Canonical.
func (n *node) canonical() ([]byte, error) {
	return n.appendCanonical(nil)
}

func (n *node) appendCanonical(to []byte) ([]byte, error) {
	switch n.kind {
	case kindObject:
		return n.appendObject(to)
	case kindArray:
		return n.appendArray(to)
	case kindString:
		return appendString(to, n.text), nil
	case kindNumber:
		d, err := parseDecimal(n.text)
		if err != nil {
			return nil, err
		}
		return append(to, d.String()...), nil
	case kindTrue:
		return append(to, "true"...), nil
	case kindFalse:
		return append(to, "false"...), nil
	}
	return append(to, "null"...), nil
}

func (n *node) appendObject(to []byte) (_ []byte, err error) {
	order := make([]int, len(n.kids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareUTF16(n.names[a], n.names[b]) })
	to = append(to, '{')
	for i, at := range order {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(appendString(to, n.names[at]), ':')
		if to, err = n.kids[at].appendCanonical(to); err != nil {
			return nil, err
		}
	}
	return append(to, '}'), nil
}

func (n *node) appendArray(to []byte) (_ []byte, err error) {
	to = append(to, '[')
	for i, kid := range n.kids {
		if i > 0 {
			to = append(to, ',')
		}
		if to, err = kid.appendCanonical(to); err != nil {
			return nil, err
		}
	}
	return append(to, ']'), nil
}

// compareUTF16 orders names by their UTF-16 code units. That differs from the
// order of bytes only where a character beyond the basic plane meets one of
// U+E000 to U+FFFF.
func compareUTF16(a, b string) int {
	if isASCII(a) || isASCII(b) {
		return strings.Compare(a, b)
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendString writes a JSON string with the fewest escapes that JSON allows.
func appendString(to []byte, s string) []byte {
	const hex = "0123456789abcdef"
	to = append(to, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			to = append(to, '\\', c)
		case c >= 0x20:
			to = append(to, c)
		case strings.IndexByte("\b\t\n\f\r", c) >= 0:
			to = append(to, '\\', "btnfr"[strings.IndexByte("\b\t\n\f\r", c)])
		default:
			to = append(to, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(to, '"')
}

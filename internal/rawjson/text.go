package rawjson

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// String is the text that a JSON string spells, and false when raw is no
// string, or one that holds bytes that are no UTF-8 or half a surrogate pair.
func String(raw []byte) (string, bool) {
	raw = trimmed(raw)
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') >= 0 {
		unescaped, ok := unescape(nil, inner)
		return string(unescaped), ok && utf8.Valid(unescaped)
	}
	return string(inner), utf8.Valid(inner)
}

// unescape appends to dst what the inside of a string spells.
func unescape(dst, inner []byte) ([]byte, bool) {
	for {
		at := bytes.IndexByte(inner, '\\')
		if at < 0 {
			return append(dst, inner...), true
		}
		dst = append(dst, inner[:at]...)
		r, size, ok := escaped(inner, at)
		if !ok {
			return dst, false
		}
		dst = utf8.AppendRune(dst, r)
		inner = inner[at+size:]
	}
}

// escaped reads the escape sequence at i and gives its length.
func escaped(text []byte, i int) (r rune, size int, ok bool) {
	switch c := peek(text, i+1); c {
	case '"', '\\', '/':
		return rune(c), 2, true
	case 'b':
		return '\b', 2, true
	case 'f':
		return '\f', 2, true
	case 'n':
		return '\n', 2, true
	case 'r':
		return '\r', 2, true
	case 't':
		return '\t', 2, true
	case 'u':
		return unicodeEscape(text, i)
	}
	return 0, 0, false
}

// unicodeEscape reads \uXXXX at i, or two of them where the first is the high
// half of a surrogate pair. Half a pair alone is refused.
func unicodeEscape(text []byte, i int) (r rune, size int, ok bool) {
	r, ok = hex4(text, i+2)
	if !ok || !utf16.IsSurrogate(r) {
		return r, 6, ok
	}
	if peek(text, i+6) != '\\' || peek(text, i+7) != 'u' {
		return 0, 0, false
	}
	low, ok := hex4(text, i+8)
	pair := utf16.DecodeRune(r, low)
	return pair, 12, ok && pair != utf8.RuneError
}

// hex4 reads four hexadecimal digits.
func hex4(text []byte, i int) (r rune, ok bool) {
	for k := range 4 {
		switch c := peek(text, i+k); {
		case isDigit(c):
			r = r<<4 + rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 + rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 + rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// nameBytes is the name that a quoted one spells; a part of it where nothing
// is escaped.
func nameBytes(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	unescaped, _ := unescape(nil, inner)
	return unescaped
}

// nameOf is the name that a quoted one spells.
func nameOf(quoted []byte) string { return string(nameBytes(quoted)) }

// nameIs reports whether a quoted name spells name.
func nameIs(quoted []byte, name string) bool { return string(nameBytes(quoted)) == name }

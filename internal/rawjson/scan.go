package rawjson

import (
	"encoding/binary"
	"math/bits"
)

// The functions here step over text that is taken to be well formed. Each
// gets a position and gives the one after what it stepped over, which is the
// end of the text where something is missing.

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func skipSpace(text []byte, i int) int {
	for i < len(text) && isSpace(text[i]) {
		i++
	}
	return i
}

// peek is the byte at i, 0 at the end.
func peek(text []byte, i int) byte {
	if i < len(text) {
		return text[i]
	}
	return 0
}

// skipPlain steps over bytes that mean themselves inside a string: ASCII but
// for control characters, the quote and the backslash. It looks at eight
// bytes at a time.
func skipPlain(text []byte, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(text); i += 8 {
		word := binary.LittleEndian.Uint64(text[i:])
		quote, back := word^(ones*'"'), word^(ones*'\\')
		// The lowest top bit set marks the first byte that is not plain;
		// those above it may be left over from a borrow.
		special := (word | (word-ones*' ')&^word | (quote-ones)&^quote | (back-ones)&^back) & tops
		if special != 0 {
			return i + bits.TrailingZeros64(special)/8
		}
	}
	for i < len(text) && ' ' <= text[i] && text[i] < 0x80 && text[i] != '"' && text[i] != '\\' {
		i++
	}
	return i
}

// skipString steps over the string whose opening quote is at i.
func skipString(text []byte, i int) int {
	i++
	for {
		i = skipPlain(text, i)
		switch {
		case i >= len(text):
			return len(text)
		case text[i] == '"':
			return i + 1
		case text[i] == '\\':
			i += 2
		default:
			i++
		}
	}
}

// skipValue steps over the value that begins at i.
func skipValue(text []byte, i int) int {
	switch peek(text, i) {
	case '"':
		return skipString(text, i)
	case '{', '[':
		return skipContainer(text, i)
	}
	for i < len(text) && !isSpace(text[i]) && text[i] != ',' && text[i] != ']' && text[i] != '}' {
		i++
	}
	return i
}

func skipContainer(text []byte, i int) int {
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = skipString(text, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(text)
}

// trimmed is the value in text without the white space around it.
func trimmed(text []byte) []byte {
	i := skipSpace(text, 0)
	end := skipValue(text, i)
	return text[i:end:end]
}

// Compact appends text to dst without the white space between its tokens. dst
// may be the beginning of text itself: nothing is written before it is read.
func Compact(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && !isSpace(text[i]) {
			if text[i] == '"' {
				i = skipString(text, i)
			} else {
				i++
			}
		}
		dst = append(dst, text[start:i]...)
		i = skipSpace(text, i)
	}
	return dst
}

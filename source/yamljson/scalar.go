package yamljson

import (
	"bytes"
	"math/big"
	"strings"
)

// isNumber reports whether text is a number of JSON's grammar.
func isNumber(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("-"))
	whole := digits(text)
	if whole == 0 || whole > 1 && text[0] == '0' {
		return false
	}
	text = text[whole:]
	if len(text) > 0 && text[0] == '.' {
		n := digits(text[1:])
		if n == 0 {
			return false
		}
		text = text[1+n:]
	}
	if len(text) > 0 && (text[0] == 'e' || text[0] == 'E') {
		text = text[1:]
		if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		n := digits(text)
		return n > 0 && n == len(text)
	}
	return len(text) == 0
}

func digits(text []byte) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// plain reads an unquoted YAML scalar by the core schema.
func plain(text string) *Node {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return &Node{Kind: Null, Raw: []byte("null")}
	case "true", "True", "TRUE":
		return &Node{Kind: Bool, Raw: []byte("true")}
	case "false", "False", "FALSE":
		return &Node{Kind: Bool, Raw: []byte("false")}
	}
	if number := plainNumber(text); number != nil {
		return &Node{Kind: Number, Raw: number}
	}
	return quotedNode(text)
}

func quotedNode(text string) *Node {
	return &Node{Kind: String, Raw: AppendString(make([]byte, 0, len(text)+2), text)}
}

// plainNumber spells a number of the core schema as JSON, as it was spelled
// where JSON allows that; nil for what is no number.
func plainNumber(text string) []byte {
	if strings.IndexByte("+-.0123456789", text[0]) < 0 {
		return nil
	}
	if isNumber([]byte(text)) {
		return []byte(text)
	}
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0o") {
		return based(text)
	}
	return mended(text)
}

// based reads 0x1F and 0o17.
func based(text string) []byte {
	base := 16
	if text[1] == 'o' {
		base = 8
	}
	if len(text) == 2 || strings.IndexByte("+-_", text[2]) >= 0 {
		return nil
	}
	n, ok := new(big.Int).SetString(text[2:], base)
	if !ok {
		return nil
	}
	return []byte(n.String())
}

// mended spells +5, 007, .5, 1. and 1.e3 as JSON does.
func mended(text string) []byte {
	sign, rest := "", strings.TrimPrefix(text, "+")
	if strings.HasPrefix(rest, "-") && rest == text {
		sign, rest = "-", rest[1:]
	}
	whole := digits([]byte(rest))
	digitsBefore, tail := rest[:whole], rest[whole:]
	digitsBefore = strings.TrimLeft(digitsBefore, "0")
	if digitsBefore == "" {
		digitsBefore = "0"
	}
	if strings.HasPrefix(tail, ".") {
		after := digits([]byte(tail[1:]))
		if whole == 0 && after == 0 {
			return nil
		}
		if after == 0 {
			tail = tail[1:]
		}
	} else if whole == 0 {
		return nil
	}
	if out := []byte(sign + digitsBefore + tail); isNumber(out) {
		return out
	}
	return nil
}

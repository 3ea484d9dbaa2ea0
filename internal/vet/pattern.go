package vet

import (
	"strings"
	"unicode/utf8"
)

// spelt is what a regular expression spells out for whoever reads it as text:
// the letters that it takes, with spaces where it takes any, and an end of
// sentence between what it takes one or the other of.
func spelt(pattern string) string {
	var b strings.Builder
	rs := []rune(pattern)
	for i := 0; i < len(rs); i++ {
		switch r := rs[i]; r {
		case '\\':
			if i++; i < len(rs) {
				b.WriteString(escaped(rs[i]))
			}
		case '[':
			end := i + 1
			for end < len(rs) && (rs[end] != ']' || end == i+1) {
				if rs[end] == '\\' {
					end++
				}
				end++
			}
			b.WriteString(oneOf(string(rs[min(i+1, len(rs)):min(end, len(rs))])))
			i = end
		case '{':
			for i < len(rs) && rs[i] != '}' {
				i++
			}
		case '|':
			b.WriteString(". ")
		case '(':
			if i+2 < len(rs) && rs[i+1] == '?' { // (?: and its like
				i += 2
			}
		case ')', '^', '$', '?', '*', '+':
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escaped is what stands for an escape.
func escaped(r rune) string {
	switch r {
	case 's', 'n', 't', 'r', 'W', ' ':
		return " "
	case 'b', 'B', 'd', 'D', 'w', 'S', 'p', 'P', 'u', 'x', 'A', 'z', 'Z':
		return ""
	}
	return string(r)
}

// oneOf stands for a class: a space where it holds one, and else the first that
// it names.
func oneOf(class string) string {
	if strings.Contains(class, " ") || strings.Contains(class, `\s`) {
		return " "
	}
	if class == "" || class[0] == '^' || class[0] == '\\' {
		return ""
	}
	_, n := utf8.DecodeRuneInString(class)
	return class[:n]
}

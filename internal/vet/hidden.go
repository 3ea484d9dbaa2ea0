package vet

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class of a character that nobody sees.
type unseenClass uint8

const (
	seen      unseenClass = iota
	isTag                 // U+E0000–U+E007F, a whole alphabet without shapes
	isZero                // zero width: joiners, spaces, fillers, operators
	isBidi                // changes the order of what is shown
	isSelect              // chooses the shape of the character before it
	isControl             // C0, C1 and escape codes
)

func classOf(r rune) unseenClass {
	switch {
	case r >= 0x20 && r < 0x7F, r == '\n', r == '\t', r == '\r':
		return seen
	case r < 0x20 || r >= 0x7F && r < 0xA0 && r != 0x85:
		return isControl
	case r < 0x34F || r == unicode.ReplacementChar:
		return seen
	case r >= 0xE0000 && r <= 0xE007F:
		return isTag
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF, r >= 0x180B && r <= 0x180D, r == 0x180F:
		return isSelect
	case r == 0x200E, r == 0x200F, r == 0x061C, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return isBidi
	case r >= 0x200B && r <= 0x200D, r >= 0x2060 && r <= 0x2065, r >= 0x206A && r <= 0x206F, r == 0xFEFF:
		return isZero
	}
	return fillers(r)
}

// fillers are the rest of what has no shape.
func fillers(r rune) unseenClass {
	switch {
	case r == 0x034F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x180E, r == 0x2800, r == 0x3164, r == 0xFFA0,
		r >= 0xFFF9 && r <= 0xFFFB, r >= 0x1BCA0 && r <= 0x1BCA3, r >= 0x1D173 && r <= 0x1D17A, r >= 0xE0080 && r <= 0xE0FFF:
		return isZero
	}
	return seen
}

func unseen(r rune) bool { return classOf(r) != seen }

func codePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }

// checkHidden reports the unseen characters of a text that no script, emoji or
// direction of writing accounts for.
func checkHidden(t text) []Flag {
	if plain(t.value) {
		return nil
	}
	found := map[string]*tally{}
	var order []string
	runes := []rune(t.value)
	rtl := hasRTL(runes)
	for i, r := range runes {
		rule := judge(runes, i, rtl)
		if rule == "" {
			continue
		}
		if found[rule] == nil {
			found[rule] = &tally{}
			order = append(order, rule)
		}
		found[rule].add(r)
	}
	if bidi := found[ruleBidi]; bidi == nil && rtl && !balanced(runes) {
		found[ruleBidi] = &tally{}
		found[ruleBidi].add(0x2066)
		order = append(order, ruleBidi)
	}
	var flags []Flag
	for _, rule := range order {
		flags = append(flags, flag(rule, t.pointer, found[rule].String(), found[rule].severity(rule)))
	}
	return flags
}

// plain reports a text of visible ASCII, which most are.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7F || c < 0x20 && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// judge gives the rule that the character at i breaks; empty where it has its
// reason to be there.
func judge(runes []rune, i int, rtl bool) string {
	switch classOf(runes[i]) {
	case isTag:
		if inFlag(runes, i) {
			return ""
		}
		return ruleTags
	case isZero:
		if zeroBelongs(runes, i) {
			return ""
		}
		return ruleInvisible
	case isBidi:
		if rtl && !overrides(runes[i]) {
			return ""
		}
		return ruleBidi
	case isSelect:
		if selectorBelongs(runes, i) {
			return ""
		}
		return ruleSelectors
	case isControl:
		return ruleControl
	}
	return ""
}

// overrides reports the two controls that turn letters round whatever their
// script; no writing needs them.
func overrides(r rune) bool { return r == 0x202D || r == 0x202E }

func hasRTL(runes []rune) bool {
	for _, r := range runes {
		if unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko) && unicode.IsLetter(r) {
			return true
		}
	}
	return false
}

// balanced reports whether every embedding and isolate is closed.
func balanced(runes []rune) bool {
	embeddings, isolates := 0, 0
	for _, r := range runes {
		switch r {
		case 0x202A, 0x202B:
			embeddings++
		case 0x202C:
			embeddings--
		case 0x2066, 0x2067, 0x2068:
			isolates++
		case 0x2069:
			isolates--
		}
	}
	return embeddings == 0 && isolates == 0
}

// maxFlag is the number of letters and digits of the longest flag.
const maxFlag = 6

// inFlag reports a tag that is part of a flag of a region: a black flag, three
// to six letters or digits, the cancel tag.
func inFlag(runes []rune, i int) bool {
	start, end := i, i
	for start > 0 && classOf(runes[start-1]) == isTag && i-start <= maxFlag {
		start--
	}
	for end < len(runes) && classOf(runes[end]) == isTag && runes[end] != 0xE007F && end-start <= maxFlag {
		end++
	}
	if start == 0 || runes[start-1] != 0x1F3F4 || end == len(runes) || runes[end] != 0xE007F || i > end {
		return false
	}
	return end-start >= 3 && end-start <= maxFlag
}

// zeroBelongs reports whether a character without width does its work: it joins
// emoji, shapes letters of scripts that are joined, or parts words of scripts
// that are written without spaces.
func zeroBelongs(runes []rune, i int) bool {
	before, after := neighbour(runes, i, -1), neighbour(runes, i, +1)
	switch runes[i] {
	case 0x200D:
		return pictorial(before) && pictorial(after) || joining(before) && (joining(after) || after == 0 || !unicode.IsLetter(after))
	case 0x200C:
		return joining(before) && (joining(after) || after == 0 || !unicode.IsLetter(after))
	case 0x200B:
		return unspaced(before) && unspaced(after)
	case 0x17B4, 0x17B5:
		return unicode.Is(unicode.Khmer, before)
	case 0x180E:
		return unicode.Is(unicode.Mongolian, before)
	case 0x2800:
		return braille(before) || braille(after)
	case 0x115F, 0x1160:
		return unicode.Is(unicode.Hangul, before) || unicode.Is(unicode.Hangul, after)
	case 0x034F:
		return unicode.IsMark(before) && unicode.IsMark(after)
	}
	return false
}

func braille(r rune) bool { return r > 0x2800 && r <= 0x28FF }

// neighbour is the nearest character on one side, over selectors and marks of
// skin; 0 at the end of the text. A second unseen one in a row is itself.
func neighbour(runes []rune, i, step int) rune {
	for j := i + step; j >= 0 && j < len(runes); j += step {
		if r := runes[j]; classOf(r) != isSelect && (r < 0x1F3FB || r > 0x1F3FF) && r != 0x20E3 {
			return r
		}
	}
	return 0
}

// pictorial reports what a joiner may join into one emoji.
func pictorial(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2190 && r <= 0x2BFF || r == 0x00A9 || r == 0x00AE || r == 0x3030 || r == 0x303D || r >= 0xE0020 && r <= 0xE007F
}

// joining reports a letter or mark of a script in which joiners shape letters.
func joining(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
		unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Khmer, unicode.Myanmar)
}

// unspaced reports a script that puts no space between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// selectorBelongs reports whether a selector stands, alone, behind something
// that has a second shape.
func selectorBelongs(runes []rune, i int) bool {
	if i == 0 {
		return false
	}
	r, base := runes[i], runes[i-1]
	switch {
	case classOf(base) != seen:
		return false
	case r >= 0xE0100:
		return unicode.Is(unicode.Han, base)
	case r >= 0x180B && r <= 0x180F:
		return unicode.Is(unicode.Mongolian, base)
	case r == 0xFE0E || r == 0xFE0F:
		return base == '#' || base == '*' || base >= '0' && base <= '9' || base >= 0xA0 && !unicode.IsLetter(base) || base == 0x2139 || base == 0x24C2
	}
	return base >= 0xA0 && !unicode.IsSpace(base)
}

// tally counts characters by code point.
type tally struct {
	order []rune
	count map[rune]int
	total int
}

func (t *tally) add(r rune) {
	if t.count == nil {
		t.count = map[rune]int{}
	}
	if t.count[r] == 0 {
		t.order = append(t.order, r)
	}
	t.count[r]++
	t.total++
}

const maxCodePoints = 8

func (t *tally) String() string {
	var parts []string
	for i, r := range t.order {
		if i == maxCodePoints {
			parts = append(parts, fmt.Sprintf("and %d more", len(t.order)-i))
			break
		}
		part := codePoint(r)
		if n := t.count[r]; n > 1 {
			part += fmt.Sprintf(" ×%d", n)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// severity lets a single stray selector, which a keyboard leaves behind, off
// with a review.
func (t *tally) severity(rule string) Severity {
	if rule == ruleSelectors && t.total == 1 {
		return Review
	}
	return Quarantine
}

// Hidden gives the code points of unseen characters of JSON texts, in the order
// met, that have no business there: "U+200B ×2, U+202E". Escapes count as what
// they spell. Empty where there is none.
func Hidden(raw ...[]byte) string {
	all := &tally{}
	for _, text := range raw {
		if !mayHide(text) {
			continue
		}
		var ts texts
		ts.json("", text, 0)
		for _, t := range ts {
			tallyHidden(all, t.value)
		}
	}
	return all.String()
}

// mayHide is the quick look: bytes beyond ASCII, or an escape.
func mayHide(text []byte) bool {
	for i, c := range text {
		if c >= utf8.RuneSelf || c == 0x7F || c == '\\' && i+1 < len(text) && text[i+1] != '"' && text[i+1] != 'n' {
			return true
		}
	}
	return false
}

func tallyHidden(all *tally, value string) {
	if plain(value) {
		return
	}
	tallyRunes(all, []rune(value))
}

func tallyRunes(all *tally, runes []rune) {
	rtl := hasRTL(runes)
	for i, r := range runes {
		if judge(runes, i, rtl) != "" {
			all.add(r)
		}
	}
}

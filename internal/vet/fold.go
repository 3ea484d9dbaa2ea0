package vet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold brings a text into the one form that is read for meaning: compatibility
// forms composed, letters small and without accents, look-alikes inside Latin
// words made Latin, nothing unseen, one space between words and none between
// characters of scripts that have none.
func fold(s string) string {
	if plain(s) {
		return spaced(strings.ToLower(s))
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKC.String(strings.Map(named, s)) {
		if unseen(r) || r == 0xAD || r == 0x0640 {
			continue
		}
		foldRune(&b, r)
	}
	return spaced(latinised(b.String()))
}

// named turns the letters that NFKC leaves in their boxes into letters.
func named(r rune) rune {
	switch {
	case r >= 0x1F150 && r <= 0x1F169:
		return 'a' + r - 0x1F150
	case r >= 0x1F170 && r <= 0x1F189:
		return 'a' + r - 0x1F170
	case r >= 0x1F1E6 && r <= 0x1F1FF:
		return 'a' + r - 0x1F1E6
	case r >= 0xE0020 && r <= 0xE007E: // what tags spell
		return r - 0xE0000
	}
	return r
}

func foldRune(b *strings.Builder, r rune) {
	r = unicode.ToLower(r)
	switch {
	case r < utf8.RuneSelf:
		b.WriteRune(r)
	case r == '’' || r == '‘' || r == 'ʼ' || r == '`' || r == '´':
		b.WriteByte('\'')
	case unicode.Is(unicode.Mn, r) && !carried(r):
		// an accent
	case unicode.Is(unicode.Latin, r) && latinOf(r) < utf8.RuneSelf:
		b.WriteRune(latinOf(r)) // small capitals
	case r < 0x0590 || r >= 0x1E00 && r < 0x2000:
		b.WriteString(bare(r))
	default:
		b.WriteRune(alike(r))
	}
}

// carried reports marks that are letters of their own: vowels of Indic and
// Thai writing, voicing of kana.
func carried(r rune) bool {
	return r >= 0x0900 && r < 0x1AB0 || r == 0x3099 || r == 0x309A
}

// bare is a letter of an alphabet without what stands above and below it.
func bare(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'ł':
		return "l"
	case 'ı':
		return "i"
	}
	for _, part := range norm.NFD.String(string(r)) {
		return string(part)
	}
	return string(r)
}

// alike joins the spellings of a letter that writers of Arabic and Persian mix.
func alike(r rune) rune {
	switch r {
	case 'أ', 'إ', 'آ', 'ٱ':
		return 'ا'
	case 'ى', 'ي':
		return 'ی'
	case 'ك':
		return 'ک'
	case 'ة':
		return 'ه'
	}
	return r
}

// latinised makes look-alikes Latin inside words that hold Latin letters.
func latinised(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	start := 0
	flush := func(end int) {
		if word := s[start:end]; plain(word) || !hasLatin(word) {
			b.WriteString(word)
		} else {
			b.WriteString(strings.Map(latinOf, word))
		}
		start = end
	}
	for i, r := range s {
		if unicode.IsSpace(r) {
			flush(i)
		}
	}
	flush(len(s))
	return b.String()
}

func hasLatin(word string) bool {
	for _, r := range word {
		if r >= 'a' && r <= 'z' {
			return true
		}
	}
	return false
}

// spaced leaves one space between words, and none between characters of
// scripts that are written without, or in which spaces are set at will.
func spaced(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap, last := false, rune(0)
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap = true
			continue
		}
		if gap && last != 0 && (!dense(last) || !dense(r)) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		gap, last = false, r
	}
	return b.String()
}

// dense reports scripts whose words are found anywhere, spaces or not.
func dense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// loose reports scripts whose words carry others at both ends: a word of the
// vocabulary may stand inside one.
func loose(r rune) bool {
	return r >= 0x0590 && (dense(r) || r == 'ー' || unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Devanagari))
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// compact keeps the letters of a folded text, and none of what parts them.
func compact(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := range len(s) {
		if c := s[i]; c >= 'a' && c <= 'z' {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unleet reads the digits and signs that stand for letters.
func unleet(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '0':
			return 'o'
		case '1', '!', '|':
			return 'i'
		case '3', '€':
			return 'e'
		case '4', '@':
			return 'a'
		case '5', '$':
			return 's'
		case '7', '+':
			return 't'
		case '9':
			return 'g'
		}
		return r
	}, s)
}

package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Language is what a need is written in, as far as it matters here: everything
// in Latin letters is read as English.
type Language int

// The languages.
const (
	English Language = iota
	Korean
	Japanese
)

// String gives the language's tag.
func (l Language) String() string { return [...]string{"en", "ko", "ja"}[l] }

// maxRead bounds the bytes of a text that are read for its language, acts and
// values: what a need asks for stands near its beginning.
const maxRead = 4 << 10

// nativeShare is the share of Hangul, Kana and Han letters from which a text is
// not English: an English need may hold a foreign name.
const nativeShare = 0.15

// LanguageOf gives the language of a text. Han letters alone read as Japanese.
func LanguageOf(text string) Language {
	var hangul, kana, han, all int
	for _, r := range Clip(text, maxRead) {
		switch {
		case r < utf8.RuneSelf && classOf(r) != digit && classOf(r) != other:
		case !unicode.IsLetter(r):
			continue
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		}
		all++
	}
	native := hangul + kana + han
	switch {
	case native == 0 || float64(native) < nativeShare*float64(all):
		return English
	case hangul >= kana+han:
		return Korean
	}
	return Japanese
}

// Clip cuts a text to n bytes, at a character's end.
func Clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// FirstSentence gives the text up to its first full stop or line's end.
func FirstSentence(text string) string {
	for i, r := range text {
		if r == '\n' || r == '。' || (r == '.' && i+1 < len(text) && text[i+1] == ' ') {
			return text[:i]
		}
	}
	return text
}

// latinWords gives the runs of ASCII letters, in lower case, identifiers split
// at their capitals; no more than limit, where it is not 0.
func latinWords(text string, limit int) []string {
	var out []string
	var word []byte
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	for i := range len(text) {
		if limit > 0 && len(out) >= limit {
			return out[:limit]
		}
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z':
			word = append(word, c)
		case c >= 'A' && c <= 'Z':
			if n := len(word); n > 0 && word[n-1] >= 'a' && word[n-1] <= 'z' {
				flush()
			}
			word = append(word, c)
		default:
			flush()
		}
	}
	flush()
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out
}

func endsInHangul(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r >= 0xAC00 && r <= 0xD7A3
}

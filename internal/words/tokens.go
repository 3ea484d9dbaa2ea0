// Package words reads texts: the terms that search compares, and of a need the
// language it is written in, the operations it asks for, and the values it
// holds. It promises the same answer for the same text, in time that grows with
// the text alone; it knows no tool, no source and no registry.
//
//	words.Tokens("getUserNames")             // get user name
//	words.Read("내일 9시에 회의 취소해줘").Operations // cancel
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTokens bounds the tokens taken from one text.
const maxTokens = 4096

// Tokens splits a text into search terms: NFKC, lower case, identifiers split
// at case and punctuation, English words lightly stemmed and stop words
// dropped, Han, Kana and Hangul as two-character pieces.
func Tokens(text string) []string {
	if plain(text) {
		return plainTokens(text)
	}
	var t tokenizer
	for _, r := range norm.NFKC.String(text) {
		t.add(r)
		if len(t.out) >= maxTokens {
			break
		}
	}
	t.flush()
	return t.out
}

// plain reports whether a text is of ASCII alone.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// plainTokens gives the terms of a text that is of ASCII alone.
func plainTokens(text string) []string {
	var out []string
	start, last, i := 0, other, 0
	for ; i < len(text) && len(out) < maxTokens; i++ {
		c := plainClass[text[i]]
		switch {
		case c == other:
			if last != other {
				out = plainTerm(out, text[start:i])
			}
		case last == other:
			start = i
		case c == last:
		case c == lower && last == upper: // of capitals the last one begins the word
			if i-start > 1 {
				out = plainTerm(out, text[start:i-1])
				start = i - 1
			}
		default:
			out = plainTerm(out, text[start:i])
			start = i
		}
		last = c
	}
	if last != other {
		out = plainTerm(out, text[start:i])
	}
	return out
}

// plainTerm adds the term of one word. It keeps nothing of the text: what is
// kept of terms must not hold whole texts.
func plainTerm(out []string, word string) []string {
	var buf [64]byte
	low := buf[:0]
	for i := range len(word) {
		c := word[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		low = append(low, c)
	}
	if stop[string(low)] {
		return out
	}
	return append(out, Stem(string(low)))
}

// class is the kind of character that a word is made of.
type class int

const (
	other class = iota
	lower
	upper
	digit
	cjk
)

type tokenizer struct {
	out  []string
	word []rune
	last class
}

// plainClass gives the class of each ASCII character.
var plainClass = func() (out [utf8.RuneSelf]class) {
	for c := range out {
		switch {
		case c >= '0' && c <= '9':
			out[c] = digit
		case c >= 'A' && c <= 'Z':
			out[c] = upper
		case c >= 'a' && c <= 'z':
			out[c] = lower
		}
	}
	return out
}()

func classOf(r rune) class {
	switch {
	case r >= 0 && r < utf8.RuneSelf:
		return plainClass[r]
	case r >= '가' && r <= '힣', r >= '一' && r <= '鿿', r >= 'ぁ' && r <= 'ゖ', r >= 'ァ' && r <= 'ヺ': // nearly all there is
		return cjk
	case unicode.IsDigit(r):
		return digit
	case unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー' || r == '々':
		return cjk
	case unicode.IsUpper(r):
		return upper
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return lower
	}
	return other
}

// add takes one character; a change of class ends a word, except that capitals
// before small letters stay together ("HTTPServer" is http, server).
func (t *tokenizer) add(r rune) {
	c := classOf(r)
	switch {
	case c == other:
		t.flush()
	case c == t.last || len(t.word) == 0:
		t.word = append(t.word, r)
	case c == lower && t.last == upper:
		if n := len(t.word); n > 1 {
			head := t.word[n-1]
			t.word = t.word[:n-1]
			t.flush()
			t.word = append(t.word, head)
		}
		t.word = append(t.word, r)
	default:
		t.flush()
		t.word = append(t.word, r)
	}
	t.last = c
}

func (t *tokenizer) flush() {
	if len(t.word) == 0 {
		return
	}
	if classOf(t.word[0]) == cjk {
		t.bigrams()
	} else if w := strings.ToLower(string(t.word)); !stop[w] {
		t.out = append(t.out, Stem(w))
	}
	t.word = t.word[:0]
}

func (t *tokenizer) bigrams() {
	if len(t.word) == 1 {
		t.out = append(t.out, string(t.word))
		return
	}
	for i := 0; i+1 < len(t.word); i++ {
		t.out = append(t.out, string(t.word[i:i+2]))
	}
}

// IsCJK reports whether a term is of a script that is written without the
// letters most tools are described in.
func IsCJK(term string) bool {
	for _, r := range term {
		return classOf(r) == cjk
	}
	return false
}

// stop holds words that say nothing about which tool is meant.
var stop = set(`a an and are as at be been but by can could did do does for from had has have how i if in into is it its
	me my no not of on or our please shall should so some than that the their them then there these they this those to
	us was we were what when where which who whom whose why will with would you your want need like use using via let`)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// Stem takes English plural and verb endings off a lower-case word. It is
// light on purpose: two different words seldom meet.
func Stem(w string) string {
	n := len(w)
	switch {
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "xes")):
		return w[:n-2]
	case n > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return verb(w[:n-1])
	}
	return verb(w)
}

func verb(w string) string {
	n := len(w)
	switch {
	case n > 5 && strings.HasSuffix(w, "ing"):
		return undouble(w[:n-3])
	case n > 4 && strings.HasSuffix(w, "ed") && w[n-3] != 'e':
		return undouble(w[:n-2])
	case n > 4 && strings.HasSuffix(w, "e"):
		return w[:n-1]
	}
	return w
}

// undouble makes "stopp" "stop" and leaves "call" alone.
func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return strings.TrimSuffix(w, "e")
}

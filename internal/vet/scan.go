package vet

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// hit is a term of the vocabulary, or a literal, found in a folded text.
// Places count half words: a word is two, a character of a script without
// spaces one, the end of a sentence sentenceGap more.
type hit struct {
	class    class
	from, to int // bytes of the folded text
	at, end  int // place of the first half word, and the one behind the last
}

const (
	perWord     = 2
	sentenceGap = 3 * perWord
)

// term is one entry of the vocabulary, folded.
type term struct {
	text   string
	class  class
	prefix bool // the word may go on
}

// lexicon finds the terms that begin with two given characters.
type lexicon map[[2]rune][]term

var words = sync.OnceValue(func() lexicon {
	lex := lexicon{}
	for _, row := range vocabulary {
		for _, text := range strings.Split(row.terms, "|") {
			text, prefix := strings.CutSuffix(strings.TrimSpace(text), "*")
			t := term{text: fold(text), class: row.class, prefix: prefix}
			key := keyAt(t.text)
			lex[key] = append(lex[key], t)
		}
	}
	return lex
})

func keyAt(s string) [2]rune {
	a, n := utf8.DecodeRuneInString(s)
	b, _ := utf8.DecodeRuneInString(s[n:])
	return [2]rune{a, b}
}

// scan finds the terms and literals of a folded text, in its order.
func scan(s string) []hit {
	lex := words()
	var hits []hit
	literal := strings.Contains(s, "//") || strings.Contains(s, "@") || strings.Contains(s, "0x") || strings.Contains(s, "bc1") || strings.Contains(s, "+")
	place, before := 0, ' '
	for i, r := range s {
		begins := !wordly(before)
		switch {
		case loose(r) && dense(r):
			place++
		case wordly(r) && (begins || loose(before) != loose(r)):
			place += perWord
		case ends(r, s, i):
			place += sentenceGap
		}
		if begins || loose(r) || loose(before) {
			hits = lex.at(hits, s, i, place)
		}
		if literal && (begins || loose(before)) {
			hits = literals(hits, s, i, place)
		}
		before = r
	}
	return hits
}

// ends reports the end of a sentence: its sign with room behind it.
func ends(r rune, s string, i int) bool {
	switch r {
	case '。', '！', '？', '؟', '।':
		return true
	case '.', '!', '?':
		return i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '"' || s[i+1] == '\''
	}
	return false
}

// at adds the terms that begin at byte i, the longest of each class.
func (lex lexicon) at(hits []hit, s string, i, place int) []hit {
	first := len(hits)
	for _, t := range lex[keyAt(s[i:])] {
		if !strings.HasPrefix(s[i:], t.text) || !t.prefix && goesOn(s, i+len(t.text)) {
			continue
		}
		if (t.class == secret || t.class == files) && given(s[i:]) {
			continue
		}
		h := hit{t.class, i, i + len(t.text), place, place + widthOf(t.text)}
		same := slices.IndexFunc(hits[first:], func(had hit) bool { return had.class == t.class })
		switch {
		case same < 0:
			hits = append(hits, h)
		case hits[first+same].to < h.to:
			hits[first+same] = h
		}
	}
	return hits
}

// given reports a path to the half of a key that is meant to be given away.
func given(s string) bool {
	path, _, _ := strings.Cut(s, " ")
	return strings.HasSuffix(strings.TrimRight(path, ".,;:'\")"), ".pub")
}

// goesOn reports whether a word goes on at byte i. Scripts whose words carry
// others never do.
func goesOn(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	last, _ := utf8.DecodeLastRuneInString(s[:i])
	return i < len(s) && wordly(r) && !loose(r) && wordly(last)
}

func widthOf(s string) int {
	n, before := 0, ' '
	for _, r := range s {
		switch {
		case dense(r):
			n++
		case wordly(r) && (!wordly(before) || loose(before) != loose(r)):
			n += perWord
		}
		before = r
	}
	return n
}

// maxLiteral is how much of an address is looked at.
const maxLiteral = 256

// literals adds addresses that begin at byte i.
func literals(hits []hit, s string, i, place int) []hit {
	rest := s[i:min(len(s), i+maxLiteral)]
	end := i + len(rest)
	if n := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"'<>()`, r) || dense(r) }); n >= 0 {
		end = i + n
	}
	word := s[i:end]
	if before, size := utf8.DecodeLastRuneInString(s[:i]); size > 0 && !unicode.IsSpace(before) && !loose(before) && before != '\'' && before != '"' && before != '(' && before != '<' {
		return hits // the middle of a word
	}
	c := mailbox
	switch {
	case strings.HasPrefix(word, "http://"), strings.HasPrefix(word, "https://"), strings.HasPrefix(word, "ftp://"), strings.HasPrefix(word, "//") && strings.Contains(word, "."):
		if c = address; !goal(s[:i], s[end:]) {
			return hits
		}
	case !isMail(word) && !isWallet(word) && !isPhone(word):
		return hits
	}
	return append(hits, hit{c, i, end, place, place + perWord}, hit{sink, i, end, place, place + perWord})
}

// goals are the words before an address that something goes to.
var goals = []string{"to", "at", "via", "into", "a", "an", "para", "vers", "nach", "naar", "na", "на", "до", "do", "ke", "den", "toi", "إلى", "الی", "به", "אל", "ל", "till", "til", "pour", "su", "em"}

// goal reports whether an address is where something goes, not a reference.
func goal(before, after string) bool {
	before = strings.TrimRight(before, " '\"(<")
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " '\")>"))
	if loose(last) || loose(next) {
		return true
	}
	return slices.Contains(goals, before[strings.LastIndexByte(before, ' ')+1:])
}

func isMail(word string) bool {
	user, host, ok := strings.Cut(strings.TrimRight(word, ".,;:!?"), "@")
	return ok && user != "" && strings.Contains(host, ".") && !strings.ContainsAny(host, "/@")
}

// isPhone reports a number with its country in front.
func isPhone(word string) bool {
	digits, ok := strings.CutPrefix(strings.TrimRight(word, ".,;:!?"), "+")
	return ok && len(digits) >= 8 && strings.Trim(digits, "0123456789") == ""
}

// isWallet reports a literal account of money: 0x and forty hexadecimal digits,
// or a Bitcoin address of the newer form.
func isWallet(word string) bool {
	word = strings.TrimRight(word, ".,;:!?")
	if rest, ok := strings.CutPrefix(word, "0x"); ok {
		return len(rest) == 40 && strings.Trim(rest, "0123456789abcdef") == ""
	}
	return strings.HasPrefix(word, "bc1") && len(word) > 30
}

// Package lexicon turns Korean and Japanese words into English ones: a general
// vocabulary learned from strings of interfaces that their publishers translate
// themselves, made without sight of any need or tool. It promises the same
// words for the same text, without network or disk; it refuses nothing, and
// knows only words. SOURCES.md names where the pairs came from.
//
//	lex, err := lexicon.Load()
//	lex.Gloss("새 사용자를 팀에 초대해줘") // new .95, team .82, invite .55, invitation .34
package lexicon

import (
	"cmp"
	_ "embed" // carries the vocabulary
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock"
)

//go:embed lexicon.tsv
var entries string

//go:embed rules.json
var rulesText []byte

const name = "lexicon/1"

// Word is an English word; its weight is the expected uses of it for each use
// of the source word.
type Word = interlock.GlossWord

// Lexicon is the vocabulary. It is immutable and safe for concurrent use.
type Lexicon struct {
	korean, japanese map[string][]Word
	suffixes         []string
	short, keep      map[string]bool
	own              []Entry // an operator's, in his order
	label            string  // the name with them; empty without
}

// Name names the vocabulary, with its version.
func (l *Lexicon) Name() string { return cmp.Or(l.label, name) }

// Load reads the vocabulary inside the program.
func Load() (*Lexicon, error) { return open(entries, rulesText) }

func open(table string, rules []byte) (*Lexicon, error) {
	l := &Lexicon{korean: map[string][]Word{}, japanese: map[string][]Word{}}
	var r struct {
		Suffixes []string `json:"ko_suffixes"`
		Short    []string `json:"ko_short_suffixes"`
		Keep     []string `json:"ko_keep"`
	}
	if err := json.Unmarshal(rules, &r); err != nil {
		return nil, fmt.Errorf("lexicon rules: %w", err)
	}
	l.suffixes, l.short, l.keep = r.Suffixes, setOf(r.Short), setOf(r.Keep)
	number := 0
	for line := range strings.Lines(table) {
		number++
		if line = strings.TrimSuffix(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		if err := l.add(line); err != nil {
			return nil, fmt.Errorf("lexicon, line %d: %w", number, err)
		}
	}
	return l, nil
}

func setOf(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, s := range list {
		out[s] = true
	}
	return out
}

// add reads one line: script, source word, English words, their weights, count.
func (l *Lexicon) add(line string) error {
	f := strings.Split(line, "\t")
	if len(f) != 5 {
		return fmt.Errorf("%d members, want 5", len(f))
	}
	into := l.korean
	switch f[0] {
	case "ko":
	case "ja":
		into = l.japanese
	default:
		return fmt.Errorf("script %q", f[0])
	}
	english, weights := strings.Split(f[2], ","), strings.Split(f[3], ",")
	if len(english) != len(weights) {
		return fmt.Errorf("%d words and %d weights", len(english), len(weights))
	}
	words := make([]Word, len(english))
	for i, w := range english {
		weight, err := strconv.ParseFloat(weights[i], 64)
		if err != nil || weight <= 0 || w == "" {
			return fmt.Errorf("word %q weighs %q", w, weights[i])
		}
		words[i] = Word{Text: w, Weight: weight}
	}
	into[f[1]] = words
	return nil
}

// MaxGlossed bounds the bytes of a text that are read.
const MaxGlossed = 4 << 10

// Gloss gives the English words of a Korean or Japanese text, each once with
// its greatest weight, in order of appearance. Latin words stand for
// themselves.
func (l *Lexicon) Gloss(text string) []Word {
	g := gloss{lexicon: l, at: map[string]int{}}
	if len(text) > MaxGlossed {
		text = strings.ToValidUTF8(text[:MaxGlossed], "")
	}
	g.owned(text)
	korean := strings.ContainsFunc(text, isHangul)
	runes := []rune(text)
	for i := 0; i < len(runes); {
		n := 1
		switch c := runes[i]; {
		case isLatin(c):
			n = run(runes[i:], func(r rune) bool { return isLatin(r) || r >= '0' && r <= '9' })
			g.put(Word{Text: strings.ToLower(string(runes[i : i+n])), Weight: 1})
		case isHangul(c):
			n = run(runes[i:], isHangul)
			g.korean(string(runes[i : i+n]))
		case korean:
		case isHan(c):
			han := run(runes[i:], isHan)
			kana := run(runes[i+han:], isHiragana)
			n = han + kana
			g.han(string(runes[i:i+han]), string(runes[i+han:i+n]))
		case isKatakana(c):
			n = run(runes[i:], isKatakana)
			g.katakana(string(runes[i : i+n]))
		case isHiragana(c):
			n = run(runes[i:], isHiragana)
			g.hiragana(runes[i : i+n])
		}
		i += n
	}
	return g.out
}

// gloss is a text on its way into English.
type gloss struct {
	lexicon *Lexicon
	out     []Word
	at      map[string]int
}

func (g *gloss) put(words ...Word) {
	for _, w := range words {
		if i, ok := g.at[w.Text]; ok {
			g.out[i].Weight = max(g.out[i].Weight, w.Weight)
			continue
		}
		g.at[w.Text] = len(g.out)
		g.out = append(g.out, w)
	}
}

func (g *gloss) korean(word string) {
	l := g.lexicon
	stem := l.stem(word)
	found := l.korean[stem]
	if found == nil {
		found = longest(l.korean, []rune(stem), 6, 2)
	}
	if len(found) == 0 && utf8.RuneCountInString(word) >= 3 {
		for _, w := range l.korean[string([]rune(word)[:2])+"~"] {
			found = append(found, Word{Text: w.Text, Weight: w.Weight * 0.7})
		}
	}
	g.put(found...)
}

// stem takes Korean endings off, at most three, the longest first. What is left
// has two syllables, or one where the ending is long or commonly stands on one.
func (l *Lexicon) stem(w string) string {
	for range 3 {
		cut := ""
		for _, s := range l.suffixes {
			if strings.HasSuffix(w, s) && l.comesOff(w, s) {
				cut = s
				break
			}
		}
		if cut == "" {
			break
		}
		w = w[:len(w)-len(cut)]
	}
	// A final double s is the past tense.
	last, size := utf8.DecodeLastRuneInString(w)
	if c := last - 0xAC00; c >= 0 && c%28 == 20 {
		return w[:len(w)-size] + string(last-20)
	}
	return w
}

func (l *Lexicon) comesOff(w, suffix string) bool {
	all, cut := utf8.RuneCountInString(w), utf8.RuneCountInString(suffix)
	left := all - cut
	return left > 0 && (left >= 2 || cut > 1 || l.short[suffix] && all == 2 && !l.keep[w])
}

func (g *gloss) han(word, tail string) {
	t := g.lexicon.japanese
	runes := []rune(word)
	if len(runes) == 1 {
		found := t[word]
		if tail != "" {
			if with := t[word+string([]rune(tail)[:1])]; with != nil {
				found = with
			}
		}
		g.put(found...)
		return
	}
	found := t[word]
	if found == nil {
		found = longest(t, runes, len(runes), 2)
	}
	g.put(found...)
}

func (g *gloss) katakana(word string) {
	t := g.lexicon.japanese
	if utf8.RuneCountInString(word) > 3 {
		word = strings.TrimRight(word, "ー")
	}
	found := t[word]
	if found == nil {
		runes := []rune(word)
		found = longest(t, runes, len(runes), 3)
	}
	g.put(found...)
}

func (g *gloss) hiragana(runes []rune) {
	if len(runes) < 3 {
		return
	}
	found := g.lexicon.japanese[string(runes[:min(4, len(runes))])]
	if found == nil {
		found = g.lexicon.japanese[string(runes[:3])]
	}
	g.put(found...)
}

// maxEntry bounds the characters of an entry that is looked for inside a word:
// longer ones are in no table.
const maxEntry = 24

// longest gives the entries met from left to right, the longest first.
func longest(t map[string][]Word, w []rune, hi, lo int) []Word {
	var out []Word
next:
	for i := 0; i < len(w); {
		for n := min(hi, maxEntry, len(w)-i); n >= lo; n-- {
			if found, ok := t[string(w[i:i+n])]; ok {
				out = append(out, found...)
				i += n
				continue next
			}
		}
		i++
	}
	return out
}

func run(text []rune, in func(rune) bool) int {
	n := 0
	for n < len(text) && in(text[n]) {
		n++
	}
	return n
}

func isLatin(r rune) bool    { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
func isHangul(r rune) bool   { return r >= '가' && r <= '힣' }
func isHan(r rune) bool      { return r >= '一' && r <= '鿿' || r == '々' }
func isHiragana(r rune) bool { return r >= 'ぁ' && r <= 'ん' }
func isKatakana(r rune) bool { return r >= 'ァ' && r <= 'ヶ' || r == 'ー' }

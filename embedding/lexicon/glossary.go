package lexicon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Entry is an operator's own word: what a need may say, and the English words
// that tools say for it.
type Entry struct {
	Word    string   `json:"word"`
	English []string `json:"english"`
}

// The limits of a glossary.
const (
	maxEntries = 2000
	maxWord    = 64 // characters
	maxEnglish = 5  // words of one entry
)

// With gives the vocabulary with an operator's entries, which come before it and
// weigh 1. The name changes with them, for scores do.
func (l *Lexicon) With(entries []Entry) (*Lexicon, error) {
	if len(entries) == 0 {
		return l, nil
	}
	if len(entries) > maxEntries {
		return nil, fmt.Errorf("%d entries, at most %d", len(entries), maxEntries)
	}
	out := *l
	h := sha256.New()
	for i, e := range entries {
		word := strings.ToLower(strings.TrimSpace(e.Word))
		switch n := utf8.RuneCountInString(word); {
		case !utf8.ValidString(word) || n < 2 || n > maxWord:
			return nil, fmt.Errorf("entry %d: a word has 2 to %d characters", i, maxWord)
		case len(e.English) == 0 || len(e.English) > maxEnglish:
			return nil, fmt.Errorf("entry %d: %q has 1 to %d English words", i, e.Word, maxEnglish)
		case slices.ContainsFunc(e.English, func(w string) bool { return strings.TrimSpace(w) == "" || len(w) > maxWord }):
			return nil, fmt.Errorf("entry %d: an English word of %q is empty or too long", i, e.Word)
		case slices.ContainsFunc(out.own, func(x Entry) bool { return x.Word == word }):
			return nil, fmt.Errorf("entry %d: %q stands twice", i, e.Word)
		}
		out.own = append(out.own[:len(out.own):len(out.own)], Entry{word, e.English})
		fmt.Fprintf(h, "%q %q\n", word, e.English)
	}
	out.label = l.Name() + "+glossary:" + hex.EncodeToString(h.Sum(nil)[:4])
	return &out, nil
}

// owned puts the operator's words that a text holds.
func (g *gloss) owned(text string) {
	text = strings.ToLower(text)
	for _, e := range g.lexicon.own {
		if strings.Contains(text, e.Word) {
			for _, w := range e.English {
				g.put(Word{Text: strings.ToLower(w), Weight: 1})
			}
		}
	}
}

package vet

import (
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// Clean takes the unseen characters that have no business there out of the
// strings of a JSON text, and says where it took which. Everything else keeps
// its spelling; names of members are left as they are, because two could become
// one.
func Clean(raw []byte) ([]byte, []interlock.Removed) {
	if !mayHide(raw) {
		return raw, nil
	}
	var removed []interlock.Removed
	out := rawjson.Rewrite(raw, func(at func() string, inner []byte) []byte {
		if !mayHide(inner) {
			return inner
		}
		left, gone := cleaned(inner)
		if gone.total == 0 {
			return inner
		}
		removed = append(removed, interlock.Removed{Pointer: at(), Characters: gone.String()})
		return left
	})
	return out, removed
}

// Spelled gives a text with what nobody would see in it as code points:
// "in<U+200B> a".
func Spelled(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unseen(r) {
			b.WriteString("<" + codePoint(r) + ">")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cleaned takes out what has no business in one string. Where that leaves
// something which had its reason in what is gone, everything unseen goes.
func cleaned(inner []byte) (left []byte, gone *tally) {
	var runes []rune
	var spelled [][]byte
	for r, raw := range rawjson.Runes(inner) {
		runes, spelled = append(runes, r), append(spelled, raw)
	}
	gone = &tally{}
	rtl := hasRTL(runes)
	kept := runes[:0:0]
	for i, r := range runes {
		if judge(runes, i, rtl) != "" {
			gone.add(r)
			continue
		}
		kept, left = append(kept, r), append(left, spelled[i]...)
	}
	again := &tally{}
	if tallyRunes(again, kept); again.total == 0 {
		return left, gone
	}
	left, gone = nil, &tally{}
	for i, r := range runes {
		if unseen(r) {
			gone.add(r)
			continue
		}
		left = append(left, spelled[i]...)
	}
	return left, gone
}

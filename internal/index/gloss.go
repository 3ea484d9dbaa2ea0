package index

import (
	"strings"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/words"
)

// weightGloss is what an English word weighs that a wording says in another
// language, against one that it holds, beside how surely it stands for it.
const weightGloss = 0.8

// surely is from where on an English word counts towards the direction of a
// wording in another language.
const surely = 0.3

// languageOf is the language that a wording is written in: that of what is said
// of the tool, and of its name where nothing is.
func languageOf(d Doc) words.Language {
	if d.Description == "" {
		return words.LanguageOf(d.Title + " " + d.Name)
	}
	return words.LanguageOf(d.Description)
}

// glossOf weighs the English words for a wording in another language that it
// does not hold itself.
func glossOf(d Doc, glosser interlock.Glosser, own map[string]float32) map[string]float32 {
	out := map[string]float32{}
	put := func(weight float64, texts ...string) {
		for _, text := range texts {
			if ascii(text) {
				continue
			}
			for _, g := range glosser.Gloss(text) {
				for _, t := range words.Tokens(g.Text) {
					if _, held := own[t]; !held {
						out[t] += float32(float64(weight*weightGloss) * g.Weight)
					}
				}
			}
		}
	}
	put(weightName, d.Name)
	put(weightAlias, d.Aliases...)
	put(weightTitle, d.Title)
	put(weightText, d.Description)
	put(weightParam, d.Params...)
	put(weightEnum, d.Enums...)
	put(weightDocs, d.ParamDocs)
	return out
}

// english gives the English words that a text holds or most surely stands for.
func english(text string, glosser interlock.Glosser) string {
	if ascii(text) {
		return text
	}
	var out []string
	for _, g := range glosser.Gloss(text) {
		if g.Weight >= surely {
			out = append(out, g.Text)
		}
	}
	return strings.Join(out, " ")
}

// ascii reports that nothing in a text could be put into English.
func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

package index

import (
	"strings"
	"unicode"

	"github.com/seed-ae386458/interlock/embedding"
	"github.com/seed-ae386458/interlock/embedding/gist"
	"github.com/seed-ae386458/interlock/internal/words"
)

// maxEmbedded bounds the characters of one text that is embedded.
const maxEmbedded = 1200

// Readings gives the readings of a wording whose mean direction is its vector:
// its name in words, its first sentence, and, with the name of its source
// before them, its first sentence again and everything. What a source is called
// often says what its tools are about and leave unsaid.
func Readings(d Doc) [4]string {
	name := strings.Join(splitName(d.Name), " ")
	text := words.Clip(d.Description, maxEmbedded)
	first := words.FirstSentence(text)
	whole := name + ": " + text
	source := SourceText(d.Source, d.Name)
	if source == "" {
		return [4]string{name, first, first, whole}
	}
	return [4]string{name, first, source + ": " + first, source + " " + whole}
}

// splitName gives the words of a name: cut at its separators, and before a
// capital that follows a small letter or a digit.
func splitName(name string) []string {
	var spaced strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last)) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
		last = r
	}
	return strings.FieldsFunc(spaced.String(), func(r rune) bool { return strings.ContainsRune("_-./: {}~", r) })
}

// gistOf gives the mean direction of texts by their English words alone; the
// zero vector where they hold none.
func gistOf(texts ...string) embedding.Vector {
	table, err := gist.Load()
	if err != nil { // the program is damaged: the other evidence stands
		return embedding.Vector{}
	}
	return embedding.Quantise(table.Mean(texts...))
}

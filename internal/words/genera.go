package words

import (
	_ "embed" // carries what words are kinds of
	"slices"
	"strings"
	"sync"
)

// Genera is how many general nouns are known that say what other things are: a
// lamp is a device, an invoice a document.
const Genera = 256

// Genus is one of them, by its place in the order of their letters.
type Genus uint8

// String gives the noun.
func (g Genus) String() string { return genera().nouns[g] }

//go:embed genera.txt
var generaFile string

// genusTable is what the file says. Its terms stay where they are in it: the
// table is asked for a few words at a time, and a map of it would be kept for
// good.
type genusTable struct {
	nouns []string
	place map[string]Genus
	lines []string // in order of their terms
}

var genera = sync.OnceValue(func() genusTable {
	lines := strings.Split(strings.TrimSuffix(generaFile, "\n"), "\n")
	t := genusTable{nouns: strings.Fields(lines[1]), place: map[string]Genus{}, lines: lines[2:]}
	for i, noun := range t.nouns {
		t.place[Stem(noun)] = Genus(i)
	}
	return t
})

// GenusOf reports whether a term is a general noun, and which.
func GenusOf(term string) (Genus, bool) {
	g, ok := genera().place[term]
	return g, ok
}

// EachGenus goes over what the thing that a term names is, in order, with how
// likely the term means such a thing.
func EachGenus(term string, do func(g Genus, share float64)) {
	lines := genera().lines
	i, ok := slices.BinarySearchFunc(lines, term, func(line, term string) int {
		own, _, _ := strings.Cut(line, " ")
		return strings.Compare(own, term)
	})
	if !ok {
		return
	}
	for code := lines[i][len(term)+1:]; len(code) >= 3; code = code[3:] {
		do(Genus(hex(code[0])<<4|hex(code[1])), float64(hex(code[2]))/15)
	}
}

// hex gives the value of a digit in sixteens.
func hex(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

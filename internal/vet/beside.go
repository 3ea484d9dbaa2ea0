package vet

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock"
)

// Other is a tool that a definition is compared with.
type Other struct {
	Tool      string // its whole name
	Source    string
	Operation interlock.Operation
	Gone      bool // it was there before this publication, and is no longer or says something else
}

// Beside is what a definition stands beside. The zero value is nobody. What it
// finds ends in a review, whatever it is: a comparison takes no tool away.
type Beside struct {
	source    string
	skeletons map[string][]namesake
	names     map[string]namesake
	gone      []departed
}

type namesake struct{ tool, source string }

type departed struct {
	tool  string
	words map[string]bool
}

// Among prepares the comparison of a source's definitions with others.
func Among(source string, others []Other) *Beside {
	b := &Beside{source: source, skeletons: map[string][]namesake{}, names: map[string]namesake{}}
	for _, o := range others {
		if o.Gone && o.Source == source {
			b.gone = append(b.gone, departed{o.Tool, vocabularyOf(o.Operation)})
			continue
		}
		who := namesake{o.Tool, o.Source}
		for _, name := range slices.Compact([]string{o.Tool, o.Operation.Name}) {
			key := skeleton(name)
			b.skeletons[key] = append(b.skeletons[key], who)
		}
		if o.Source != source {
			b.names[strings.ToLower(o.Tool)] = who
			if telling(o.Operation.Name) {
				b.names[strings.ToLower(o.Operation.Name)] = who
			}
		}
	}
	return b
}

// telling reports a name that is no word of a language: nobody writes it
// without meaning the tool.
func telling(name string) bool {
	return len(name) >= 6 && strings.ContainsAny(name[1:], "_-./ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
}

// Check compares a definition with the others. fresh says that its name was not
// there before.
func (b *Beside) Check(tool string, op interlock.Operation, fresh bool) []Flag {
	if b == nil || b.skeletons == nil {
		return nil
	}
	flags := b.lookAlikes(tool, op)
	flags = append(flags, b.steered(op)...)
	if fresh {
		flags = append(flags, b.renamed(op)...)
	}
	return flags
}

// lookAlikes reports names that a reader takes for those of other tools. Equal
// names in two sources are no deceit: the whole names differ.
func (b *Beside) lookAlikes(tool string, op interlock.Operation) []Flag {
	for _, name := range slices.Compact([]string{tool, op.Name}) {
		for _, o := range b.skeletons[skeleton(name)] {
			if o.tool == tool || last(o.tool) == last(name) && (name != tool || o.source == b.source) || o.source == b.source && utf8.RuneCountInString(last(name)) < minLookAlike {
				continue
			}
			return []Flag{flag(ruleLookAlike, "/name", quote(o.tool), Review)}
		}
	}
	return nil
}

// minLookAlike is the length below which two names of one source are alike by
// chance: p0 and po.
const minLookAlike = 6

// last is a whole name without its source.
func last(tool string) string { return tool[strings.LastIndexByte(tool, '/')+1:] }

// against are the words that speak for one tool against another.
var against = []string{"instead of", "rather than", "do not use", "don't use", "never use", "never call", "do not call", "don't call", "stop using", "replaces", "supersedes",
	"deprecated", "不要使用", "代わりに", "대신"}

// steered reports a text that names a tool of another source and speaks against
// it.
func (b *Beside) steered(op interlock.Operation) []Flag {
	if len(b.names) == 0 {
		return nil
	}
	for _, t := range textsOf(op) {
		if t.kind != kindProse {
			continue
		}
		low := strings.ToLower(t.value)
		if !slices.ContainsFunc(against, func(w string) bool { return strings.Contains(low, w) }) {
			continue
		}
		for _, word := range strings.FieldsFunc(low, func(r rune) bool { return r > 0x7F || !inBlock(byte(r)) && r != '.' }) {
			if o, ok := b.names[strings.Trim(word, ".")]; ok {
				return []Flag{flag(ruleSteerFrom, t.pointer, quote(o.tool), Review)}
			}
		}
	}
	return nil
}

// renamed reports a new name over the text of a tool that has just gone.
func (b *Beside) renamed(op interlock.Operation) []Flag {
	if len(b.gone) == 0 {
		return nil
	}
	said := vocabularyOf(op)
	for _, g := range b.gone {
		if alikeWords(said, g.words) {
			return []Flag{flag(ruleRenamed, "/name", quote(g.tool), Review)}
		}
	}
	return nil
}

// minShared is how many different words two definitions hold at least before
// their likeness says anything.
const minShared = 6

// alikeWords reports two sets of words of which four in five are common.
func alikeWords(a, b map[string]bool) bool {
	if len(a) < minShared || len(b) < minShared {
		return false
	}
	common := 0
	for w := range a {
		if b[w] {
			common++
		}
	}
	return 5*common >= 4*(len(a)+len(b)-common)
}

// vocabularyOf is the set of words that a definition uses, its own name apart.
func vocabularyOf(op interlock.Operation) map[string]bool {
	out := map[string]bool{}
	for _, t := range textsOf(op) {
		switch t.pointer {
		case "/name", "/id", "/family", "/version":
			continue
		}
		for _, w := range strings.Fields(wordsOf(fold(t.value))) {
			out[w] = true
		}
	}
	return out
}

package words

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Talk is how far a need asks for words or for what anybody may know, rather
// than for something that is done: what tells small talk and writing from a
// need that a tool serves. It reads English; of other needs it has values alone.
type Talk struct {
	Speech   string // the verb that orders a text or a thought: "explain"; empty for none
	Question bool   // it asks in general: "why do", "what is"
	Texts    int    // kinds of text that it names: a poem, tips
	Values   int    // values and names that it holds
}

// speech are verbs that order a text or a thought.
var speech = sync.OnceValue(func() map[string]bool {
	return set(`explain describe write rewrite compose brainstorm summarize summarise paraphrase rephrase discuss elaborate complete
	answer imagine pretend argue outline draft suggest recommend name list classify identify edit correct proofread improve
	analyze analyse compare generate`)
})

// texts are kinds of text and thought.
var texts = sync.OnceValue(func() map[string]bool {
	return set(`story stories poem haiku essay paragraph sentence sentences lyrics joke jokes letter speech review slogan tweet blog
	article script dialogue dialog outline summary ideas advice tips opinion opinions example examples pros cons synonym synonyms
	antonym antonyms riddle metaphor lesson question questions meaning difference steps reason reasons argument prompt word words
	phrase text function program code`)
})

// polite are words before what is asked.
var polite = sync.OnceValue(func() map[string]bool {
	return set(`please can could would you i want need to help me`)
})

// generally gives, for the first word of a general question, what may follow
// it; nothing is needed after those without.
var generally = sync.OnceValue(func() map[string]map[string]bool {
	return map[string]map[string]bool{
		"why": nil, "which": nil, "who": nil, "whose": nil, "does": nil, "did": nil,
		"how":    set("do does did can could should to are is would come"),
		"what":   set("is are was were does do did make makes happen happens would kind should cause causes"),
		"where":  set("do does did is are would can"),
		"when":   set("do does did is are was"),
		"is":     set("it"),
		"are":    set("there"),
		"should": set("i"),
		"do":     set("you"),
		"can":    set("i someone a"),
		"am":     set("i"),
	}
})

// TalkOf reads the text of a need that was read.
func TalkOf(text string, r Reading) Talk {
	t := Talk{Values: len(r.Literals)}
	if r.Language != English {
		return t
	}
	seen := map[string]bool{}
	fields := strings.Fields(Clip(text, maxRead))
	starts, follows := true, false
	for i, f := range fields {
		word := strings.TrimFunc(f, edge)
		low := strings.ToLower(word)
		if texts()[low] && !seen[low] {
			seen[low] = true
			t.Texts++
		}
		if follows && properName(word) {
			t.Values++
		}
		if starts {
			t.sentence(fields[i:])
		}
		last, _ := utf8.DecodeLastRuneInString(f)
		starts = strings.ContainsRune(".!?:", last)
		follows = unicode.IsLower(last) || last == ','
	}
	return t
}

// sentence reads how a sentence begins.
func (t *Talk) sentence(fields []string) {
	word := func(i int) string {
		if i >= len(fields) {
			return ""
		}
		return strings.ToLower(strings.TrimFunc(fields[i], edge))
	}
	if next, ok := generally()[word(0)]; ok && (next == nil || next[word(1)]) {
		t.Question = true
	}
	i := 0
	for i < len(fields) && i < 6 && polite()[word(i)] {
		i++
	}
	first, second, third := word(i), word(i+1), word(i+2)
	some := third == "a" || third == "an" || third == "some"
	switch {
	case speech()[first]:
		t.Speech = first
	case first == "tell" && second == "me" && (some || third == "about"), first == "teach" && second == "me",
		first == "give" && second == "me" && (some || texts()[third]), first == "come" && second == "up":
		t.Speech = first
	}
}

func edge(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// properName reports whether a word inside a sentence is written as a name.
func properName(word string) bool {
	first, n := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) && len(word) > n
}

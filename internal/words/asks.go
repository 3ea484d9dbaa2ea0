package words

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Asks gives the kinds of operation that a need asks for. Unlike its acts, which
// rank, it reads no noun as a verb: "delete the order" asks to delete.
func (r Reading) Asks() []string {
	if r.further == nil {
		return r.asks()
	}
	r.further.asks.Do(func() { r.further.asked = r.asks() })
	return slices.Clone(r.further.asked)
}

func (r Reading) asks() []string {
	if r.Language == English && r.Operations != 0 {
		return (operations(withNoun().ReplaceAllString(r.Bare, " "), English) & r.Operations).General()
	}
	return r.Operations.General()
}

// withNoun matches a word that can only be a noun, for what stands before it.
var withNoun = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:(?:the|an?|my|your|our|his|her|its|their|this|that|these|those|of|any|each|every)\s+)+[a-z]+`)
})

// changing are the kinds of operation that leave something other than it was.
var changing = []string{"create", "update", "delete"}

// Orders gives the kinds of operation that a need orders and that change
// something; none where it may ask for anything else. It is strict: a verb
// counts where only a verb can stand, in English before an object and its
// article, in Korean and Japanese at the end.
func (r Reading) Orders() []string {
	if r.further == nil {
		return r.orders()
	}
	r.further.orders.Do(func() { r.further.ordered = r.orders() })
	return slices.Clone(r.further.ordered)
}

func (r Reading) orders() []string {
	asks := r.Asks()
	if len(asks) == 0 || slices.ContainsFunc(asks, func(kind string) bool { return !slices.Contains(changing, kind) }) {
		return nil
	}
	text := strings.TrimFunc(r.Bare, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
	last := text[strings.LastIndexFunc(text, unicode.IsSpace)+1:]
	switch r.Language {
	case Korean:
		if !begins(last, table().korean, asks) {
			return nil
		}
	case Japanese:
		if !japaneseOrder().MatchString(text) {
			return nil
		}
	default:
		m := englishOrder().FindStringSubmatch(text)
		if m == nil || !slices.ContainsFunc(englishOperations(m[1], 0).General(), func(kind string) bool { return slices.Contains(asks, kind) }) {
			return nil
		}
	}
	return asks
}

func begins(word string, with []beginning, kinds []string) bool {
	return slices.ContainsFunc(with, func(b beginning) bool {
		return strings.HasPrefix(word, b.text) && slices.ContainsFunc(b.kind.General(), func(kind string) bool { return slices.Contains(kinds, kind) })
	})
}

var englishOrder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:(?:please|hi|hello|hey|can you|could you|would you|i want to|i need to|i'd like to|i would like to|help me|let's|now|just|also|then|and)[,\s]+)*([a-z]+)\s+(?:the|an?|my|our|this|that|these|those|all|every|each)\s`)
})

var japaneseOrder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:して|消して|外して|直して|変えて|作って|書いて)(?:ください|下さい|くれ|ほしい|欲しい)?$`)
})

package words

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxClauses bounds what is read as a list of requests; more of them are a
// story, which is better read whole.
const maxClauses = 4

// Clauses gives the requests that a need consists of, where it clearly consists
// of several: each holds a verb where a request has one, and an object. Nil is
// one request, or a text that does not part so.
func Clauses(text string) []string {
	if len(text) > maxRead {
		return nil
	}
	text = strings.Trim(strings.ToValidUTF8(text, " "), " \t\n\r\"“”")
	l := LanguageOf(text)
	var parts []string
	switch l {
	case Korean:
		parts = koreanParts(text)
	case Japanese:
		parts = japaneseParts(text)
	default:
		parts = englishParts(text)
	}
	if len(parts) < 2 || len(parts) > maxClauses {
		return nil
	}
	for _, p := range parts {
		if !requests(p, l) {
			return nil
		}
	}
	return parts
}

// requests reports whether a clause asks for something to be done with
// something.
func requests(clause string, l Language) bool {
	r := Read(clause)
	return (r.Operations != 0 || l == English) && len(r.Content())+len(r.Literals) > 0 && !story().MatchString(clause)
}

// again matches what begins a further English request: a sentence that says so,
// or a joint before a verb.
var again = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)[.?!;]["”']?\s+(?:also|and(?: also| then)?|then|next|after that|afterwards|in addition|additionally|furthermore|moreover|second(?:ly)?|third(?:ly)?|finally|lastly),?\s+|,?\s+(?:and(?: also| then)?|then|also|after that),?\s+`)
})

// lead matches what may stand before the verb of an English request.
var lead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:(?:please|kindly|hi|hello|hey|also|then|and|now|first(?:ly)?|can you|could you|would you|will you|i want(?: you)? to|i need(?: you)? to|i(?:'d| would) like(?: you)? to|help me(?: to)?|let's|just|to)[,:]?\s+)+`)
})

func englishParts(text string) []string {
	var out []string
	at := 0
	for _, m := range again().FindAllStringIndex(text, -1) {
		left, right := text[at:m[0]], text[m[1]:]
		weak := len(strings.Trim(strings.ToLower(text[m[0]:m[1]]), " ,\n")) <= len("and")
		if orders(left, false) && orders(right, weak) && !holdsQuote(text, m[0]) && requests(left, English) && requests(right, English) {
			out = append(out, strings.TrimSpace(left))
			at = m[1]
		}
	}
	return append(out, strings.TrimSpace(text[at:]))
}

// holdsQuote reports whether a place of a text is inside of a quotation.
func holdsQuote(text string, at int) bool {
	return strings.Count(text[:at], `"`)%2 == 1 || strings.Count(text[:at], "“") > strings.Count(text[:at], "”")
}

// story matches a sentence that goes on in another one.
var story = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[.?!]["']?\s+\S`) })

// object matches what only stands behind a verb.
var object = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?i:the|an?|my|our|your|his|her|their|its|me|us|all|some|any|each|every|this|that|these|those|one|two|three|for|to|if|whether|how|what|when|where|who)\b|["'“‘\d$A-Z])`)
})

// orders reports whether an English clause begins with a verb in the form that
// orders, and goes on with an object; strict asks for one that no noun has.
func orders(clause string, strict bool) bool {
	clause = lead().ReplaceAllString(strings.TrimLeft(clause, " \"'“"), "")
	verb, rest, _ := strings.Cut(clause, " ")
	verb = strings.ToLower(verb)
	if verb == "" || rest == "" || strings.HasPrefix(strings.ToLower(rest), "of ") || strings.HasPrefix(strings.ToLower(rest), "sure ") || notVerbs[verb] {
		return false
	}
	if moreVerbs[verb] || plainVerbs()[verb] {
		return !strict || object().MatchString(rest)
	}
	return article().MatchString(rest) && plainWord().MatchString(verb) && !stop[verb] && !connects[verb]
}

// article matches what stands between a verb and a noun, and between no other
// two words but a preposition and a noun.
var article = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i:the|an?|my|our|me|us|some)\s`) })

// plainWord matches a word in the form of an order.
var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z]{3,}$`) })

// connects are words before an article that are no verbs.
var connects = set(`also both after before about over under above below between among during through throughout without within against per versus plus
	all each every only even maybe perhaps not neither either until while because since although but unless though whereas across along
	around behind beside besides beyond despite down inside near off onto outside past regarding toward towards upon like unlike given
	including excluding concerning considering following hence thus therefore however instead rather still yet again once here there
	today tomorrow yesterday tonight is are was were be being been has had does did am said says made got what which who whom whose why
	how that this these those such very too quite just inform ensure keep let know`)

// plainVerbs are the English verbs of the table, as they order.
var plainVerbs = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, v := range verbs {
		for _, w := range strings.Fields(v.english) {
			out[w] = true
		}
	}
	return out
})

var (
	moreVerbs = set(`predict analyze analyse determine solve perform identify give suggest evaluate simulate measure bring plot draw forecast
	monitor track verify validate apply assess explore obtain extract detect classify integrate multiply divide add subtract pay buy sell
	rent hire turn return roll flip rotate shuffle design invest withdraw`)
	// notVerbs stand in the table for what they say elsewhere.
	notVerbs = set(`what how which who when info details status state whether condition difference on off up down more less louder quieter
	brighter all every each list versus mail text higher again`)
)

// koreanJoint matches where a Korean request may go on to a second one.
var koreanJoint = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([가-힣]+?)(?:하고|주고|고|한\s?(?:다음|뒤|후)에?|고\s?나서)(?:\s+|,\s*)(?:그리고\s+|나서\s+)?|[.?!]\s+(?:그리고|그\s?다음에?|또)\s+|\s+그리고\s+`)
})

var koreanNoRequest = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:싶|있|계|보니|말)`) })

func koreanParts(text string) []string {
	var out []string
	at := 0
	for _, m := range koreanJoint().FindAllStringSubmatchIndex(text, -1) {
		left, right := text[at:m[1]], text[m[1]:]
		if m[2] >= 0 && !verbal(text[m[2]:m[3]], text[m[3]:]) || koreanNoRequest().MatchString(right) {
			continue
		}
		if requests(left, Korean) && requests(right, Korean) {
			out = append(out, strings.TrimSpace(left))
			at = m[1]
		}
	}
	return append(out, strings.TrimSpace(text[at:]))
}

// verbal reports whether a Korean word begins as one that asks for an act does,
// and by what it goes on with tells of no speech and no wish.
func verbal(word, rest string) bool {
	if r, _ := utf8.DecodeLastRuneInString(word); strings.ContainsRune("라다려냐자", r) && strings.HasPrefix(rest, "고") {
		return false
	}
	return slices.ContainsFunc(table().korean, func(b beginning) bool { return strings.HasPrefix(word, b.text) })
}

// japaneseJoint matches the -te of a verb before a comma, or a word for "then".
var japaneseJoint = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:て|で)(?:から)?、(?:そして|それから|その後|次に)?|(?:。\s*|、|て|で)(?:そして|それから|その後|次に)、?`)
})

var japaneseRequest = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:て|で)(?:ください|下さい|くれ|ほしい|欲しい|もらえますか|くれますか)?[。.！!？?]?$|(?:お願い|願います|ますか|ですか|たい)[^。]*$`)
})

func japaneseParts(text string) []string {
	var out []string
	at := 0
	for _, m := range japaneseJoint().FindAllStringIndex(text, -1) {
		left, right := text[at:m[0]], text[m[1]:]
		if japaneseRequest().MatchString(right) && endsInAct(left) && requests(left, Japanese) && requests(right, Japanese) {
			out = append(out, strings.TrimSpace(text[at:m[1]]))
			at = m[1]
		}
	}
	return append(out, strings.TrimSpace(text[at:]))
}

// endsInAct reports whether a Japanese text ends in a verb of the table.
func endsInAct(text string) bool {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "て"), "で")
	m := japaneseVerb().FindString(text)
	return m != "" && !strings.HasSuffix(m, "まし") && slices.ContainsFunc(table().japanese, func(b beginning) bool { return strings.HasPrefix(m, b.text) })
}

// japaneseVerb matches a verb at the end of a text.
var japaneseVerb = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{Han}]*\p{Hiragana}*$`) })

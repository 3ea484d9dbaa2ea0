package words

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Reading is what the words of a need say.
type Reading struct {
	Language   Language
	Operations Operations
	Literals   []Literal
	// Bare is the text without its values: what is asked, not with what. It is
	// the text itself where nothing would be left.
	Bare string
	// Implied are terms for what is asked without being named: a distance by
	// "how far", an exchange by two currencies.
	Implied []string
	// Instruments are terms of what the need asks to be used.
	Instruments []string
	// Moments are terms that say when, as seen from the day of the need.
	Moments []string
	further *further // what is read once, when it is asked for
}

// Literal is a value that a need holds.
type Literal struct {
	Kind LiteralKind
	Text string
}

// LiteralKind is what a value looks like.
type LiteralKind string

// The kinds of value.
const (
	URL      LiteralKind = "url"
	Quoted   LiteralKind = "quoted"
	Email    LiteralKind = "email"
	Path     LiteralKind = "path"
	ID       LiteralKind = "id"
	Time     LiteralKind = "time"
	Date     LiteralKind = "date"
	Money    LiteralKind = "money"
	Quantity LiteralKind = "quantity"
	Number   LiteralKind = "number"
)

// form is how values of one kind are written.
type form struct {
	kind    LiteralKind
	pattern *regexp.Regexp
	signs   []string // one of these stands in every such value, in lower case
	also    []string // and one of these, where there are any
	joined  bool     // and a hyphen, a number sign, or a digit beside a letter
	digits  bool     // each value begins with its first digit, the word before it, or a sign beside it
}

// absent reports that no value of this form can be in a text.
func (f form) absent(lower string) bool {
	in := func(sign string) bool { return strings.Contains(lower, sign) }
	return !slices.ContainsFunc(f.signs, in) || len(f.also) > 0 && !slices.ContainsFunc(f.also, in) || f.joined && !joins(lower)
}

// joins reports whether a text in lower case holds a hyphen, a number sign, or a
// digit beside a letter.
func joins(lower string) bool {
	last := byte(' ')
	for i := range len(lower) {
		c := lower[i]
		if c == '-' || c == '#' || i > 0 && (isDigit(c) && isLetter(last) || isDigit(last) && isLetter(c)) {
			return true
		}
		last = c
	}
	return false
}

// beforeDigit gives the place of the word before the one that holds the first
// digit; the text's length where there is none.
func beforeDigit(text string) int {
	at := strings.IndexAny(text, "0123456789")
	if at < 0 {
		return len(text)
	}
	for range 2 {
		at = strings.LastIndexAny(strings.TrimRight(text[:at], white), white) + 1
	}
	return at
}

// white is what patterns take for white space.
const white = " \t\n\f\r"

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isLetter takes all that is not ASCII for letters.
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf }

func split(list string) []string { return strings.Split(list, "|") }

const (
	months   = `(?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)`
	weekdays = `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues|tue|wed|thurs|thu|fri|sat|sun)s?`
	when     = `(?:at|by|on|for|from|until|till|in|of|around|after|before|since|next|this|last|every|the)`
)

// forms gives the ways that values are written in a language, the longest
// first: what one takes, the next ones do not see.
var forms = sync.OnceValue(func() [3][]form {
	f := func(kind LiteralKind, signs, pattern string) form {
		first, second, both := strings.Cut(signs, "&")
		out := form{kind: kind, pattern: regexp.MustCompile(`(?i)` + pattern), signs: split(first), joined: kind == ID}
		out.digits = out.signs[0] == "0" && kind != ID
		if both {
			out.also = split(second)
		}
		return out
	}
	digits := "0|1|2|3|4|5|6|7|8|9"
	first := []form{
		f(URL, "http|www.", `https?://[^\s"'<>]+|\bwww\.[^\s"'<>]+`),
		f(Email, "@", `[\w.+-]+@[\w-]+\.[\w.-]*\w`),
		f(Quoted, "\"|“|‘|「|『|`", `"[^"\n]{1,120}"|“[^”\n]{1,120}”|‘[^’\n]{1,120}’|「[^」\n]{1,120}」|『[^』\n]{1,120}』|`+"`[^`\n]{1,120}`"),
		f(Path, "/|\\|.", `(?:^|[\s(])(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]+)+|\b[a-z]:\\[^\s]+|\b[\w-]+\.(?:txt|csv|json|pdf|docx?|xlsx?|pptx?|md|png|jpe?g|gif|svg|mp3|mp4|wav|zip|py|js|ts|html?|ya?ml|log)\b`),
		f(ID, digits, `\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{9,}\b|#\d+\b|\b[A-Z]{2,}-\d+\b|\b(?:[a-z]+\d|\d+[a-z])[a-z0-9]{5,}\b`),
	}
	english := append(first[:len(first):len(first)],
		f(Quoted, "'", `(?:^|[\s(:,])'[^'\n]{1,80}'(?:$|[\s.,;:!?)])`),
		f(Date, digits+"&-|/", `\b\d{4}-\d\d?-\d\d?\b|\b\d{1,2}/\d{1,2}(?:/\d{2,4})?\b`),
		f(Time, digits+"&:|am|pm|a.m|p.m|clock", `(?:\b`+when+`\s+)?\b\d{1,2}(?::\d\d)?\s*(?:[ap]\.?m\b\.?|o'?clock)|\b\d{1,2}:\d\d\b`),
		f(Date, "jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec", `(?:\b`+when+`\s+)?\b`+months+`\b\.?(?:\s*\d{1,2}(?:st|nd|rd|th)?\b)?(?:,?\s*\d{4}\b)?`),
		f(Date, "mon|tue|wed|thu|fri|sat|sun", `(?:\b`+when+`\s+)?\b`+weekdays+`\b`),
		f(Date, "today|tonight|tomorrow|yesterday|now|this |next |last |in the |noon|midnight", `(?:\b(?:for|on|by|in|at|until|from)\s+)?\b(?:today|tonight|tomorrow|yesterday|right now|now|this (?:morning|afternoon|evening|week|weekend|month|year)|next (?:week|weekend|month|year)|last (?:week|month|year|night)|in the (?:morning|afternoon|evening)|noon|midnight)\b(?:'s)?`),
		f(Money, digits+"&$|€|£|¥|₩|usd|eur|gbp|jpy|krw", `(?:[$€£¥₩]\s?\d[\d,.]*)|\b\d[\d,.]*\s*(?:usd|eur|gbp|jpy|krw)\b`),
		f(Quantity, digits+"&%|percent|degree|min|hour|day|week|month|year|sec|km|mile|kg|cm|people|night", `(?:\b(?:for|in|of|at|to|by)\s+)?\b\d[\d,.]*\s*(?:%|percent|degrees?|minutes?|mins?|hours?|days?|weeks?|months?|years?|seconds?|secs?|km|miles?|kg|cm|people|nights?)(?:\b|$)`),
		f(Number, digits, `(?:\b(?:for|in|of|at|to|by)\s+)?[+-]?\b\d[\d,.:-]*`))
	korean := append(first[:len(first):len(first)],
		f(Quoted, "'", `'[^'\n]{1,80}'`),
		f(Date, digits+"&-|년|월|일", `\d{4}-\d\d?-\d\d?|\d{4}년(?:\s*\d{1,2}월)?(?:\s*\d{1,2}일)?|\d{1,2}월(?:\s*\d{1,2}일)?(?:에|까지|부터|로|날)?|\d{1,2}일(?:에|까지|부터)?`),
		f(Time, digits+"&시", `(?:오전|오후|아침|저녁|밤|새벽|낮)?\s*\d{1,2}시(?:\s*\d{1,2}분|\s*반)?(?:에|까지|부터|으로|로|쯤)?`),
		f(Date, "오늘|내일|모레|어제|지금|현재|이번|다음|지난|요일", `(?:오늘|내일|모레|어제|지금|현재|이번\s*(?:주말|주|달)|다음\s*(?:주|달)|지난\s*(?:주|달))(?:의|에|은|는|까지|부터|로)?|[월화수목금토일]요일(?:에|까지|날)?`),
		f(Quantity, digits+"&%|도|분|시간|초|명|개|살|번|킬로|kg|cm|km|퍼센트", `\d[\d,.:]*\s*(?:%|도|분|시간|초|명|개|살|번|킬로|kg|cm|km|퍼센트)(?:로|으로|의|에|을|를|만|간|동안)?`),
		f(Number, digits, `[+-]?\d[\d,.:-]*`))
	japanese := append(first[:len(first):len(first)],
		f(Date, digits+"&-|年|月|日", `\d{4}-\d\d?-\d\d?|\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?|\d{1,2}月(?:\d{1,2}日)?(?:に|まで|から|の)?|\d{1,2}日(?:に|まで|から|の)?`),
		f(Time, digits+"&時", `(?:(?:午前|午後|朝|夜|夕方|昼)の?)?\d{1,2}時(?:\d{1,2}分|半)?(?:に|まで|から|頃)?`),
		f(Date, "今|明|昨|来|先|曜", `(?:今日|明日|明後日|昨日|今週|来週|今月|来月|先週|先月|今夜|今)(?:の|に|は|まで|から)?|[月火水木金土日]曜日?(?:に|まで|の)?`),
		f(Quantity, digits+"&%|パーセント|度|分|時間|秒|人|名|個|泊|本|件|枚|通", `\d[\d,.:]*\s*(?:%|パーセント|度|分|時間|秒|人|名|個|泊|本|件|枚|通)(?:に|で|の|を|へ)?`),
		f(Number, digits, `[+-]?\d[\d,.:-]*`))
	return [3][]form{english, korean, japanese}
})

// Read reads a need.
func Read(text string) Reading {
	text = strings.ToValidUTF8(Clip(WithoutBlobs(text), maxRead), " ")
	r := Reading{Language: LanguageOf(text)}
	r.Bare = r.values(text)
	r.Operations = operations(r.Bare, r.Language)
	r.Implied = implied(text, r.Language)
	r.Instruments, r.Moments = instruments(text, r.Language), moments(text, r.Language)
	r.further = &further{}
	if asksState(r.Bare, r.Language) {
		r.Operations = r.Operations&^acts() | Kind("state") | Kind("read")
	}
	return r
}

// WithoutBlobs takes out runs of characters that no one reads, such as a picture
// as base64: they say nothing about what is asked for.
func WithoutBlobs(text string) string {
	if !holdsBlob(text) {
		return text
	}
	return blob().ReplaceAllString(text, " ")
}

const minBlob = 48

func holdsBlob(text string) bool {
	run := 0
	for i := range len(text) {
		if c := text[i]; c < utf8.RuneSelf && isLetter(c) || isDigit(c) || strings.IndexByte("+/=_-", c) >= 0 {
			if run++; run == minBlob {
				return true
			}
		} else {
			run = 0
		}
	}
	return false
}

var blob = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9+/=_-]{48,}`) })

// values takes the values out of a text and gives what is left.
func (r *Reading) values(text string) string {
	bare, lower := text, strings.ToLower(text)
	for _, f := range forms()[r.Language] {
		if f.absent(lower) {
			continue
		}
		from := 0
		if f.digits {
			if from = beforeDigit(bare); from == len(bare) {
				continue
			}
		}
		bare = bare[:from] + f.pattern.ReplaceAllStringFunc(bare[from:], func(found string) string {
			if len(r.Literals) < maxLiterals {
				r.Literals = append(r.Literals, Literal{f.kind, strings.Trim(found, " \t\n\"'“”‘’「」『』`(),;:")})
			}
			return " "
		})
	}
	bare = strings.Join(strings.Fields(bare), " ")
	if letters(bare) < 2 || r.Language == English && letters(bare) < 4 {
		return strings.Join(strings.Fields(text), " ")
	}
	return bare
}

const maxLiterals = 64

func letters(text string) int {
	n := 0
	for _, r := range text {
		if classOf(r) != other {
			n++
		}
	}
	return n
}

// Holds reports whether a value of one of these kinds was found.
func (r Reading) Holds(kinds ...LiteralKind) bool {
	for _, l := range r.Literals {
		for _, k := range kinds {
			if l.Kind == k {
				return true
			}
		}
	}
	return false
}

// acts are the kinds that a question about a state names without asking for
// them: "is the door locked?" locks nothing.
var acts = sync.OnceValue(func() Operations {
	var out Operations
	for _, name := range [...]string{"on", "off", "open", "close", "start", "stop", "delete", "search", "create"} {
		out |= Kind(name)
	}
	return out
})

// How a question about a state is put.
var stateForms = sync.OnceValue(func() [3]*regexp.Regexp {
	return [3]*regexp.Regexp{
		regexp.MustCompile(`(?i)^(?:please |can you |could you |tell me |check |let me know )*(?:is|are|was|were|has|have|if|whether) `),
		regexp.MustCompile(`(?:있(?:어|나|니|는지|습니까|나요|는가|는게)|(?:됐|되었|졌)(?:어|나|니|는지|습니까|나요)|없(?:어|나|니|는지|나요)|인가요|이야|중이야)[^가-힣]*(?:$|알려|확인|있)`),
		regexp.MustCompile(`(?:[てで]い?(?:る|ます|ない)|[てで]ある|た|ました)(?:か|の|のか|かな)?(?:\?|？|か)|(?:[てで]い?る|ます|た)か(?:どうか|教え|確認)`),
	}
})

func asksState(text string, l Language) bool { return stateForms()[l].MatchString(text) }

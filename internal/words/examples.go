package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// WithoutExamples gives a documentation without the values that it names: what
// stands in quotes, and what follows "such as", "e.g." and their like to the end
// of its sentence. "The city, such as Paris" speaks of cities and not of Paris.
func WithoutExamples(text string) string {
	if !strings.ContainsAny(text, quoteMarks) && !hasMarker(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	last := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		skip := 0
		if !wordRune(last) || r >= utf8.RuneSelf {
			if skip = quotedAt(text[i:]); skip == 0 {
				skip = exampleAt(text[i:])
			}
		}
		if skip > 0 {
			b.WriteByte(' ')
			last = ' '
			i += skip
			continue
		}
		b.WriteString(text[i : i+size])
		last = r
		i += size
	}
	return b.String()
}

// quoteMarks begin a quotation, and quotes say what ends one.
const quoteMarks = "\"'`“‘「『«"

var quotes = map[rune]rune{'"': '"', '\'': '\'', '`': '`', '“': '”', '‘': '’', '「': '」', '『': '』', '«': '»'}

// maxQuoted bounds what is taken for one quotation.
const maxQuoted = 200

// quotedAt gives the length of the quotation that a text begins with; 0 where it
// begins with none. An apostrophe ends none inside of a word.
func quotedAt(text string) int {
	open, size := utf8.DecodeRuneInString(text)
	end, ok := quotes[open]
	if !ok {
		return 0
	}
	for i, r := range text[size:min(len(text), maxQuoted)] {
		if r == '\n' {
			return 0
		}
		after := size + i + utf8.RuneLen(r)
		if r != end {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(text[after:]); open == end && after < len(text) && wordRune(next) {
			continue
		}
		return after
	}
	return 0
}

// marker is what examples follow.
type marker struct {
	text  string
	value bool // only before what is seen to be a value: a capital, a digit, a quotation
	one   bool // one value follows it
}

// markers stand in small letters.
var markers = [...]marker{
	{text: "such as"}, {text: "for example"}, {text: "for instance"}, {text: "e.g"}, {text: "eg."}, {text: "eg:"}, {text: "ex:"}, {text: "ex."}, {text: "example:"}, {text: "examples:"},
	{text: "like", value: true}, {text: "including", value: true}, {text: "example", value: true}, {text: "examples", value: true},
	{text: "default:", one: true}, {text: "default is", one: true}, {text: "defaults to", one: true}, {text: "default value is", one: true},
	{text: "예:"}, {text: "예)"}, {text: "예를 들어"}, {text: "예시:"}, {text: "例:"}, {text: "例："}, {text: "例えば"}, {text: "たとえば"}, {text: "例如"}, {text: "比如"},
}

func hasMarker(text string) bool {
	low := strings.ToLower(text)
	for _, m := range markers {
		if strings.Contains(low, m.text) {
			return true
		}
	}
	return false
}

// exampleAt gives the length of the marker and the examples that a text begins
// with; 0 where it begins with none.
func exampleAt(text string) int {
	for _, m := range markers {
		n := len(m.text)
		if len(text) < n || !strings.EqualFold(text[:n], m.text) {
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[n:])
		if next < utf8.RuneSelf && wordRune(next) && wordRune(rune(m.text[n-1])) {
			continue // the marker is the beginning of a word
		}
		rest := strings.TrimLeft(text[n:], " .,:=(")
		if m.value && !valueFirst(rest) {
			continue
		}
		lead := len(text) - len(rest)
		return lead + examplesEnd(rest, m.one)
	}
	return 0
}

// valueFirst reports whether a text begins with a name, a number or a quotation.
func valueFirst(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r) || unicode.IsDigit(r) || quotedAt(text) > 0
}

// examplesEnd gives how far examples go: to the end of their sentence, or of what
// they stand in brackets of; one value, to the next comma.
func examplesEnd(text string, one bool) int {
	depth := 0
	for i := 0; i < len(text); {
		if n := quotedAt(text[i:]); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		switch {
		case r == '\n' || r == ';' || r == '。' || one && r == ',':
			return i
		case r == '.' && (i+size == len(text) || unicode.IsSpace(next)):
			return i
		case r == '(' || r == '[' || r == '{':
			depth++
		case r == ')' || r == ']' || r == '}':
			if depth == 0 {
				return i
			}
			depth--
		}
		i += size
	}
	return len(text)
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

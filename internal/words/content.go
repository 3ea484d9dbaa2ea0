package words

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Content gives the words of a need that can be values of a call: not those of
// its values, which Literals has, and not the words in which anything is asked
// for. Korean and Japanese words come with their endings.
func (r Reading) Content() []string {
	var out []string
	for _, w := range r.Words() {
		out = append(out, w.Text)
	}
	return out
}

// Word is a word with the terms that it is searched by.
type Word struct {
	Text  string
	Terms []string
}

// further is what is read of a need once, when it is first asked for: each of
// its candidates is held against it.
type further struct {
	words, numbers, asks, orders sync.Once
	content                      []Word
	spelled                      int
	asked, ordered               []string
}

// Words gives the content with its terms. It is not the caller's to change.
func (r Reading) Words() []Word {
	if r.further == nil {
		return withTerms(r.content())
	}
	r.further.words.Do(func() { r.further.content = withTerms(r.content()) })
	return r.further.content
}

func withTerms(texts []string) []Word {
	out := make([]Word, len(texts))
	for i, t := range texts {
		out[i] = Word{t, Tokens(t)}
	}
	return out
}

// SpelledNumbers counts the numbers that a need spells out, up to eight.
func (r Reading) SpelledNumbers() int {
	count := func() int {
		if f := spelledNumber(); !f.absent(strings.ToLower(r.Bare)) {
			return len(f.pattern.FindAllString(r.Bare, 8))
		}
		return 0
	}
	if r.further == nil {
		return count()
	}
	r.further.numbers.Do(func() { r.further.spelled = count() })
	return r.further.spelled
}

var spelledNumber = sync.OnceValue(func() form {
	return form{
		pattern: regexp.MustCompile(`(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b|(?:한|두|세|네|다섯|여섯) ?(?:명|개|잔|판|살|번|시간|분)|하나`),
		signs:   split("one|two|three|four|five|six|seven|eight|nine|ten|명|개|잔|판|살|번|시간|분|하나"),
	}
})

func (r Reading) content() []string {
	switch r.Language {
	case Korean:
		return koreanContent(r.Bare)
	case Japanese:
		return japaneseContent(r.Bare)
	}
	return englishContent(r.Bare)
}

func englishContent(text string) []string {
	var out []string
	for n := 0; n < maxLiterals*4 && len(out) < maxLiterals; n++ {
		var w string
		if w, text = englishWord(text); w == "" {
			break
		}
		low := strings.ToLower(w)
		if !stop[low] && !asking[low] && table().english[Stem(low)] == 0 {
			out = append(out, w)
		}
	}
	return out
}

// englishWord gives the first word in ASCII letters, hyphens and apostrophes,
// and what follows it.
func englishWord(text string) (word, rest string) {
	letter := func(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
	start := 0
	for start < len(text) && !letter(text[start]) {
		start++
	}
	end := start
	for end < len(text) && (letter(text[end]) || text[end] == '-' || text[end] == '\'') {
		end++
	}
	return text[start:end], text[end:]
}

// asking are words in which anything may be asked for.
var asking = set(`please can you could i'd i'll i'm give help one first second two using based ensure sure following details
	specific information looking interested planning plan going make wants good best provide set hi hello also just any this
	that about well new more about into here thanks thank it's`)

// koreanAsking are beginnings of such words in Korean.
var koreanAsking = strings.Fields(`해줘 해주세요 부탁 수 있어 있을까 있나요 있니 싶어 싶은데 하고 하는데 하려고 하려는데 지금 바로 어떻게 되는지 줄 줘 해 볼까 그리고 가능해 가능한가요
	있는데 려고 확인 도와줘 도와줄래 좀 한번 하나 우리 제 내가 나`)

var koreanWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[가-힣A-Za-z0-9]+`) })

// koreanVerbal matches what ends like a verb.
var koreanVerbal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:는데|니까|려고|해서|할까|볼까|어서|아서|지만|려면|어요|아요|니다|세요|을까|까요|어|해|줘|래)$`)
})

func koreanContent(text string) []string {
	var out []string
	for _, w := range koreanWord().FindAllString(text, maxLiterals*4) {
		syllables := utf8.RuneCountInString(w)
		begins := func(b string) bool { return utf8.RuneCountInString(b) > 1 && strings.HasPrefix(w, b) }
		if syllables < 2 || slices.Contains(koreanAsking, w) || slices.ContainsFunc(koreanAsking, begins) || koreanVerbal().MatchString(w) ||
			slices.ContainsFunc(table().korean, func(b beginning) bool { return begins(b.text) }) {
			continue
		}
		if len(out) < maxLiterals {
			out = append(out, w)
		}
	}
	return out
}

var japaneseWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\p{Han}々]{2,}|[ァ-ヶー]{2,}|[A-Za-z0-9]{2,}`) })

func japaneseContent(text string) []string {
	var out []string
	for _, w := range japaneseWord().FindAllString(text, maxLiterals*4) {
		if slices.ContainsFunc(table().japanese, func(b beginning) bool { return strings.HasPrefix(w, b.text) }) {
			continue
		}
		if len(out) < maxLiterals {
			out = append(out, w)
		}
	}
	return out
}

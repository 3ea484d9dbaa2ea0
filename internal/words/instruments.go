package words

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// instrument matches what an English need asks to be used, by the noun that
// says what kind of thing it is: "using the taskkill command", "via the maps
// API".
var instrument = sync.OnceValue(func() form {
	return form{
		pattern: regexp.MustCompile(`\b(?:using|use|via|through|by means of)\s+((?:[\w'%-]+\s+){0,5}?(?:command|tool|api|app|function|service|server|engine|library|method|feature|platform|website|program|plugin))\b`),
		signs:   split("using |use |via |through |by means of "),
	}
})

// joining are words at which such a phrase begins anew.
var joining = set(`to and for in on with of then or from at by`)

// instruments gives the terms of what a need asks to be used. Whoever says what
// to do it with names the tool, whatever else the need is about.
func instruments(text string, l Language) []string {
	lower := strings.ToLower(text)
	f := instrument()
	if l != English || f.absent(lower) {
		return nil
	}
	var out []string
	for _, m := range f.pattern.FindAllStringSubmatch(lower, maxInstruments) {
		phrase := strings.Fields(m[1])
		for i := len(phrase) - 1; i >= 0; i-- {
			if joining[phrase[i]] {
				phrase = phrase[i+1:]
				break
			}
		}
		for _, t := range Tokens(strings.Join(phrase, " ")) {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

const maxInstruments = 4

// passing matches what places an English need in time by the day on which it is
// said.
var passing = sync.OnceValue(func() form {
	return form{
		pattern: regexp.MustCompile(`\b(?:today|tonight|tomorrow|yesterday|now|current(?:ly)?|latest|noon|midnight|this (?:morning|afternoon|evening|week|weekend|month|year)|next (?:week|weekend|month|year)|last (?:week|month|year|night)|in the (?:morning|afternoon|evening))\b`),
		signs:   split("today|tonight|tomorrow|yesterday|now|current|latest|noon|midnight|this |next |last |in the "),
	}
})

// moments gives the terms that say when, as seen from the day: nearly anything
// may be asked of today, so that they tell little of what is meant.
func moments(text string, l Language) []string {
	lower := strings.ToLower(text)
	f := passing()
	if l != English || f.absent(lower) {
		return nil
	}
	var out []string
	for _, found := range f.pattern.FindAllString(lower, maxLiterals) {
		out = append(out, Tokens(found)...)
	}
	return out
}

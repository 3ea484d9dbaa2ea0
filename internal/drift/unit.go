package drift

import (
	"strings"
	"unicode"
)

// unit is a unit that the code can convert: its dimension, and how many of the
// dimension's first unit it is.
type unit struct {
	code   string // UCUM
	of     string // dimension
	factor float64
}

// units lists the units by their UCUM code.
var units = map[string]unit{
	"s": {"s", "time", 1}, "ms": {"ms", "time", 1e-3}, "us": {"us", "time", 1e-6}, "ns": {"ns", "time", 1e-9},
	"min": {"min", "time", 60}, "h": {"h", "time", 3600}, "d": {"d", "time", 86400}, "wk": {"wk", "time", 604800},
	"m": {"m", "length", 1}, "km": {"km", "length", 1000}, "cm": {"cm", "length", 0.01}, "mm": {"mm", "length", 0.001},
	"[mi_i]": {"[mi_i]", "length", 1609.344}, "[ft_i]": {"[ft_i]", "length", 0.3048},
	"By": {"By", "data", 1}, "kBy": {"kBy", "data", 1e3}, "MBy": {"MBy", "data", 1e6}, "GBy": {"GBy", "data", 1e9},
	"KiBy": {"KiBy", "data", 1024}, "MiBy": {"MiBy", "data", 1 << 20},
	"g": {"g", "mass", 1}, "kg": {"kg", "mass", 1000}, "mg": {"mg", "mass", 1e-3}, "[lb_av]": {"[lb_av]", "mass", 453.59237},
	"%": {"%", "share", 0.01}, "1": {"1", "share", 1},
	"Cel": {"Cel", "temperature", 1}, "[degF]": {"[degF]", "temperature", 2}, "K": {"K", "temperature", 3},
	"deg": {"deg", "angle", 1}, "rad": {"rad", "angle", 57.29577951308232},
	"cent": {"cent", "money", 0.01},
}

// unitWords gives the words for units in prose.
var unitWords = map[string]string{
	"seconds": "s", "second": "s", "secs": "s", "sec": "s",
	"milliseconds": "ms", "millisecond": "ms", "millis": "ms", "msec": "ms", "msecs": "ms", "ms": "ms",
	"microseconds": "us", "microsecond": "us", "nanoseconds": "ns", "nanosecond": "ns",
	"minutes": "min", "hours": "h", "days": "d", "weeks": "wk",
	"metres": "m", "meters": "m", "metre": "m", "meter": "m", "kilometres": "km", "kilometers": "km", "km": "km",
	"centimetres": "cm", "centimeters": "cm", "cm": "cm", "millimetres": "mm", "millimeters": "mm", "mm": "mm", "miles": "[mi_i]", "feet": "[ft_i]",
	"bytes": "By", "kilobytes": "kBy", "megabytes": "MBy", "gigabytes": "GBy", "kb": "kBy", "mb": "MBy", "gb": "GBy",
	"kib": "KiBy", "kibibytes": "KiBy", "mib": "MiBy", "mebibytes": "MiBy",
	"grams": "g", "kilograms": "kg", "kg": "kg", "milligrams": "mg", "pounds": "[lb_av]",
	"percent": "%", "percentage": "%", "celsius": "Cel", "fahrenheit": "[degF]", "kelvin": "K",
	"degrees": "deg", "radians": "rad", "cents": "cent",
}

// suffixes gives the endings of names that state a unit. Those that also mean
// another thing ("min", "m", "h") are not among them.
var suffixes = map[string]string{
	"ms": "ms", "msec": "ms", "millis": "ms", "milliseconds": "ms", "sec": "s", "secs": "s", "seconds": "s", "us": "us", "micros": "us", "microseconds": "us",
	"ns": "ns", "nanos": "ns", "mins": "min", "minutes": "min", "hours": "h", "hrs": "h", "days": "d",
	"km": "km", "metres": "m", "meters": "m", "cm": "cm", "mm": "mm", "miles": "[mi_i]", "feet": "[ft_i]",
	"bytes": "By", "kb": "kBy", "mb": "MBy", "gb": "GBy", "kib": "KiBy", "mib": "MiBy", "kg": "kg", "grams": "g",
	"pct": "%", "percent": "%", "celsius": "Cel", "fahrenheit": "[degF]", "kelvin": "K", "cents": "cent",
}

// suffixUnit reads the unit that the end of a name states. A name that is a
// unit and nothing else ("days") states it too.
func suffixUnit(name string) (unit, bool) {
	words := nameWords(name)
	if len(words) == 0 {
		return unit{}, false
	}
	last := words[len(words)-1]
	if last == "s" && len(words) > 1 && strings.HasSuffix(name, "_s") {
		return units["s"], true
	}
	u, ok := units[suffixes[last]]
	return u, ok
}

// nameWords splits a name at separators and at capitals, in lower case.
func nameWords(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	lower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && lower:
			flush()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
	}
	flush()
	return words
}

// proseUnit reads the unit that a description states of its value, and of
// nothing else: "in seconds", "(ms)", "Seconds to wait", "Number of minutes". A
// text that names two in such a place states none.
func proseUnit(text string) (unit, bool) {
	words := proseWords(text)
	var found unit
	n := 0
	for i, w := range words {
		u, ok := units[unitWords[w.text]]
		if !ok || !stands(words, i) || n > 0 && u == found {
			continue
		}
		found = u
		n++
	}
	return found, n == 1
}

type proseWord struct {
	text string
	open bool // an opening bracket stands before it
	shut bool // a closing one after it
	ends bool // a sentence ends after it
}

// stands reports whether the unit word at i speaks of the value itself.
func stands(words []proseWord, i int) bool {
	w := words[i]
	if w.open && w.shut || w.open && i+1 < len(words) && words[i+1].shut {
		return true
	}
	if i == 0 {
		return len(words) > 1 && (words[1].text == "to" || words[1].text == "until" || words[1].text == "before" || words[1].text == "between" || words[1].text == "after") || len(words) == 1
	}
	before := words[i-1]
	if before.ends || w.open {
		return false
	}
	switch before.text {
	case "in", "of", "as", "unit", "units", "many":
	default:
		return false
	}
	if before.text == "of" && (i < 2 || words[i-2].text != "number" && words[i-2].text != "count" && words[i-2].text != "units") {
		return false
	}
	if before.text == "many" && (i < 2 || words[i-2].text != "how") {
		return false
	}
	return before.text != "as" || i >= 2 && (words[i-2].text == "given" || words[i-2].text == "expressed" || words[i-2].text == "measured")
}

func proseWords(text string) []proseWord {
	var words []proseWord
	var b strings.Builder
	open := false
	flush := func() {
		if b.Len() > 0 {
			words = append(words, proseWord{text: b.String(), open: open})
			b.Reset()
			open = false
		}
	}
	for i, r := range strings.ToLower(text) {
		if i > 2000 {
			break
		}
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case r == '(' || r == '[':
			flush()
			open = true
		default:
			flush()
			if len(words) > 0 && (r == ')' || r == ']') {
				words[len(words)-1].shut = true
			}
			if len(words) > 0 && strings.ContainsRune(".;:!?\n", r) {
				words[len(words)-1].ends = true
			}
			if !unicode.IsSpace(r) && r != '-' && r != '"' && r != '\'' && r != '`' {
				open = false
			}
		}
	}
	flush()
	return words
}

// factors are the ratios that two readings of one unit differ by, the likeliest
// first.
var factors = []struct {
	name  string
	value float64
}{
	{"1/1000", 1e-3}, {"1000", 1e3}, {"60", 60}, {"1/60", 1.0 / 60}, {"100", 100}, {"1/100", 0.01},
	{"3600", 3600}, {"1/3600", 1.0 / 3600}, {"86400", 86400}, {"1/86400", 1.0 / 86400}, {"1000000", 1e6}, {"1/1000000", 1e-6}, {"1024", 1024}, {"1/1024", 1.0 / 1024},
}

// factorOf names the known factor that a ratio is, within a relative tolerance.
func factorOf(ratio, tolerance float64) (string, bool) {
	for _, f := range factors {
		if d := ratio/f.value - 1; d >= -tolerance && d <= tolerance {
			return f.name, true
		}
	}
	return "", false
}

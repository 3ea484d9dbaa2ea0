package words

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWithoutExamples(t *testing.T) {
	for text, want := range map[string]string{
		"The city":                "The city",
		"The city, such as Paris": "The city,",
		"The city (e.g. Paris, France) to look up":      "The city ( ) to look up",
		"The city and state, e.g., San Francisco, CA":   "The city and state,",
		"Location such as 'New York, NY'. Short form":   "Location . Short form",
		"Dates, for example 2.5. Use a dot.":            "Dates, . Use a dot.",
		"Places like Rome; others too":                  "Places ; others too",
		"Things that people like to do":                 "Things that people like to do",
		"It doesn't matter, the user's choice":          "It doesn't matter, the user's choice",
		"One of \"red\" and `blue`":                     "One of and",
		"Unit of the answer, default is Celsius, not K": "Unit of the answer, , not K",
		"도시 (예: 서울, 부산)의 날씨":                            "도시 ( )의 날씨",
		"都市名。例えば東京。日付":                                  "都市名。 。日付",
		"Example: Berlin":                               "",
		"An example of a text":                          "An example of a text",
		"exact regular expression":                      "exact regular expression",
	} {
		if got := strings.Join(strings.Fields(WithoutExamples(text)), " "); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// FuzzWithoutExamples: what is left stood in the text in that order, and what is
// valid stays so.
func FuzzWithoutExamples(f *testing.F) {
	for _, s := range []string{"such as Paris", "e.g. 'a", "「東京」など", "(e.g. (a) b) c", "'", "like Ω"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := WithoutExamples(text)
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Fatalf("%q becomes %q", text, got)
		}
		rest := text
		for _, r := range got {
			if r == ' ' {
				continue
			}
			i := strings.IndexRune(rest, r)
			if i < 0 && r != utf8.RuneError {
				t.Fatalf("%q becomes %q", text, got)
			}
			rest = rest[max(i, 0):]
		}
	})
}

package words

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestTokens(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", ""},
		{"getUserName", "get user name"},
		{"HTTPServer2", "http server 2"},
		{"read_file-path.txt", "read file path txt"},
		{"Extract the fields of a document", "extract field document"},
		{"cities companies boxes classes status", "city company box class status"},
		{"stopped calling closed files", "stop call clos file"},
		{"オファー", "オフ ファ ァー"},
		{"오늘 서울 날씨", "오늘 서울 날씨"},
		{"東京の天気予報", "東京 京の の天 天気 気予 予報"},
		{"ＡＢＣ１２３", "abc 123"},
		{"weather날씨", "weather 날씨"},
		{"雨", "雨"},
		{"naïve café", "naïv café"},
		{"the of and", ""},
	} {
		if got := strings.Join(Tokens(tc.text), " "); got != tc.want {
			t.Errorf("Tokens(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"getUserName", "날씨 weather", "a\x00b\xff", "ﷺ", "ＡＢＣ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, term := range Tokens(text) {
			if term == "" || utf8.ValidString(text) && !utf8.ValidString(term) {
				t.Errorf("Tokens(%q) holds %q", text, term)
			}
		}
		Read(text)
	})
}

func FuzzStem(f *testing.F) {
	f.Add("stopped")
	f.Fuzz(func(t *testing.T, w string) {
		if got := Stem(w); len(got) > len(w)+1 || len(w) > 0 && got == "" {
			t.Errorf("Stem(%q) = %q", w, got)
		}
	})
}

// TestPlainTokens: a text of ASCII alone is read the short way, and alike.
func TestPlainTokens(t *testing.T) {
	long := func(text string) []string {
		var tk tokenizer
		for _, r := range norm.NFKC.String(text) {
			tk.add(r)
			if len(tk.out) >= maxTokens {
				break
			}
		}
		tk.flush()
		return tk.out
	}
	chance := rand.New(rand.NewPCG(1, 2))
	const letters = "aAbBzZsSeEdD019__ ..-/'ing"
	for range 20000 {
		text := make([]byte, chance.IntN(24))
		for i := range text {
			text[i] = letters[chance.IntN(len(letters))]
		}
		if got, want := Tokens(string(text)), long(string(text)); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"", "\x00\x7f", strings.Repeat("word ", 2*maxTokens), strings.Repeat("1a", maxTokens), strings.Repeat("A", 100) + "b", "HTTPServer URLs getX"} {
		if got, want := Tokens(text), long(text); !slices.Equal(got, want) {
			t.Errorf("%.40q: %d terms, want %d", text, len(got), len(want))
		}
	}
}

// TestClassOf: the short ways give the class that the tables give.
func TestClassOf(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := other
		switch {
		case unicode.IsDigit(r):
			want = digit
		case unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー' || r == '々':
			want = cjk
		case unicode.IsUpper(r):
			want = upper
		case unicode.IsLetter(r) || unicode.IsMark(r):
			want = lower
		}
		if got := classOf(r); got != want {
			t.Fatalf("%U: %d, want %d", r, got, want)
		}
	}
}

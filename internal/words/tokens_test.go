package words

import (
	"strings"
	"testing"
	"unicode/utf8"
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

package index

import (
	"slices"
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

func TestExact(t *testing.T) {
	names := [][]string{{"docs/extract_v2", "extract_v2", "Read Document"}, {"get"}, {"天気を調べる"}}
	seg := Build(3, []Doc{{Tool: 0, Name: "x"}, {Tool: 1, Name: "y"}, {Tool: 2, Name: "z"}}, func(i int) []string { return names[i] })
	view := NewView([]*Segment{seg}, []Bitset{full(3)})
	for _, tc := range []struct {
		need string
		want []int
	}{
		{"docs/extract_v2", []int{0}},
		{"  EXTRACT_V2 ", []int{0}},
		{"please call extract_v2, then stop.", []int{0}},
		{"could you read document pages", []int{0}},
		{"(docs/extract_v2)!", []int{0}},
		{"extract", nil},
		{"get", []int{1}},              // the whole need is the name
		{"get me something else", nil}, // one plain word of many names nothing
		{"天気を調べる", []int{2}},
		{"", nil},
	} {
		var got []int
		for _, e := range Search(view, NewQuery(tc.need, nil), sum) {
			if e.Exact {
				got = append(got, e.Tool)
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%q names %v, want %v", tc.need, got, tc.want)
		}
	}
}

func TestQueryIsBounded(t *testing.T) {
	q := NewQuery(strings.Repeat("가나다라마바사 word", 20_000), nil)
	if len(q.terms) > 256 || q.CJK() < 0 || q.CJK() > 1 {
		t.Errorf("%d terms, share %v", len(q.terms), q.CJK())
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
		NewQuery(text, nil)
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

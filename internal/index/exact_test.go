package index

import (
	"slices"
	"strings"
	"testing"
)

func TestExact(t *testing.T) {
	names := [][]string{{"docs/extract_v2", "extract_v2", "Read Document"}, {"get"}, {"天気を調べる"}}
	seg := Build(3, []Doc{{Tool: 0, Name: "x"}, {Tool: 1, Name: "y"}, {Tool: 2, Name: "z"}}, nil, func(i int) []string { return names[i] })
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
		{"run extract_v2を使って", []int{0}},
		{"", nil},
	} {
		var got []int
		for _, e := range Search(view, NewQuery(tc.need, nil, nil)) {
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
	q := NewQuery(strings.Repeat("가나다라마바사 word", 20_000), nil, nil)
	if len(q.lexical)+len(q.native)+len(q.gloss) > 3*maxTerms {
		t.Errorf("%d terms", len(q.lexical)+len(q.native)+len(q.gloss))
	}
}

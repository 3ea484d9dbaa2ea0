package index

import (
	"fmt"
	"math/rand/v2"
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

// TestExactIsTheMap: names find what a map of them finds, in the same order.
func TestExactIsTheMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tools := range []int{0, 1, 2, 300, 5000} {
		names, want, longest := make([][]string, tools), map[string][]int32{}, 0
		for tool := range names {
			for range rng.IntN(4) {
				name := fmt.Sprintf("Name  %d of%s", rng.IntN(2*tools), strings.Repeat(" a tool", rng.IntN(3)))
				names[tool] = append(names[tool], name, " ", name)
				key := strings.ToLower(strings.Join(strings.Fields(name), " "))
				if !slices.Contains(want[key], int32(tool)) {
					want[key] = append(want[key], int32(tool))
				}
				longest = max(longest, len(strings.Fields(name)))
			}
		}
		x := newExact(tools, func(tool int) []string { return names[tool] })
		for key, found := range want {
			if got := x.of(key); !slices.Equal(got, found) {
				t.Fatalf("%d tools: %q finds %v, want %v", tools, key, got, found)
			}
		}
		for i := range 2000 {
			if got := x.of(fmt.Sprintf("name %d of", 2*tools+i)); len(got) > 0 {
				t.Fatalf("%d tools: nobody's name finds %v", tools, got)
			}
		}
		if x.words != longest {
			t.Errorf("%d tools: the longest name has %d words, want %d", tools, x.words, longest)
		}
	}
}

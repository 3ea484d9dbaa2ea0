package index

import (
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock/embedding/lexicon"
)

// shelf is a small catalogue in three languages, two tools of each.
func shelf(t *testing.T, glossed bool, kept ...int) *View {
	t.Helper()
	docs := []Doc{
		{Name: "w1", Description: "오늘의 날씨를 알려줍니다"},
		{Name: "m1", Description: "이메일을 보냅니다"},
		{Name: "w2", Description: "Tells today's weather"},
		{Name: "m2", Description: "Sends an email"},
		{Name: "w3", Description: "今日の天気を教えます"},
		{Name: "m3", Description: "メールを送信します"},
	}
	bits := NewBitset(len(docs))
	for i := range docs {
		docs[i].Tool = i
		if len(kept) == 0 {
			bits.Set(i)
		}
	}
	for _, i := range kept {
		bits.Set(i)
	}
	none := func(int) []string { return nil }
	if !glossed {
		return NewView([]*Segment{Build(len(docs), docs, nil, none)}, []Bitset{bits})
	}
	lex, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	return NewView([]*Segment{Build(len(docs), docs, lex, none)}, []Bitset{bits})
}

// TestGlossedWordings: an English need finds what another language says of a
// tool by its words and by their direction, and is told that it is another one.
func TestGlossedWordings(t *testing.T) {
	q := NewQuery("what is the weather like", nil, nil)
	got := Search(shelf(t, true), q)
	for i, e := range got {
		if foreign := i < 2 || i > 3; e.Foreign != foreign {
			t.Errorf("tool %d: foreign %t", i, e.Foreign)
		}
	}
	for _, i := range []int{0, 2, 4} {
		if got[i].Lexical <= got[i+1].Lexical || got[i].Gist <= got[i+1].Gist {
			t.Errorf("tool %d: %+v is no nearer than %+v", i, got[i], got[i+1])
		}
	}
	if got[0].Lexical >= got[2].Lexical {
		t.Errorf("a word by the vocabulary counts like one that stands there: %v and %v", got[0].Lexical, got[2].Lexical)
	}
	for i, e := range Search(shelf(t, false), q) {
		if e.Foreign && e.Lexical != 0 {
			t.Errorf("without a vocabulary tool %d has %+v", i, e)
		}
	}
}

// TestGlossMeetsGloss: a need and a tool in two languages that are both not
// English meet in English; in one language they are read as they stand.
func TestGlossMeetsGloss(t *testing.T) {
	lex, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	need := "明日の天気は？"
	q := NewQuery(need, lex.Gloss(need), nil)
	got := Search(shelf(t, true), q)
	if got[0].Gloss <= got[1].Gloss {
		t.Errorf("Japanese need, Korean tools: %v and %v", got[0].Gloss, got[1].Gloss)
	}
	if got[4].Gloss != 0 {
		t.Errorf("a Japanese need is held against the English words for a Japanese tool: %v", got[4].Gloss)
	}
}

// TestGlossUnderAView: what the vocabulary gives for a hidden tool moves nothing
// of the others, in either direction.
func TestGlossUnderAView(t *testing.T) {
	q := NewQuery("send an email about the weather", nil, nil)
	part := Search(shelf(t, true, 0, 2, 3), q)
	lex, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	own := []Doc{{Name: "w1", Description: "오늘의 날씨를 알려줍니다"}, {Tool: 1, Name: "w2", Description: "Tells today's weather"}, {Tool: 2, Name: "m2", Description: "Sends an email"}}
	alone := Search(NewView([]*Segment{Build(3, own, lex, func(int) []string { return nil })}, []Bitset{AllOf(3)}), q)
	for i := range alone {
		alone[i].Tool = part[i].Tool
		if part[i] != alone[i] {
			t.Errorf("%s: %+v under a view, %+v alone", own[i].Name, part[i], alone[i])
		}
	}
}

// BenchmarkGloss says what a wording in another language costs at registration.
func BenchmarkGloss(b *testing.B) {
	lex, err := lexicon.Load()
	if err != nil {
		b.Fatal(err)
	}
	d := Doc{Name: "get_weather", Description: strings.Repeat("지정된 지역에 대해 내일부터 7일 동안의 날씨 예보를 제공합니다. ", 5), Params: []string{"location"}}
	for _, glosser := range []*lexicon.Lexicon{nil, lex} {
		name := "without"
		if glosser != nil {
			name = "with"
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if glosser == nil {
					weigh(d, nil)
				} else {
					weigh(d, glosser)
				}
			}
		})
	}
}

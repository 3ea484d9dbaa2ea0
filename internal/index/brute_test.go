package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/words"
)

// The search under a view, the obvious way: over the visible tools alone, from
// their texts, without postings, segments or bits.

type plainDoc struct {
	segment, tool int
	length        float64
	tf            map[string]float64
	things        map[string]float64 // of names and inputs alone
	language      words.Language
	glossed       map[string]float64
}

// holds gives how often a doc holds a term, or an English word for what it says
// in another language than the query.
func (p plainDoc) holds(term string, q Query) float64 {
	if p.tf[term] == 0 && p.language != q.Reading().Language {
		return p.glossed[term]
	}
	return p.tf[term]
}

// vocabulary glosses a few words.
type vocabulary map[string][]interlock.GlossWord

func (v vocabulary) Name() string { return "few" }

func (v vocabulary) Gloss(text string) []interlock.GlossWord {
	var out []interlock.GlossWord
	for _, word := range strings.Fields(text) {
		out = append(out, v[word]...)
	}
	return out
}

var fewWords = vocabulary{"날씨": {{Text: "weather", Weight: 0.75}, {Text: "forecasts", Weight: 0.5}}, "도시": {{Text: "city", Weight: 1}}, "天気": {{Text: "weather", Weight: 0.5}}}

func plain(segment int, d Doc) plainDoc {
	p := plainDoc{segment: segment, tool: d.Tool, tf: map[string]float64{}, things: map[string]float64{}, glossed: map[string]float64{}, language: words.LanguageOf(d.Description)}
	if d.Description == "" {
		p.language = words.LanguageOf(d.Name)
	}
	put := func(weight float64, limit int, texts ...string) {
		for _, text := range texts {
			terms := words.Tokens(text)
			for _, term := range terms[:min(len(terms), limit)] {
				p.tf[term] = float64(float32(p.tf[term]) + float32(weight))
				p.length = float64(float32(p.length) + float32(weight))
			}
		}
	}
	put(weightName, maxTokens, d.Name)
	put(weightAlias, maxTokens, d.Aliases...)
	put(weightFamily, maxTokens, d.Family)
	put(weightTitle, maxTokens, d.Title)
	put(weightSource, maxTokens, d.Source)
	put(weightText, maxTokens, d.Description)
	put(weightParam, maxTokens, d.Params...)
	put(weightOutput, maxTokens, d.Outputs...)
	put(weightEnum, maxTokens, d.Enums...)
	put(weightDocs, maxDocsTokens, d.ParamDocs)
	for _, x := range []struct {
		weight float64
		texts  []string
	}{{weightName, []string{d.Name}}, {weightAlias, d.Aliases}, {weightTitle, []string{d.Title}}, {weightParam, d.Params}, {weightEnum, d.Enums}, {weightDocs, []string{d.ParamDocs}}} {
		for _, term := range words.Tokens(strings.Join(x.texts, " ")) {
			p.things[term] += x.weight
		}
	}
	p.gloss(weightName, d.Name)
	p.gloss(weightAlias, d.Aliases...)
	p.gloss(weightText, d.Description)
	p.gloss(weightParam, d.Params...)
	p.gloss(weightDocs, d.ParamDocs)
	return p
}

func (p plainDoc) gloss(weight float64, texts ...string) {
	for _, text := range texts {
		for _, g := range fewWords.Gloss(text) {
			term := words.Tokens(g.Text)[0]
			if p.language != words.English {
				p.glossed[term] = float64(float32(p.glossed[term]) + float32(weight*weightGloss*g.Weight))
			}
		}
	}
}

// covered gives the lexical evidence of each visible doc.
func covered(docs []plainDoc, tools int, q Query) []float64 {
	average := 0.0
	for _, d := range docs {
		average += d.length / float64(len(docs))
	}
	out := make([]float64, len(docs))
	total := 0.0
	for _, t := range q.lexical {
		term := t.text
		idf := t.weight * plainRarity(docs, tools, func(d plainDoc) float64 { return d.holds(term, q) })
		total += idf
		for i, d := range docs {
			tf := d.holds(term, q)
			out[i] += idf * tf / (tf + k1*(1-b+b*d.length/average))
		}
	}
	for i, d := range docs {
		for term, weight := range plainKinds(q) {
			if tf := d.things[term]; tf > 0 {
				out[i] += generaWeight * weight * plainRarity(docs, tools, func(d plainDoc) float64 { return d.things[term] }) * tf / (tf + k1*(1-b+b*d.length/average))
			}
		}
		if total > 0 {
			out[i] = min(1, out[i]/total)
		}
	}
	return out
}

// plainKinds gives the terms of general nouns for what a query names.
func plainKinds(q Query) map[string]float64 {
	out := map[string]float64{}
	if q.reading.Language != words.English {
		return out
	}
	for _, t := range q.lexical {
		words.EachGenus(t.text, func(g words.Genus, share float64) { out[words.Stem(g.String())] += share * t.weight })
	}
	for _, t := range q.lexical {
		delete(out, t.text)
	}
	return out
}

func plainRarity(docs []plainDoc, tools int, holds func(plainDoc) float64) float64 {
	holders := map[[2]int]bool{}
	for _, d := range docs {
		if holds(d) > 0 {
			holders[[2]int{d.segment, d.tool}] = true
		}
	}
	n, f := float64(tools)+background, float64(len(holders))+commonTools
	return math.Log(1 + (n-f+0.5)/(f+0.5))
}

// world is a random index with a random view over it.
type world struct {
	segments []*Segment
	visible  []Bitset
	docs     []plainDoc // visible ones
	rebuilt  []*Segment // of the visible tools alone, with every bit set
	all      []Bitset
	place    map[[2]int][2]int // of a tool in the rebuilt segments
	tools    int
}

func randomWorld(r *rand.Rand) world {
	w := world{place: map[[2]int][2]int{}}
	for seg := range 1 + r.IntN(4) {
		var docs, kept []Doc
		tools, left := r.IntN(30), 0
		bits := NewBitset(tools)
		names := map[int][]string{}
		for tool := range tools {
			shown := r.IntN(3) > 0
			variants := 1 + r.IntN(3)
			names[tool] = []string{fmt.Sprintf("s%d/t_%d", seg, tool), sentence(r, 1+r.IntN(3))}
			for range variants {
				d := Doc{Tool: tool, Name: sentence(r, 1), Family: sentence(r, 1), Source: sentence(r, 1), Description: sentence(r, r.IntN(12)),
					Aliases: []string{sentence(r, 1)}, Params: []string{sentence(r, 2)}, ParamDocs: sentence(r, r.IntN(6)), Vector: vector(r)}
				docs = append(docs, d)
				if shown {
					w.docs = append(w.docs, plain(seg, d))
					d.Tool = left
					kept = append(kept, d)
				}
			}
			if shown {
				bits.Set(tool)
				w.place[[2]int{seg, left}] = [2]int{seg, tool}
				left++
				w.tools++
			}
		}
		w.segments = append(w.segments, Build(tools, docs, fewWords, func(tool int) []string { return names[tool] }))
		w.visible = append(w.visible, bits)
		w.rebuilt = append(w.rebuilt, Build(left, kept, fewWords, func(tool int) []string { return names[w.place[[2]int{seg, tool}][1]] }))
		w.all = append(w.all, full(left))
	}
	return w
}

func full(n int) Bitset {
	bits := NewBitset(n)
	for i := range n {
		bits.Set(i)
	}
	return bits
}

var some = strings.Fields("weather city forecast read write document extract note bell tower lamp device object 날씨 도시 天気 都市の天気 getUserName HTTPServer running stopped")

func sentence(r *rand.Rand, n int) string {
	var out []string
	for range n {
		out = append(out, some[r.IntN(len(some))])
	}
	return strings.Join(out, " ")
}

func vector(r *rand.Rand) []float32 {
	if r.IntN(5) == 0 {
		return nil
	}
	v := make([]float32, 16)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// TestSearchUnderAView: what a view gives is what an index of its tools alone
// gives, to the bit, and what the obvious way gives, to rounding.
func TestSearchUnderAView(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := randomWorld(r)
		q := NewQuery(sentence(r, 1+r.IntN(8))+" s1/t_2", []interlock.GlossWord{{Text: "weather", Weight: 0.5}}, [][]float32{vector(r), vector(r)}[:1])
		view := NewView(w.segments, w.visible)
		got := Search(view, q)
		if view.Tools() != w.tools || len(got) != len(w.docs) {
			t.Fatalf("seed %d: %d tools, %d wordings found, want %d and %d", seed, view.Tools(), len(got), w.tools, len(w.docs))
		}
		alone := Search(NewView(w.rebuilt, w.all), q)
		for i, e := range alone {
			at := w.place[[2]int{e.Segment, e.Tool}]
			e.Segment, e.Tool = at[0], at[1]
			if got[i] != e {
				t.Fatalf("seed %d: under the view %+v, in an index of its own %+v", seed, got[i], e)
			}
		}
		checkCover(t, seed, w, q, got)
	}
}

func checkCover(t *testing.T, seed uint64, w world, q Query, got []Evidence) {
	t.Helper()
	for i, want := range covered(w.docs, w.tools, q) {
		if e := got[i]; math.Abs(want-float64(e.Lexical)) > 1e-5 || e.Lexical < 0 || e.Lexical > 1.00001 || e.Segment != w.docs[i].segment {
			t.Fatalf("seed %d: lexical %+v, the obvious way gives %v", seed, e, want)
		}
	}
}

// TestContextIsOfTheSource: the context of a wording is the mean of its
// source's three nearest, wherever its tools stand.
func TestContextIsOfTheSource(t *testing.T) {
	at := func(x float32) []float32 { return []float32{x, float32(math.Sqrt(float64(1 - x*x)))} }
	none := func(int) []string { return nil }
	a := Build(3, []Doc{{Source: "s", Vector: at(0.9)}, {Tool: 1, Source: "s", Vector: at(0.1)}, {Tool: 2, Source: "other", Vector: at(0.5)}}, nil, none)
	c := Build(2, []Doc{{Source: "s", Vector: at(0.6)}, {Tool: 1, Source: "s", Vector: at(0.3)}}, nil, none)
	got := Search(NewView([]*Segment{a, c}, []Bitset{full(3), full(2)}), NewQuery("x", nil, [][]float32{{1, 0}}))
	for i, want := range []float64{0.6, 0.6, 0.5, 0.6, 0.6} {
		if math.Abs(float64(got[i].Context)-want) > 0.02 {
			t.Errorf("wording %d has context %v, want %v", i, got[i].Context, want)
		}
	}
}

// TestSourceIsNews: a source's name counts where the need holds it, and not for
// tools whose own name says it already.
func TestSourceIsNews(t *testing.T) {
	s := Build(3, []Doc{{Name: "post_message", Source: "chat.slack"}, {Tool: 1, Name: "slack_users", Source: "chat.slack"}, {Tool: 2, Name: "post", Source: "mcp-server"}}, nil, func(int) []string { return nil })
	got := Search(NewView([]*Segment{s}, []Bitset{full(3)}), NewQuery("post it on Slack, server", nil, nil))
	if got[0].Source <= 0 || got[1].Source != 0 || got[2].Source != 0 {
		t.Errorf("%+v", got)
	}
}

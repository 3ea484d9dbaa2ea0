package index

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Query is a need made ready for search. It is independent of any view and may
// be kept.
type Query struct {
	reading words.Reading
	lexical []term   // the need's words in Latin letters
	native  []term   // its Han, Kana and Hangul pieces
	gloss   []term   // English words for them
	implied []term   // words for what it asks without naming it
	kinds   []kind   // of an English need: general nouns for what it names
	fields  []string // the text cut at white space, as it is spelled
	vector  embedding.Vector
	gist    embedding.Vector // of an English need
	text    string
	earlier *words.Reading
	parts   []Query // the requests that the need clearly consists of; none where it is one
}

// term is a search term and what it weighs in the query.
type term struct {
	text   string
	weight float64
}

const (
	maxTerms = 256
	// valueWeight is what a word inside a value (a date, a quoted text) weighs
	// against a word of the request itself.
	valueWeight = 0.6
	// momentWeight is what a word weighs that says when, as seen from the day.
	momentWeight = 0.3
	// instrumentWeight is what a word weighs of what the need asks to be used.
	instrumentWeight = 3
)

// texts gives the texts whose mean direction is the vector of a need: itself,
// and an English one also without its values, which would else drown it.
func texts(text string, r words.Reading) []string {
	if r.Language == words.English && r.Bare != text && len(r.Literals) > 0 {
		return []string{text, r.Bare}
	}
	return []string{text}
}

// Prepare makes a need ready with an embedder and a vocabulary; each may be nil.
// What was said earlier counts beside it, and less.
func Prepare(ctx context.Context, text string, earlier []string, embedder interlock.Embedder, glosser interlock.Glosser) (Query, error) {
	q, err := prepare(ctx, text, embedder, glosser)
	before := Earlier(earlier)
	if err != nil || before == "" {
		return q, err
	}
	past, err := prepare(ctx, before, embedder, glosser)
	if err != nil {
		return Query{}, err
	}
	return q.after(past), nil
}

func prepare(ctx context.Context, text string, embedder interlock.Embedder, glosser interlock.Glosser) (Query, error) {
	all := append([]string{text}, words.Clauses(text)...)
	readings := make([]words.Reading, len(all))
	var meant []string
	ends := make([]int, len(all)) // of each text's part of meant
	for i, t := range all {
		readings[i] = words.Read(t)
		meant = append(meant, texts(t, readings[i])...)
		ends[i] = len(meant)
	}
	var vectors [][]float32
	if embedder != nil {
		var err error
		if vectors, err = embedder.Embed(ctx, meant); err != nil {
			return Query{}, err
		}
	}
	queries := make([]Query, len(all))
	from := 0
	for i, t := range all {
		var gloss []interlock.GlossWord
		if glosser != nil {
			gloss = glosser.Gloss(t)
		}
		var own [][]float32
		if len(vectors) == len(meant) {
			own = vectors[from:ends[i]]
		}
		from = ends[i]
		queries[i] = newQuery(t, readings[i], gloss, own)
	}
	queries[0].parts = queries[1:]
	return queries[0], nil
}

// NewQuery prepares a text, English words for it, and the vectors of texts that
// mean it; the last two may be nil. It reads the text as one request.
func NewQuery(text string, gloss []interlock.GlossWord, vectors [][]float32) Query {
	return newQuery(text, words.Read(text), gloss, vectors)
}

func newQuery(text string, reading words.Reading, gloss []interlock.GlossWord, vectors [][]float32) Query {
	q := Query{reading: reading, text: text, fields: strings.Fields(text), vector: embedding.Quantise(mean(vectors))}
	if reading.Language == words.English {
		q.gist = gistOf(texts(text, reading)...)
	}
	asked := map[string]bool{}
	for _, t := range words.Tokens(q.reading.Bare) {
		asked[t] = true
	}
	seen := map[string]bool{}
	for _, t := range words.Tokens(words.WithoutBlobs(text)) {
		if seen[t] {
			continue
		}
		seen[t] = true
		weight := valueWeight
		switch {
		case slices.Contains(reading.Instruments, t):
			weight = instrumentWeight
		case slices.Contains(reading.Moments, t):
			weight = momentWeight
		case asked[t]:
			weight = 1
		}
		if words.IsCJK(t) {
			q.native = put(q.native, t, weight)
		} else {
			q.lexical = put(q.lexical, t, weight)
		}
	}
	for _, t := range reading.Implied {
		if !seen[t] {
			q.implied = put(q.implied, t, 1)
		}
	}
	if q.reading.Language == words.English {
		q.kinds = kindsOf(q.lexical)
	} else {
		for _, g := range gloss {
			for _, t := range words.Tokens(g.Text) {
				q.gloss = put(q.gloss, t, g.Weight)
			}
		}
	}
	return q
}

// put adds a term, or raises its weight.
func put(terms []term, text string, weight float64) []term {
	for i := range terms {
		if terms[i].text == text {
			terms[i].weight = max(terms[i].weight, weight)
			return terms
		}
	}
	if len(terms) == maxTerms {
		return terms
	}
	return append(terms, term{text, weight})
}

// Text gives the words of the need.
func (q Query) Text() string { return q.text }

// Parts gives the requests that the need consists of; none where it is one.
func (q Query) Parts() []Query { return q.parts }

// Reading gives what the need's words say.
func (q Query) Reading() words.Reading { return q.reading }

// Vector gives the need's vector; its zero value is none.
func (q Query) Vector() embedding.Vector { return q.vector }

// Directed reports that the need has a vector.
func (q Query) Directed() bool { return len(q.vector.Values) > 0 }

// Undirected is the need without its vector.
func (q Query) Undirected() Query {
	q.vector = embedding.Vector{}
	q.parts = slices.Clone(q.parts)
	for i := range q.parts {
		q.parts[i].vector = embedding.Vector{}
	}
	return q
}

// Wordless reports that the need holds nothing that could be searched for.
func (q Query) Wordless() bool { return len(q.lexical)+len(q.native) == 0 }

// mean gives the direction between vectors of one length; nil for none.
func mean(vectors [][]float32) []float32 {
	if len(vectors) == 0 {
		return nil
	}
	out := slices.Clone(vectors[0])
	for _, v := range vectors[1:] {
		for i := range out {
			out[i] += v[i]
		}
	}
	return out
}

// Glossed counts the English words that stand for the need's.
func (q Query) Glossed() float64 { return float64(len(q.gloss)) }

// Length counts the terms of the need.
func (q Query) Length() int { return len(q.lexical) + len(q.native) }

// Holds reports whether a term is among the need's words or their glosses.
func (q Query) Holds(t string) bool {
	same := func(x term) bool { return x.text == t }
	return slices.ContainsFunc(q.lexical, same) || slices.ContainsFunc(q.gloss, same) || slices.ContainsFunc(q.native, same)
}

// Unknown gives the share of the need's words, by weight and rarity, that no
// visible tool holds; of a need in another language, of their glosses.
func Unknown(v *View, q Query) float64 {
	terms := q.lexical
	if len(q.gloss) > 0 {
		terms = q.gloss
	}
	var all, unknown float64
	for _, t := range terms {
		df := v.frequency(t.text, q.reading.Language)
		w := float64(t.weight * inverseFrequency(df, v.tools))
		all += w
		if df == 0 {
			unknown += w
		}
	}
	if all == 0 {
		return 1
	}
	return unknown / all
}

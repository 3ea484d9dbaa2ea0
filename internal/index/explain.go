package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/words"
)

// Match is a term that a query and a wording share.
type Match struct {
	Term  string
	Share float64 // its part of what all terms of its kind could give
}

// Matches are the terms that a query shares with the wording of a tool that
// covers most of it, by kind, the greatest share first.
type Matches struct {
	Lexical, Native, Gloss, Implied []Match
}

// Matched gives the terms behind the evidence of one tool.
func Matched(v *View, q Query, e Evidence) Matches {
	var best Matches
	most := -1.0
	for j := range v.segments[e.Segment].docs {
		if int(v.segments[e.Segment].docs[j].tool) != e.Tool {
			continue
		}
		var m Matches
		sum := 0.0
		for _, part := range []struct {
			terms []term
			into  *[]Match
		}{{q.lexical, &m.Lexical}, {q.native, &m.Native}, {q.gloss, &m.Gloss}, {q.implied, &m.Implied}} {
			*part.into = v.matches(q, part.terms, e.Segment, j)
			if part.into == &m.Lexical {
				m.Lexical = v.byKind(m.Lexical, q, e.Segment, j)
			}
			for _, x := range *part.into {
				sum += x.Share
			}
		}
		if sum > most {
			best, most = m, sum
		}
	}
	return best
}

// matches gives the terms that one doc holds, each with its share.
func (v *View) matches(q Query, terms []term, segment, doc int) []Match {
	sums := make([]float32, v.offset[len(v.segments)])
	average := v.averageLength()
	total := 0.0
	var out []Match
	for _, t := range terms {
		rarity := float64(t.weight * inverseFrequency(v.frequency(t.text, q.reading.Language), v.tools))
		total += rarity
		clear(sums)
		v.add(sums, t.text, q.reading.Language, rarity, average)
		if x := sums[v.offset[segment]+doc]; x > 0 {
			out = append(out, Match{q.spelled(t.text), float64(x)})
		}
	}
	for i := range out {
		out[i].Share /= total
	}
	sortMatches(out)
	return out
}

// byKind adds the general nouns that one doc holds for what the query names.
func (v *View) byKind(found []Match, q Query, segment, doc int) []Match {
	total := 0.0
	for _, t := range q.lexical {
		total += float64(t.weight * inverseFrequency(v.frequency(t.text, q.reading.Language), v.tools))
	}
	s := v.segments[segment]
	for _, g := range s.generalIn(doc) {
		for _, k := range q.kinds {
			if k.genus == g.genus {
				full := saturated(float64(g.tf), float64(s.docs[doc].length)/v.averageLength()) / (1 + k1)
				found = append(found, Match{g.genus.String(), generaWeight * k.weight * v.genera[k.genus] * full / total})
			}
		}
	}
	sortMatches(found)
	return found
}

// sortMatches puts the greatest share first.
func sortMatches(found []Match) {
	slices.SortFunc(found, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), strings.Compare(a.Term, b.Term))
	})
}

// Missed gives the words of the query, or the English ones for them, that no
// visible tool holds, in the order of the query. Of a need in another language
// without English words for it they are its own.
func Missed(v *View, q Query) []string {
	out := []string{}
	put := func(word string, terms ...string) {
		if !slices.ContainsFunc(terms, func(t string) bool { return v.frequency(t, q.reading.Language) > 0 }) && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	switch {
	case len(q.gloss) > 0:
		for _, t := range q.gloss {
			put(t.text, t.text)
		}
	case q.reading.Language != words.English:
		for _, w := range q.reading.Content() {
			put(w, words.Tokens(w)...)
		}
	default:
		for _, t := range q.lexical {
			if t.weight == 1 { // values are not for tools to say
				put(q.spelled(t.text), t.text)
			}
		}
	}
	return out
}

// spelled gives a term as the need spells it: terms are stems.
func (q Query) spelled(term string) string {
	for _, f := range q.fields[:min(len(q.fields), maxTerms)] {
		if tokens := words.Tokens(f); len(tokens) == 1 && tokens[0] == term {
			return strings.ToLower(strings.TrimFunc(f, edgePunctuation))
		}
	}
	return term
}

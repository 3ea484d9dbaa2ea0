package discover

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
)

// kinds names the kinds of evidence, in the order of the weights.
var kinds = [len(numbers{})]string{"meaning", "gist", "words", "own words", "vocabulary", "implied", "source", "neighbours", "act", "other acts"}

// Explain gives, for entries of the list, what each kind of evidence was and
// what it added to the rank, the most first. It searches anew.
func (l List) Explain(entries []Entry) [][]interlock.Evidence {
	view := l.set.Frozen().View().Index
	w := l.regime.rank.list()
	mean, scale := spread(index.Search(view, l.query), w)
	out := make([][]interlock.Evidence, len(entries))
	for i, e := range entries {
		matched := index.Matched(view, l.query, e.Evidence)
		rest := e.Rank
		for k, x := range of(&e.Evidence) {
			adds := float64(w[k] * float64((x-mean[k])*scale[k]))
			rest -= adds
			if w[k] == 0 || x == 0 && Round(adds) == 0 {
				continue
			}
			out[i] = append(out[i], interlock.Evidence{Kind: kinds[k], Value: interlock.Score(Round(x)), Adds: interlock.Score(Round(adds)), Words: weighed(k, matched)})
		}
		if Round(rest) != 0 {
			out[i] = append(out[i], interlock.Evidence{Kind: "precedents", Adds: interlock.Score(Round(rest))})
		}
		slices.SortStableFunc(out[i], func(a, b interlock.Evidence) int {
			return cmp.Compare(math.Abs(float64(b.Adds)), math.Abs(float64(a.Adds)))
		})
	}
	return out
}

// maxWords bounds the words that are told of one kind of evidence.
const maxWords = 8

// weighed gives the words behind one kind of evidence.
func weighed(kind int, m index.Matches) []interlock.WeighedWord {
	of := [len(numbers{})][]index.Match{2: m.Lexical, 3: m.Native, 4: m.Gloss, 5: m.Implied}[kind]
	var out []interlock.WeighedWord
	for _, x := range of[:min(len(of), maxWords)] {
		out = append(out, interlock.WeighedWord{Word: x.Term, Share: interlock.Score(Round(x.Share))})
	}
	return out
}

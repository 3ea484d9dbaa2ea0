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

// Explain gives, for entries of a list whose need asks for an explanation, what
// each kind of evidence was as it was weighed and what it added to the rank, the
// most first. What is added is told in ten thousandths, and adds up to the rank
// in ten thousandths exactly.
func (l List) Explain(entries []Entry) [][]interlock.Evidence {
	view := l.set.Frozen().View().Index
	own, abroad := l.regime.weightsOf()
	mean, scale := spread(l.found, own)
	out := make([][]interlock.Evidence, len(entries))
	for i, e := range entries {
		matched := index.Matched(view, l.query, e.Evidence)
		w := own
		if e.Evidence.Foreign {
			w = abroad
		}
		var adds []float64
		for k, x := range of(&e.Evidence) {
			add := float64(w[k] * float64((x-mean[k])*scale[k]))
			if w[k] == 0 || x == 0 && Round(add) == 0 {
				continue
			}
			adds = append(adds, add)
			out[i] = append(out[i], interlock.Evidence{Kind: kinds[k], Value: interlock.Score(Round(x)), Words: weighed(k, matched)})
		}
		if raised := l.raised[e.Tool.ID]; Round(raised) != 0 {
			adds = append(adds, raised)
			out[i] = append(out[i], interlock.Evidence{Kind: "precedents"})
		}
		for j, add := range shared(e.Rank, adds) {
			out[i][j].Adds = interlock.Score(add)
		}
		slices.SortStableFunc(out[i], func(a, b interlock.Evidence) int {
			return cmp.Compare(math.Abs(float64(b.Adds)), math.Abs(float64(a.Adds)))
		})
	}
	return out
}

// shared rounds parts to ten thousandths so that they add up to the rounded
// whole: those are rounded the other way that lose the least by it.
func shared(whole float64, parts []float64) []float64 {
	out, order := make([]float64, len(parts)), make([]int, len(parts))
	short := math.Round(whole * unitsOfOne)
	for i, x := range parts {
		out[i], order[i] = math.Floor(x*unitsOfOne), i
		short -= out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(parts[b]*unitsOfOne-out[b], parts[a]*unitsOfOne-out[a])
	})
	for n := 0; short > 0 && n < len(order); n++ {
		out[order[n]]++
		short--
	}
	for n := len(order) - 1; short < 0 && n >= 0; n-- {
		out[order[n]]--
		short++
	}
	for i := range out {
		out[i] /= unitsOfOne
	}
	return out
}

// unitsOfOne is how many of the smallest parts that are told make one.
const unitsOfOne = 10000

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

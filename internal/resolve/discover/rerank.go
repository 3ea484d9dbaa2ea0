package discover

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// Rerank lets a reranker order the first n of the tools that may be used. It
// sees of each what the view shows, and moves none to another part, or past the
// n: what it says is an order, and nothing more. A tool that the need names,
// or that gives every wanted field, keeps its place. The scores stay where they
// are, so how near the first tool is, and how many are near enough, is what the
// evidence says. A reranker that fails changes nothing. What it says of the best
// is kept for a gate that was calibrated with it.
func (l List) Rerank(ctx context.Context, need string, r interlock.Reranker, n int) (List, error) {
	l = l.Whole()
	var at []int
	var texts []string
	for i, e := range l.entries {
		if len(at) < n && e.Class == eligible.Compatible && !e.Exact {
			at, texts = append(at, i), append(texts, snapshot.Wording(e.Tool))
		}
	}
	if (len(at) > 1 || len(at) == 1 && l.gates.Reranked.by(r.Name())) && !l.query.Wordless() {
		said, err := r.Rerank(ctx, need, texts)
		if err != nil {
			return l, err
		}
		if !oneEach(said, len(at)) {
			return l, errRerank
		}
		l.entries = reordered(l.entries, at, said)
		l.relevance = Relevance{By: r.Name(), Best: slices.Max(said)}
	}
	l.scorer += "+" + r.Name()
	return l, nil
}

// Relevance is what a reranker says of the tool that it holds for the best. Its
// zero value is of none that was asked.
type Relevance struct {
	By   string
	Best float64
}

// Relevance gives what the reranker said that ordered the list.
func (l List) Relevance() Relevance { return l.relevance }

// reordered puts the entries at some places into the order of numbers, the
// greatest first and equal ones as they were. Each place keeps its score.
func reordered(all []Entry, at []int, by []float64) []Entry {
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case by[a] > by[b]:
			return -1
		case by[a] < by[b]:
			return 1
		}
		return 0
	})
	out := slices.Clone(all)
	for i, from := range order {
		e := all[at[from]]
		e.Score = all[at[i]].Score
		out[at[i]] = e
	}
	return out
}

var errRerank = errors.New("the reranker did not give each text a number")

func oneEach(said []float64, n int) bool {
	return len(said) == n && !slices.ContainsFunc(said, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

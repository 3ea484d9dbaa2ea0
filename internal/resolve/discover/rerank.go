package discover

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/parallel"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// Rerank lets a reranker order the first n of the tools that may be used, for the
// need and for each request that it consists of: at most five orders, asked for
// together. It sees of each tool what the view shows, and moves none to another
// part, or past the n: what it says is an order, and nothing more. A tool that
// the need names, or that gives every wanted field, keeps its place. The scores
// stay where they are, so how near the first tool is, and how many are near
// enough, is what the evidence says. A reranker that fails in one order changes
// none. What it says of the best for the whole need is kept for a gate that was
// calibrated with it.
func (l List) Rerank(ctx context.Context, need string, r interlock.Reranker, n int) (List, error) {
	l = l.Whole()
	l.reranked = &interlock.RerankStage{Model: r.Name(), Orders: []interlock.RerankOrder{}}
	least := 2
	if l.gates.Reranked.by(r.Name()) {
		least = 1
	}
	asked := []*question{l.question(need, n, least)}
	l.parts = slices.Clone(l.parts)
	for i := range l.parts {
		l.parts[i] = l.parts[i].Whole()
		asked = append(asked, l.parts[i].question(l.parts[i].query.Text(), n, 2))
	}
	if err := askAll(ctx, r, asked); err != nil {
		return l, err
	}
	stage := &interlock.RerankStage{Model: r.Name(), Answered: true, Orders: []interlock.RerankOrder{}}
	for i, q := range asked {
		list := &l
		if i > 0 {
			list = &l.parts[i-1]
		}
		told := list.reorder(q)
		if i > 0 {
			told.Intent = q.need
		}
		stage.Orders = append(stage.Orders, told)
	}
	if says := asked[0].says; says != nil {
		l.relevance = Relevance{By: r.Name(), Best: slices.Max(says)}
	}
	l.reranked = stage
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

// Reranked gives what a reranker made of the list; nil where none was asked.
func (l List) Reranked() *interlock.RerankStage { return l.reranked }

// Unranked is the list in the order before a reranker's.
func (l List) Unranked() List {
	if l.before != nil {
		l.entries = l.before
	}
	return l
}

// question is one order that a reranker is asked for, and what it says.
type question struct {
	need  string
	at    []int // places among the entries
	texts []string
	says  []float64
}

// question gives what a reranker is asked about a list: nothing where fewer than
// the least are to be put in order.
func (l List) question(need string, n, least int) *question {
	q := &question{need: need}
	if l.query.Wordless() {
		return q
	}
	for i, e := range l.entries {
		if len(q.at) < n && e.Class == eligible.Compatible && !e.Exact {
			q.at, q.texts = append(q.at, i), append(q.texts, snapshot.Wording(e.Tool))
		}
	}
	if len(q.at) < least {
		q.at = nil
	}
	return q
}

// askAll asks for all orders at once. One that fails does not end the others: of
// an address that failed one request alone finds out whether it serves again.
func askAll(ctx context.Context, r interlock.Reranker, asked []*question) error {
	var group parallel.Group
	var once sync.Once
	var failed error
	for _, q := range asked {
		if len(q.at) == 0 {
			continue
		}
		group.Go(func() {
			says, err := r.Rerank(ctx, q.need, q.texts)
			if err == nil && !oneEach(says, len(q.at)) {
				err = errRerank
			}
			if q.says = says; err != nil {
				once.Do(func() { failed = err })
			}
		})
	}
	group.Wait(nil)
	return failed
}

// told is how many of the first tools before and after are told of an order.
const told = 5

// reorder follows an order and tells of it.
func (l *List) reorder(q *question) interlock.RerankOrder {
	out := interlock.RerankOrder{Asked: len(q.says), Tools: []interlock.Reranked{}}
	if q.says == nil {
		return out
	}
	before := l.places(q.at)
	l.before, l.entries = l.entries, reordered(l.entries, q.at, q.says)
	says := map[string]float64{}
	for i, at := range q.at {
		says[l.before[at].Tool.ID] = q.says[i]
	}
	for i, place := range l.places(q.at) {
		id := l.entries[q.at[i]].Tool.ID
		from := before[slices.IndexFunc(q.at, func(at int) bool { return l.before[at].Tool.ID == id })]
		if place <= told || from <= told {
			out.Tools = append(out.Tools, interlock.Reranked{Tool: id, Before: from, After: place, Says: says[id]})
		}
	}
	return out
}

// places gives where entries stand among those that may be used, from 1.
func (l List) places(at []int) []int {
	var out []int
	place := 0
	for i, e := range l.entries[:at[len(at)-1]+1] {
		if e.Class == eligible.Compatible {
			place++
		}
		if i == at[len(out)] {
			out = append(out, place)
		}
	}
	return out
}

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

package eval

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/words"
)

// baseline is discovery as anyone would build it in an afternoon: BM25 over
// name, description and parameters, and the mean cosine of a need to a tool's
// name, first sentence, and name with description. It shares no index, weight or
// threshold with what it is compared to, so that it stands still when they move;
// only the words and the embedder are the same.
type baseline struct {
	embedder interlock.Embedder // nil: no vectors
	tools    []string           // ids, by place
	place    map[string]int
	postings map[string][]posting
	length   []float64
	vectors  [][][]float32 // three a tool
}

type posting struct {
	doc int
	tf  float64
}

// newBaseline reads tools.
func newBaseline(ctx context.Context, tools []*snapshot.Tool, embedder interlock.Embedder, progress func(done, total int)) (*baseline, error) {
	b := &baseline{embedder: embedder, place: map[string]int{}, postings: map[string][]posting{}}
	for i, t := range tools {
		b.tools = append(b.tools, t.ID)
		b.place[t.ID] = i
		terms := words.Tokens(plainText(t))
		tf := map[string]float64{}
		for _, term := range terms {
			tf[term]++
		}
		for term, n := range tf {
			b.postings[term] = append(b.postings[term], posting{i, n})
		}
		b.length = append(b.length, float64(len(terms)))
		if embedder == nil {
			continue
		}
		vectors, err := embedder.Embed(ctx, threeViews(t))
		if err != nil {
			return nil, err
		}
		for _, v := range vectors {
			unit(v)
		}
		b.vectors = append(b.vectors, vectors)
		if progress != nil {
			progress(i+1, len(tools))
		}
	}
	return b, nil
}

// plainText is what BM25 reads of a tool: the name counts twice.
func plainText(t *snapshot.Tool) string {
	var out strings.Builder
	out.WriteString(t.Op.Name + " " + t.Op.Name + " " + describes(t))
	for _, in := range t.Contract.Inputs() {
		out.WriteString(" " + in.Name + " " + in.Description)
	}
	return out.String()
}

func describes(t *snapshot.Tool) string {
	if len(t.Op.Variants) == 0 {
		return ""
	}
	return t.Op.Variants[0].Description
}

func threeViews(t *snapshot.Tool) []string {
	name, text := strings.Join(words.Tokens(t.Op.Name), " "), describes(t)
	sentence, _, _ := strings.Cut(text, ". ")
	return []string{name, sentence, name + ". " + text}
}

func unit(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
}

// asked is a need as the baseline reads it.
type asked struct {
	terms  []string
	vector []float32
}

func (b *baseline) ask(ctx context.Context, need string, dense bool) (asked, error) {
	q := asked{terms: words.Tokens(need)}
	slices.Sort(q.terms)
	q.terms = slices.Compact(q.terms)
	if !dense || b.embedder == nil {
		return q, nil
	}
	vectors, err := b.embedder.Embed(ctx, []string{need})
	if err != nil {
		return q, err
	}
	q.vector = slices.Clone(vectors[0])
	unit(q.vector)
	return q, nil
}

// bm25 scores the tools of a view, by place; counts and lengths are the view's.
func (b *baseline) bm25(q asked, view []int) []float64 {
	const k1, cut = 1.2, 0.75
	in := make([]bool, len(b.tools))
	average := 0.0
	for _, i := range view {
		in[i] = true
		average += b.length[i] / float64(len(view))
	}
	score := make([]float64, len(b.tools))
	for _, term := range q.terms {
		df := 0.0
		for _, p := range b.postings[term] {
			if in[p.doc] {
				df++
			}
		}
		idf := math.Log(1 + (float64(len(view))-df+0.5)/(df+0.5))
		for _, p := range b.postings[term] {
			if in[p.doc] {
				score[p.doc] += idf * p.tf * (k1 + 1) / (p.tf + k1*(1-cut+cut*b.length[p.doc]/max(average, 1)))
			}
		}
	}
	return score
}

// cosines gives the mean of the three for the tools of a view, by place.
func (b *baseline) cosines(q asked, view []int) []float64 {
	score := make([]float64, len(b.tools))
	if q.vector == nil {
		return score
	}
	for _, i := range view {
		for _, v := range b.vectors[i] {
			dot := float32(0)
			for k, x := range v {
				dot += x * q.vector[k]
			}
			score[i] += float64(dot) / 3
		}
	}
	return score
}

// mixture is the constant one: cosine and half of BM25, each in units of its
// spread over the view.
func mixture(dense, lexical []float64, view []int) []float64 {
	score := make([]float64, len(dense))
	for _, part := range []struct {
		of     []float64
		weight float64
	}{{dense, 1}, {lexical, 0.5}} {
		mean, square := 0.0, 0.0
		for _, i := range view {
			mean += part.of[i] / float64(len(view))
		}
		for _, i := range view {
			square += (part.of[i] - mean) * (part.of[i] - mean) / float64(len(view))
		}
		if square == 0 {
			continue
		}
		for _, i := range view {
			score[i] += part.weight * (part.of[i] - mean) / math.Sqrt(square)
		}
	}
	return score
}

package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Reranker orders texts at an endpoint.
type Reranker struct{ *link }

// NewReranker connects to nothing yet.
func NewReranker(o Options) (*Reranker, error) {
	l, err := newLink(o, "/rerank", "reranker")
	if err != nil {
		return nil, err
	}
	return &Reranker{l}, nil
}

// Name identifies the model as this address serves it.
func (r *Reranker) Name() string { return "rerank/1+" + r.name() }

// rerankRequest is the body of POST …/rerank.
type rerankRequest struct {
	Model     string   `json:"model"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
	TopN      int      `json:"top_n"`
}

// rerankAnswer is what comes back, as far as it is read.
type rerankAnswer struct {
	Results []struct {
		Index *int     `json:"index"`
		Score *float64 `json:"relevance_score"`
	} `json:"results"`
}

// Rerank gives one number a text, in order of the texts: greater is more
// relevant. An answer that does not speak of each text once, in finite numbers,
// is a failure.
func (r *Reranker) Rerank(ctx context.Context, need string, texts []string) (scores []float64, err error) {
	limit := int64(64 << 10)
	for _, text := range texts {
		limit += 1024 + 8*int64(len(text)) // servers repeat the texts, escaped
	}
	err = r.post(ctx, rerankRequest{r.opts.Model, need, texts, len(texts)}, limit, func(answer []byte) error {
		scores, err = scored(answer, len(texts))
		return err
	})
	if err != nil {
		return nil, err
	}
	return scores, nil
}

// Answers finds out whether the address serves the model now.
func (r *Reranker) Answers(ctx context.Context) error {
	_, err := r.Rerank(ctx, samples[0][0], []string{samples[0][1], samples[1][1]})
	return err
}

func scored(text []byte, want int) ([]float64, error) {
	var a rerankAnswer
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, errors.New("the answer is no list of results")
	}
	if len(a.Results) != want {
		return nil, fmt.Errorf("%d results for %d texts", len(a.Results), want)
	}
	out, seen := make([]float64, want), make([]bool, want)
	for _, row := range a.Results {
		if row.Index == nil || *row.Index < 0 || *row.Index >= want || seen[*row.Index] {
			return nil, errors.New("the results are not numbered as the texts are")
		}
		if row.Score == nil || math.IsNaN(*row.Score) || math.IsInf(*row.Score, 0) {
			return nil, errors.New("a result without a number")
		}
		seen[*row.Index], out[*row.Index] = true, *row.Score
	}
	return out, nil
}

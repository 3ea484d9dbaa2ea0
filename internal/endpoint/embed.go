package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
)

// Embedder makes vectors at an endpoint.
type Embedder struct {
	*link
	dims  atomic.Int64 // length of vectors; 0 until it is known
	scale atomic.Pointer[alignment]
	turn  chan struct{} // held by the one who aligns
}

// NewEmbedder connects to nothing yet.
func NewEmbedder(o Options) (*Embedder, error) {
	l, err := newLink(o, "/embeddings", "embedder")
	if err != nil {
		return nil, err
	}
	e := &Embedder{link: l, turn: make(chan struct{}, 1)}
	e.dims.Store(int64(o.Dimensions))
	return e, nil
}

// Name identifies the model as this address serves it.
func (e *Embedder) Name() string { return "endpoint/1+" + e.name() }

// Embed gives one unit vector a text, in order. The first call asks for those
// of fixed samples too, to learn how the model spreads its cosines.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := e.Align(ctx); err != nil {
		return nil, err
	}
	return e.embed(ctx, texts)
}

// Answers finds out whether the address serves the model now.
func (e *Embedder) Answers(ctx context.Context) error {
	_, err := e.embed(ctx, []string{samples[0][0]})
	return err
}

func (e *Embedder) embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for from := 0; from < len(texts); from += e.opts.Batch {
		some, err := e.batch(ctx, texts[from:min(from+e.opts.Batch, len(texts))])
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// embedRequest is the body of POST …/embeddings.
type embedRequest struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Encoding   string   `json:"encoding_format"`
	Dimensions int      `json:"dimensions,omitempty"`
}

// embedAnswer is what comes back, as far as it is read.
type embedAnswer struct {
	Data []struct {
		Index     *int            `json:"index"`
		Embedding json.RawMessage `json:"embedding"`
	} `json:"data"`
}

// bytesPerNumber bounds what a number of a vector takes in an answer.
const bytesPerNumber = 40

// batch asks for the vectors of a few texts.
func (e *Embedder) batch(ctx context.Context, texts []string) (out [][]float32, err error) {
	limit := int64(64<<10) + int64(len(texts))*bytesPerNumber*maxDimensions
	if d := e.dims.Load(); d > 0 {
		limit = 64<<10 + int64(len(texts))*(1024+bytesPerNumber*d)
	}
	err = e.post(ctx, embedRequest{e.opts.Model, texts, "float", e.opts.Dimensions}, limit, func(text []byte) error {
		out, err = e.read(text, len(texts))
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, v := range out {
		if v == nil {
			return nil, &fault{what: e.what + ": a text has no direction", itself: true}
		}
	}
	return out, nil
}

// read takes an answer apart. A vector without a direction comes out nil.
func (e *Embedder) read(text []byte, want int) ([][]float32, error) {
	var a embedAnswer
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, errors.New("the answer is no list of vectors")
	}
	if len(a.Data) != want {
		return nil, fmt.Errorf("%d vectors for %d texts", len(a.Data), want)
	}
	out := make([][]float32, want)
	seen := make([]bool, want)
	for i, d := range a.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= want || seen[at] {
			return nil, errors.New("the vectors are not numbered as the texts are")
		}
		v, err := e.vector(d.Embedding)
		if err != nil {
			return nil, err
		}
		seen[at], out[at] = true, v
	}
	return out, nil
}

// vector reads one vector and gives it the length one.
func (e *Embedder) vector(text json.RawMessage) ([]float32, error) {
	if bytes.Contains(text, []byte("null")) {
		return nil, errors.New("a vector holds what is no number")
	}
	var numbers []float64
	if err := json.Unmarshal(text, &numbers); err != nil {
		return nil, errors.New("a vector holds what is no number")
	}
	if len(numbers) == 0 || len(numbers) > maxDimensions {
		return nil, fmt.Errorf("a vector of %d numbers", len(numbers))
	}
	if !e.dims.CompareAndSwap(0, int64(len(numbers))) && e.dims.Load() != int64(len(numbers)) {
		return nil, fmt.Errorf("a vector of %d numbers, not %d", len(numbers), e.dims.Load())
	}
	squares := 0.0
	for _, x := range numbers {
		squares += float64(x * x)
	}
	if math.IsInf(squares, 0) || squares > math.MaxFloat32 {
		return nil, errors.New("a vector without bound")
	}
	if squares < 1e-12 {
		return nil, nil
	}
	return unit(numbers, squares), nil
}

// unit gives a vector the length one; one that has it, as near as single
// precision tells, stays as it is.
func unit(numbers []float64, squares float64) []float32 {
	by := 1.0
	if math.Abs(squares-1) > 1e-4 {
		by = 1 / math.Sqrt(squares)
	}
	out := make([]float32, len(numbers))
	for i, x := range numbers {
		out[i] = float32(x * by)
	}
	return out
}

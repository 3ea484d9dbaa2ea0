package interlock

import (
	"context"
	"errors"
)

// Embedder turns texts into vectors of one length whose cosine says how near
// their meanings are. Vectors of different names never meet.
type Embedder interface {
	// Name identifies model and version; stored vectors are keyed by it.
	Name() string
	// Embed gives one unit vector a text, in order. What fails may be tried
	// again, unless the error is ErrText.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Aligner is an Embedder whose cosines are spread otherwise than those on which
// scores are anchored: a model that sees everything near everything would else
// be confident of everything.
type Aligner interface {
	Embedder
	// Align finds out how they are spread, where that is not known.
	Align(ctx context.Context) error
	// Alignment gives the line that takes its cosines there; false until it is
	// known, which it is once anything was embedded.
	Alignment() (scale, shift float64, known bool)
}

// Reranker orders texts by how well each serves a need. What it says is a
// proposal: it orders what may be used, and brings nothing in or out.
type Reranker interface {
	// Name identifies model and version; it stands in the name of the scorer.
	Name() string
	// Rerank gives one finite number a text, in order: greater serves better.
	Rerank(ctx context.Context, need string, texts []string) ([]float64, error)
}

// ErrText says that an embedder does not take one of the texts, however often
// it is asked.
var ErrText = errors.New("a text cannot be embedded")

// Glosser gives English words for a text in another language, so that a need
// finds tools that are described in another one by their words too. It is asked
// by several at once.
type Glosser interface {
	// Name identifies the vocabulary and its version.
	Name() string
	// Gloss gives each word once, in order of appearance.
	Gloss(text string) []GlossWord
}

// GlossWord is an English word that stands for some of a text.
type GlossWord struct {
	Text   string
	Weight float64 // (0,1]: how surely
}

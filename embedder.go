package interlock

import "context"

// Embedder turns texts into vectors of one length whose cosine says how near
// their meanings are. Vectors of different names never meet.
type Embedder interface {
	// Name identifies model and version; stored vectors are keyed by it.
	Name() string
	// Embed gives one unit vector a text, in order.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Glosser gives English words for a text in another language, so that a need
// finds tools that are described in English by their words too.
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

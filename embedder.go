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

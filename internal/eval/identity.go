package eval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"github.com/seed-ae386458/interlock/internal/qualify"
)

// probes are texts by whose vectors and glosses a model is known again,
// wherever it runs.
var probes = []string{"open the window", "create an invoice for 20 euros", "오늘 서울 날씨 알려줘", "明日の会議を取り消して", "get_user_names"}

// Identity gives the model and the scorer as inputs of a run: the model by what
// it says to a few texts, to the third decimal, and the scorer by its weights.
func (c *Catalogue) Identity(ctx context.Context) (model, scorer qualify.Input, err error) {
	sum := sha256.New()
	model.Name = "none"
	if c.opts.Embedder != nil {
		model.Name = c.opts.Embedder.Name()
		vectors, err := c.opts.Embedder.Embed(ctx, probes)
		if err != nil {
			return model, scorer, fmt.Errorf("model: %w", err)
		}
		for _, v := range vectors {
			for _, x := range v {
				fmt.Fprintf(sum, "%d ", int(math.Round(float64(x)*1000)))
			}
		}
	}
	if c.opts.Glosser != nil {
		model.Name += " and " + c.opts.Glosser.Name()
		for _, text := range probes {
			fmt.Fprintf(sum, "%v ", c.opts.Glosser.Gloss(text))
		}
	}
	fmt.Fprint(sum, model.Name)
	model.Digest = hex.EncodeToString(sum.Sum(nil))
	weights := c.scorer
	weights.Precedents = nil
	return model, qualify.Input{Name: c.scorer.Name, Digest: qualify.Digest(fmt.Appendf(nil, "%+v", weights))}, nil
}

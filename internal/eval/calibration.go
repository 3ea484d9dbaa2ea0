package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// Match is a request and the tools that were accepted for it.
type Match struct {
	Query string   `json:"query"`
	Tools []string `json:"tools"`
}

// Calibration is what a catalogue learned from its own accepted matches: they
// stand beside each later need as precedents. It speaks of its own tools alone.
type Calibration struct {
	Name    string  `json:"name"`   // of the form
	Scorer  string  `json:"scorer"` // what its weights are for
	Matches []Match `json:"matches"`
}

const calibrationForm = "interlock/calibration/1"

// Calibrate keeps the matches whose tools are in the catalogue.
func (c *Catalogue) Calibrate(matches []Match) (Calibration, error) {
	if c.opts.Embedder == nil {
		return Calibration{}, errors.New("calibration needs an embedder: precedents are told by meaning")
	}
	known := map[string]bool{}
	for _, id := range c.ids {
		known[id] = true
	}
	out := Calibration{Name: calibrationForm, Scorer: c.scorer.Name, Matches: []Match{}}
	for _, m := range matches {
		kept := Match{Query: m.Query, Tools: []string{}}
		for _, id := range m.Tools {
			if known[id] {
				kept.Tools = append(kept.Tools, id)
			}
		}
		if m.Query != "" && len(kept.Tools) > 0 {
			out.Matches = append(out.Matches, kept)
		}
	}
	return out, nil
}

// ReadCalibration reads what Calibrate made.
func ReadCalibration(r io.Reader) (Calibration, error) {
	var c Calibration
	if err := json.NewDecoder(r).Decode(&c); err != nil {
		return c, fmt.Errorf("calibration: %w", err)
	}
	if c.Name != calibrationForm {
		return c, fmt.Errorf("calibration: form %q is not %q", c.Name, calibrationForm)
	}
	return c, nil
}

// Use lets the catalogue rank by a calibration as well.
func (c *Catalogue) Use(ctx context.Context, cal Calibration) error {
	if c.scorer.Name != cal.Scorer {
		return fmt.Errorf("calibration: made for the scorer %s, not %s", cal.Scorer, c.scorer.Name)
	}
	texts := make([]string, len(cal.Matches))
	for i, m := range cal.Matches {
		texts[i] = m.Query
	}
	var precedents discover.Precedents
	if len(texts) > 0 {
		vectors, err := c.opts.Embedder.Embed(ctx, texts)
		if err != nil {
			return err
		}
		for i, m := range cal.Matches {
			precedents.Add(vectors[i], m.Tools)
		}
	}
	c.scorer.Precedents = &precedents
	return nil
}

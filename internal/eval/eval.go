// Package eval measures discovery on labelled requests, by the stages that
// answer needs: rankings, dispositions, and the anchors of a scorer. It reads
// what it is given and changes nothing.
//
//	cat, err := eval.Open(ctx, tools, eval.Options{Embedder: e, Logger: log})
//	err = cat.Rank(ctx, tasks, 60, func(l eval.Line) error { … })
package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Case is one labelled request.
type Case struct {
	ID     string          `json:"id"`
	Lang   string          `json:"lang"`
	Kind   string          `json:"kind"`
	Query  string          `json:"query"`
	Gold   json.RawMessage `json:"gold"`
	Scope  json.RawMessage `json:"scope"`
	Source string          `json:"source"`
}

// ReadCases reads cases, one JSON object a line.
func ReadCases(r io.Reader) ([]Case, error) { return ReadLines[Case](r) }

// ReadLines reads a file of one JSON value a line.
func ReadLines[T any](r io.Reader) ([]T, error) {
	var out []T
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(out)+1, err)
		}
		out = append(out, row)
	}
	return out, lines.Err()
}

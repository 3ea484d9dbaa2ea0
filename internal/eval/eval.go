// Package eval measures discovery on labelled requests: which evidence right
// and wrong tools get, and from it the anchors of a scorer. It reads files and
// changes nothing; it refuses a case without gold.
//
//	tools, err := eval.ReadTools(file)
//	cases, err := eval.ReadCases(file)
package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/index"
)

// Tool is one row of a catalogue of tools.
type Tool struct {
	ID          string          `json:"id"`
	Provider    string          `json:"provider"`
	Source      string          `json:"source"`
	Name        string          `json:"name"`
	Description any             `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

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

// ReadTools reads a catalogue, one JSON object a line.
func ReadTools(r io.Reader) ([]Tool, error) { return ReadLines[Tool](r) }

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

// Operation gives the tool in the registry's form.
func (t Tool) Operation() interlock.Operation {
	text, _ := t.Description.(string)
	return interlock.Operation{Name: t.Name, ID: t.ID, InputSchema: t.InputSchema, Variants: []interlock.Variant{{ID: "default", Description: text}}}
}

// Doc gives the searchable form of a tool.
func (t Tool) Doc(place int) index.Doc {
	op := t.Operation()
	terms := contract.Terms(op)
	return index.Doc{Tool: place, Name: t.Name, Source: t.Provider, Description: op.Variants[0].Description,
		Params: terms.Params, ParamDocs: terms.ParamDocs, Outputs: terms.Outputs, Enums: terms.Enums}
}

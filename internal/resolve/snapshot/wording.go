package snapshot

import (
	"strings"

	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/words"
)

// maxWording bounds the characters of one description that a reranker reads.
const maxWording = 1200

// Wording is what a reranker reads of a tool: its source and name in words, its
// descriptions and the names of its inputs, as the view shows them.
func Wording(t *Tool) string {
	parts := []string{strings.TrimSpace(index.SourceText(t.Source, t.Op.Name) + " " + index.Readings(index.Doc{Name: t.Op.Name})[0])}
	if t.Op.Title != "" {
		parts = append(parts, t.Op.Title)
	}
	for _, v := range t.Op.Variants {
		parts = append(parts, words.Clip(v.Description, maxWording))
	}
	if inputs := contract.Terms(*t.Op).Params; len(inputs) > 0 {
		parts = append(parts, "inputs: "+strings.Join(inputs, ", "))
	}
	return words.Clip(strings.Join(parts, "\n"), 4*maxWording)
}

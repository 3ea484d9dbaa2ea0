package contract

import (
	"slices"
	"strings"
)

// words gathers the texts of one schema for search.
type words struct {
	names, enums []string
	docs         strings.Builder
}

// terms walks a schema by levels, so that the names nearest to the root come
// first and are kept where there are too many.
func (d *document) terms() *words {
	w := &words{}
	seenName, seen := map[string]bool{}, map[*node]bool{}
	level := []*node{d.root}
	for len(level) > 0 {
		var next []*node
		for _, n := range level {
			for _, kid := range d.inner(n) {
				if kid.token != "*" && !seenName[kid.token] && len(w.names) < maxTerms {
					seenName[kid.token] = true
					w.names = append(w.names, kid.token)
				}
				if !seen[kid.schema] {
					seen[kid.schema] = true
					next = append(next, kid.schema)
					d.describe(kid.schema, w)
				}
			}
		}
		level = next
	}
	return w
}

// describe adds the enum values and descriptions of one field.
func (d *document) describe(n *node, w *words) {
	for _, s := range d.applied(n, true) {
		for _, value := range enumOf(s) {
			if len(w.enums) < maxEnums && !slices.Contains(w.enums, value) {
				w.enums = append(w.enums, value)
			}
		}
		for _, keyword := range [...]string{"title", "description"} {
			text := s.get(keyword).str()
			if text == "" || w.docs.Len()+len(text) > maxDocs {
				continue
			}
			if w.docs.Len() > 0 {
				w.docs.WriteByte('\n')
			}
			w.docs.WriteString(text)
		}
	}
}

package vet

import (
	"strings"

	"github.com/seed-ae386458/interlock"
)

// Said is one text of a definition that a model may be shown.
type Said struct{ Pointer, Text string }

// Wording gives the texts of a definition that say something and promise
// nothing: title, descriptions, aliases, annotations, and the prose inside of
// schemas. What its contract covers is not among them.
func Wording(op interlock.Operation) []Said {
	var out []Said
	for _, t := range textsOf(op) {
		if t.kind == kindProse && wording(t.pointer) {
			out = append(out, Said{t.pointer, t.value})
		}
	}
	return out
}

func wording(pointer string) bool {
	list, _, _ := strings.Cut(pointer[1:], "/")
	switch list {
	case "title", "variants", "aliases", "annotations":
		return true
	case "input_schema", "output_schema":
		last := pointer[strings.LastIndexByte(pointer, '/')+1:]
		return last == "title" || last == "description" || last == "$comment" || last == "example" || strings.Contains(pointer, "/examples/")
	}
	return false
}

package drift

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// maxFindings bounds the findings of one operation.
const maxFindings = 32

// Contradictions lists where the documentation of an operation contradicts
// itself: one field, two units; a default that its own bounds or words shut
// out. What agrees, in whatever words, is no finding. Pointers lead into the
// operation.
func Contradictions(op interlock.Operation) []interlock.Finding {
	m := meanings{fields: map[string]interlock.FieldMeaning{}}
	for _, f := range op.Fields {
		m.fields[f.At] = f
	}
	var all []interlock.Finding
	for _, side := range []struct {
		name, at string
		text     []byte
	}{{"input:", "/input_schema", op.InputSchema}, {"output:", "/output_schema", op.OutputSchema}} {
		root, _ := readSchema(side.text)
		each(root, 0, func(n *node) {
			if n.at == "" {
				return
			}
			for _, reason := range contradictions(m, side.name, n) {
				if len(all) < maxFindings {
					all = append(all, interlock.Finding{Pointer: side.at + schemaPointer(n.at), Reason: reason})
				}
			}
		})
	}
	return all
}

// schemaPointer leads from a place in a value to the place in its schema.
func schemaPointer(at string) string {
	var b strings.Builder
	for _, token := range strings.Split(at[1:], "/") {
		if token == "*" {
			b.WriteString("/items")
			continue
		}
		b.WriteString("/properties/" + token)
	}
	return b.String()
}

func contradictions(m meanings, side string, n *node) []string {
	var all []string
	if reason := unitConflict(m, side, n); reason != "" {
		all = append(all, reason)
	} else if reason := implausible(m, side, n); reason != "" {
		all = append(all, reason)
	}
	return append(all, shutOut(n)...)
}

// unitConflict holds what states a unit against each other: the declared unit,
// the words, the name, and the default's own magnitude.
func unitConflict(m meanings, side string, n *node) string {
	type source struct {
		what string
		unit unit
	}
	var all []source
	if u, ok := units[m.fields[side+n.at].Unit]; ok {
		all = append(all, source{"the declared unit", u})
	}
	if u, ok := proseUnit(n.says); ok {
		all = append(all, source{"the description", u})
	}
	if u, ok := suffixUnit(lastName(n.at)); ok && (numeric(n) || n.types == 0) {
		all = append(all, source{"the name", u})
	}
	for i := range all {
		for j := range i {
			a, b := all[j], all[i]
			if a.unit != b.unit && clash(n, a.unit, b.unit) {
				return fmt.Sprintf("%s says %s and %s says %s; callers who go by one are wrong by the other", a.what, a.unit.code, b.what, b.unit.code)
			}
		}
	}
	return ""
}

// clash reports whether two units cannot both be meant. A name that is the
// unit of one thing and the word for another ("days" of a plan priced in cents)
// is told by dimension, unless both are times, lengths and so on.
func clash(n *node, a, b unit) bool {
	if a.of == b.of {
		return true
	}
	return numeric(n)
}

// long are the words of names of what people wait for.
var long = words("timeout wait delay interval poll backoff retry")

// implausible tells a default or bound that its unit makes absurd: 30000
// seconds to wait.
func implausible(m meanings, side string, n *node) string {
	u, ok := m.unit(side, n)
	if !ok || u.of != "time" || !numeric(n) || !slices.ContainsFunc(nameWords(lastName(n.at)), func(w string) bool { return long[w] }) {
		return ""
	}
	v := numberOf(n.def)
	switch {
	case n.def == nil || math.IsNaN(v):
		return ""
	case u.factor >= 1 && v*u.factor >= 10_000 && math.Mod(v, 1000) == 0:
		return fmt.Sprintf("the default of %s is %s in %s, which is %.1f hours; it looks like milliseconds", lastName(n.at), short(v), u.code, v*u.factor/3600)
	case u.code == "ms" && v > 0 && v < 5:
		return fmt.Sprintf("the default of %s is %s in ms; it looks like seconds", lastName(n.at), short(v))
	}
	return ""
}

// shutOut tells defaults and examples that the schema itself does not let
// through.
func shutOut(n *node) []string {
	var all []string
	check := func(what string, raw []byte) {
		switch kind := rawjson.KindOf(raw); {
		case raw == nil || kind == rawjson.KindNull || len(all) > 2:
		case n.types != 0 && n.types&bitOf(raw) == 0:
			all = append(all, fmt.Sprintf("the %s is no %s", what, n.typeNames()))
		case len(n.enum) > 0 && !n.lists(raw):
			all = append(all, fmt.Sprintf("the %s is none of the listed values", what))
		case kind == rawjson.KindNumber && outOfBounds(n, numberOf(raw)):
			all = append(all, fmt.Sprintf("the %s lies outside the documented bounds", what))
		}
	}
	check("default", n.def)
	for i, raw := range n.examples {
		if i == 4 {
			break
		}
		check("example", raw)
	}
	return all
}

func outOfBounds(n *node, v float64) bool {
	return v < n.min || v > n.max || n.over && v == n.min || n.under && v == n.max
}

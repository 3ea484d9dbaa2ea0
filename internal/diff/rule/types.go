package rule

import (
	"encoding/json"
	"strings"
)

// Types is a set of the kinds of value that JSON Schema tells apart. Integers
// and numbers with a fraction are two kinds, so that inclusion is of sets.
type Types uint8

// The kinds.
const (
	Null Types = 1 << iota
	Boolean
	Integer
	Fraction
	String
	Array
	Object

	Number   = Integer | Fraction
	AnyTypes = Null | Boolean | Number | String | Array | Object
)

// names lists the kinds as a schema writes them; number comes before integer
// so that it stands for both.
func names() []struct {
	types Types
	name  string
} {
	return []struct {
		types Types
		name  string
	}{{Null, "null"}, {Boolean, "boolean"}, {Number, "number"}, {Integer, "integer"}, {Fraction, "number"}, {String, "string"}, {Array, "array"}, {Object, "object"}}
}

// String names the kinds: "string or null".
func (t Types) String() string {
	if t == AnyTypes {
		return "anything"
	}
	var out []string
	for _, row := range names() {
		if t&row.types == row.types {
			out, t = append(out, row.name), t&^row.types
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, " or ")
}

// Types gives the kinds of value that the schema lets through.
func (s *Schema) Types() Types {
	if s.Never {
		return 0
	}
	out := AnyTypes
	for _, p := range s.parts {
		mine := typesOf(p.keys["type"])
		if p.null {
			mine |= Null
		}
		out &= mine
	}
	if values, ok := s.Enum(); ok {
		var of Types
		for _, v := range values {
			of |= kindOf(v)
		}
		out &= of
	}
	return out
}

func typesOf(v any) Types {
	if v == nil {
		return AnyTypes
	}
	all, ok := v.([]any)
	if !ok {
		all = []any{v}
	}
	var out Types
	for _, one := range all {
		for _, row := range names() {
			if one == row.name {
				out |= row.types
			}
		}
	}
	return out
}

func kindOf(v any) Types {
	switch v := v.(type) {
	case nil:
		return Null
	case bool:
		return Boolean
	case json.Number:
		if n, ok := number(v); ok && n.IsInt() {
			return Integer
		}
		return Fraction
	case string:
		return String
	case []any:
		return Array
	}
	return Object
}

// Enum gives the values that the schema is limited to, false where it is not.
func (s *Schema) Enum() ([]any, bool) {
	var out []any
	limited := false
	for _, p := range s.parts {
		for _, values := range enums(p) {
			if !limited {
				out, limited = values, true
				continue
			}
			out = intersect(out, values)
		}
	}
	return out, limited
}

// enums gives the value lists of one part: enum, and const as a list of one.
func enums(p part) [][]any {
	var out [][]any
	null := func(values []any) []any {
		if p.null {
			return append(append([]any{}, values...), nil)
		}
		return values
	}
	if values, ok := p.keys["enum"].([]any); ok {
		out = append(out, null(values))
	}
	if v, ok := p.keys["const"]; ok {
		out = append(out, null([]any{v}))
	}
	return out
}

func intersect(a, b []any) []any {
	in := map[string]bool{}
	for _, v := range b {
		in[Canonical(v)] = true
	}
	var out []any
	for _, v := range a {
		if in[Canonical(v)] {
			out = append(out, v)
		}
	}
	return out
}

package inclusion

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Empty reports whether no value fits a schema, as far as that can be proved: a
// schema that cannot be read, or not within the work, is not said to be empty.
func Empty(schema []byte, opts Options) bool {
	if inhabited(schema) {
		return false
	}
	p := &pair{opts: opts, texts: [2][]byte{schema, []byte("false")}, limit: opts.Work}
	if p.limit <= 0 {
		p.limit = DefaultWork
	}
	p.work = p.limit
	if p.read() != nil {
		return false
	}
	s := newSolver(&p.work)
	return s.satisfy([]literal{{p.nodes[0], false}}, kAny).failed()
}

// glance finds schemas that a value fits in plain sight, without reading the
// whole of them: members that need not be there are not looked at.
type glance struct {
	defs map[string]json.RawMessage // by pointer
	left int                        // schemas that are still looked at
}

// The limits of such a look.
const (
	maxPlain      = 500
	maxPlainDepth = 16
)

// inhabited reports whether a value fits a schema, as far as that is plain to
// see; false says nothing.
func inhabited(schema []byte) bool {
	var root map[string]json.RawMessage
	if json.Unmarshal(schema, &root) != nil {
		return false
	}
	p := glance{defs: map[string]json.RawMessage{}, left: maxPlain}
	for _, keyword := range [...]string{"$defs", "definitions"} {
		var list map[string]json.RawMessage
		if json.Unmarshal(root[keyword], &list) == nil {
			for name, sub := range list {
				p.defs["#/"+keyword+"/"+name] = sub
			}
		}
	}
	return p.object(root, 0)
}

func (p *glance) schema(text json.RawMessage, depth int) bool {
	var keys map[string]json.RawMessage
	if string(text) == "true" {
		return true
	}
	p.left--
	return depth < maxPlainDepth && p.left > 0 && json.Unmarshal(text, &keys) == nil && p.object(keys, depth)
}

// object looks at a schema that is an object. Keywords that it does not know
// say that nothing is plain.
func (p *glance) object(keys map[string]json.RawMessage, depth int) bool {
	limits := 0
	for keyword := range keys {
		switch keyword {
		case "type", "properties", "required", "items", "enum", "$ref", "additionalProperties", "anyOf",
			"title", "description", "$comment", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "format",
			"$schema", "$defs", "definitions", "uniqueItems":
		case "minimum", "maximum", "minLength", "maxLength", "maxItems":
			limits++
		default:
			if !strings.HasPrefix(keyword, "x-") {
				return false
			}
		}
	}
	says := slices.DeleteFunc([]string{"type", "properties", "required", "enum", "$ref", "anyOf"}, func(k string) bool { return keys[k] == nil })
	switch {
	case limits > 1:
		return false
	case keys["$ref"] != nil || keys["anyOf"] != nil:
		return len(says) == 1 && limits == 0 && p.other(keys, depth)
	case keys["enum"] != nil:
		return limits == 0 && keys["required"] == nil && listed(keys)
	}
	return p.typed(keys, depth)
}

// other follows a reference, or tries the alternatives.
func (p *glance) other(keys map[string]json.RawMessage, depth int) bool {
	var ref string
	if json.Unmarshal(keys["$ref"], &ref) == nil {
		to, ok := p.defs[ref]
		return ok && p.schema(to, depth+1)
	}
	var list []json.RawMessage
	return json.Unmarshal(keys["anyOf"], &list) == nil &&
		slices.ContainsFunc(list, func(sub json.RawMessage) bool { return p.schema(sub, depth+1) })
}

// listed reports whether the first value of an enum is of the type.
func listed(keys map[string]json.RawMessage) bool {
	var values []json.RawMessage
	if json.Unmarshal(keys["enum"], &values) != nil || len(values) == 0 {
		return false
	}
	types := typesOf(keys["type"])
	kinds := map[byte]string{'"': "string", 't': "boolean", 'f': "boolean", 'n': "null"}
	return types == nil || slices.Contains(types, kinds[bytes.TrimSpace(values[0])[0]])
}

// typesOf reads a type or a list of them, nil where none is stated.
func typesOf(text json.RawMessage) []string {
	var one string
	var list []string
	switch {
	case text == nil:
		return nil
	case json.Unmarshal(text, &one) == nil:
		return []string{one}
	case json.Unmarshal(text, &list) == nil && len(list) > 0:
		return list
	}
	return []string{"?"}
}

// typed looks for a value of one of the types.
func (p *glance) typed(keys map[string]json.RawMessage, depth int) bool {
	types := typesOf(keys["type"])
	if types == nil {
		return true // null, whatever is said of other kinds
	}
	for _, t := range types {
		switch t {
		case "null", "boolean", "string", "number", "integer", "array":
			return true
		case "object":
			return p.members(keys, depth)
		}
	}
	return false
}

// members looks at the members that must be there.
func (p *glance) members(keys map[string]json.RawMessage, depth int) bool {
	if keys["required"] == nil {
		return true
	}
	var names []string
	var of map[string]json.RawMessage
	if json.Unmarshal(keys["required"], &names) != nil || keys["properties"] != nil && json.Unmarshal(keys["properties"], &of) != nil {
		return false
	}
	for _, name := range names {
		sub, known := of[name]
		if !known && keys["additionalProperties"] != nil || known && !p.schema(sub, depth+1) {
			return false
		}
	}
	return true
}

package rule

import (
	"encoding/json"
	"strings"
)

// maxAlone bounds the text of a schema that is taken out of its document.
const maxAlone = 256 << 10

// Alone writes the schema as a document of its own, with the definitions that
// it reaches. It gives false for one that refers to other places.
func (s *Schema) Alone() ([]byte, bool) {
	root, ok := s.doc.root.(map[string]any)
	if !ok || s.over {
		text, err := json.Marshal(s.Value)
		return text, err == nil && !s.over
	}
	if s.At == "" {
		text, err := json.Marshal(root)
		return text, err == nil
	}
	all := []any{}
	for _, p := range s.parts {
		keys := without(p.keys, "allOf", "$defs", "definitions")
		if _, followed := p.keys["$ref"]; followed {
			keys = without(keys, "$ref")
		}
		if p.null {
			all = append(all, map[string]any{"anyOf": []any{keys, map[string]any{"type": "null"}}})
			continue
		}
		all = append(all, keys)
	}
	if s.Never {
		all = append(all, false)
	}
	out := map[string]any{"allOf": all}
	if v, ok := root["$schema"]; ok {
		out["$schema"] = v
	}
	if !s.doc.reach(all, out, map[string]bool{}) {
		return nil, false
	}
	text, err := json.Marshal(out)
	return text, err == nil && len(text) <= maxAlone
}

// reach adds to out the definitions that v refers to, and those that they do.
func (d *Doc) reach(v any, out map[string]any, seen map[string]bool) bool {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if !d.reach(one, out, seen) {
				return false
			}
		}
	case map[string]any:
		for name, one := range v {
			switch name {
			case "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor":
				return false
			case "$ref":
				if ref, ok := one.(string); ok && !d.define(ref, out, seen) {
					return false
				}
				continue
			case "enum", "const", "default", "examples", "example":
				continue
			}
			if !d.reach(one, out, seen) {
				return false
			}
		}
	}
	return true
}

// define adds one definition under its own place.
func (d *Doc) define(ref string, out map[string]any, seen map[string]bool) bool {
	if seen[ref] {
		return true
	}
	seen[ref] = true
	for _, home := range [...]string{"$defs", "definitions"} {
		name, ok := strings.CutPrefix(ref, "#/"+home+"/")
		if !ok || strings.ContainsAny(name, "/~%") {
			continue
		}
		target, _, found := d.Resolve(ref)
		if !found {
			return false
		}
		defs, _ := out[home].(map[string]any)
		if defs == nil {
			defs = map[string]any{}
			out[home] = defs
		}
		defs[name] = target
		return d.reach(target, out, seen)
	}
	return false
}

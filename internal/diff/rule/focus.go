package rule

import "encoding/json"

// Focus is one aspect of an object: a member, or what is not named.
type Focus struct {
	Member   string // empty: the whole place
	Presence bool   // whether the member is there, and nothing of its value
	Rest     bool   // the members that are not named
}

// Whole reports whether the focus is the whole place.
func (f Focus) Whole() bool { return f == Focus{} }

// Aspect writes, as a document of its own, what the schema says of one aspect
// of an object and nothing else. It gives false where that cannot be written.
func (s *Schema) Aspect(f Focus) ([]byte, bool) {
	all := []any{map[string]any{"type": "object"}}
	for _, p := range s.parts {
		keys := map[string]any{}
		for _, k := range [...]string{"additionalProperties", "unevaluatedProperties", "patternProperties"} {
			if v, ok := p.keys[k]; ok && !(k == "patternProperties" && f.Presence) {
				keys[k] = v
			}
		}
		if f.Presence {
			delete(keys, "additionalProperties")
			delete(keys, "unevaluatedProperties")
		}
		keys["properties"] = f.members(p.keys["properties"])
		if required := f.required(p.keys["required"]); required != nil {
			keys["required"] = required
		}
		all = append(all, keys)
	}
	out := map[string]any{"allOf": all}
	if !s.doc.reach(all, out, map[string]bool{}) {
		return nil, false
	}
	text, err := json.Marshal(out)
	return text, err == nil && len(text) <= maxAlone
}

// members keeps the schema of the member in focus and lets anything through
// under the other names.
func (f Focus) members(stated any) map[string]any {
	out := map[string]any{}
	named, _ := stated.(map[string]any)
	for name, v := range named {
		if out[name] = v; f.Rest || f.Presence || name != f.Member {
			out[name] = true
		}
	}
	return out
}

func (f Focus) required(stated any) []any {
	for _, name := range list(stated) {
		if name == f.Member && f.Member != "" {
			return []any{f.Member}
		}
	}
	return nil
}

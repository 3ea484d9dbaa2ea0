package rule

import (
	"maps"
	"regexp"
	"slices"
)

// Properties gives the schemas of the named members. A name that several parts
// describe is read as all of them together.
func (s *Schema) Properties() map[string]*Schema {
	if s.named != nil {
		return s.named
	}
	out := map[string]*Schema{}
	s.named = out
	for _, p := range s.parts {
		members, _ := p.keys["properties"].(map[string]any)
		for name, v := range members {
			at := join(p.at, "properties", name)
			if known := out[name]; known != nil {
				known.gather(v, at, false, map[string]bool{}, 0)
				continue
			}
			out[name] = s.doc.Schema(v, at)
		}
	}
	return out
}

// Names sorts the names of members.
func Names[V any](members map[string]V) []string { return slices.Sorted(maps.Keys(members)) }

// Required gives the members that must be there.
func (s *Schema) Required() map[string]bool {
	out := map[string]bool{}
	for _, f := range s.All("required") {
		for _, name := range list(f.Value) {
			if text, ok := name.(string); ok {
				out[text] = true
			}
		}
	}
	return out
}

// Closed reports whether members that no part names are refused.
func (s *Schema) Closed() bool {
	for _, k := range [...]string{"additionalProperties", "unevaluatedProperties"} {
		for _, f := range s.All(k) {
			if f.Value == false {
				return true
			}
		}
	}
	return false
}

// Rest gives the schemas of members that are not named, true and false left
// out.
func (s *Schema) Rest() []Found {
	var out []Found
	for _, k := range [...]string{"additionalProperties", "unevaluatedProperties"} {
		for _, f := range s.All(k) {
			if keys, ok := f.Value.(map[string]any); ok && len(keys) > 0 {
				out = append(out, f)
			}
		}
	}
	return out
}

// Map gives the members of a keyword that holds schemas or lists by name.
func (s *Schema) Map(keyword string) map[string]Found {
	out := map[string]Found{}
	for _, f := range s.All(keyword) {
		members, _ := f.Value.(map[string]any)
		for name, v := range members {
			if _, known := out[name]; !known {
				out[name] = Found{v, join(f.At, name)}
			}
		}
	}
	return out
}

// Describes reports whether a pattern of the schema matches a member's name.
func (s *Schema) Describes(name string) bool {
	for pattern := range s.Map("patternProperties") {
		if re, err := regexp.Compile(pattern); err == nil && re.MatchString(name) {
			return true
		}
	}
	return false
}

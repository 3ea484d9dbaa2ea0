package rule

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// The limits of one reading: how many schemas may apply to one value together,
// and how long a chain of references may be.
const (
	maxParts = 256
	maxHops  = 64
)

// Doc is one schema with everything that it refers to inside itself.
type Doc struct {
	root any
}

// Parse reads a schema that is valid JSON within the limits.
func Parse(text []byte, limits rawjson.Limits) (*Doc, error) {
	if err := rawjson.Check(text, limits); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	d := &Doc{}
	if err := dec.Decode(&d.root); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return d, nil
}

// Root is the schema of the whole value.
func (d *Doc) Root() *Schema { return d.Schema(d.root, "") }

// part is one schema object that applies to a value.
type part struct {
	keys map[string]any
	at   string
	null bool // the value may be null as well
}

// Schema is everything that applies to one value: the schema object itself,
// what it refers to, and the members of allOf, taken together.
type Schema struct {
	doc   *Doc
	At    string // pointer to the schema as it stands
	Value any    // as it stands
	parts []part
	Never bool               // no value fits: the schema false
	over  bool               // too much to read whole
	named map[string]*Schema // Properties, once read
}

// Schema reads the schema v at a pointer.
func (d *Doc) Schema(v any, at string) *Schema {
	s := &Schema{doc: d, At: at, Value: v}
	s.gather(v, at, false, map[string]bool{}, 0)
	return s
}

// gather adds what applies with v. seen holds the references being followed.
func (s *Schema) gather(v any, at string, null bool, seen map[string]bool, hops int) {
	keys, ok := v.(map[string]any)
	if !ok {
		s.Never = s.Never || v == false
		return
	}
	if len(s.parts) >= maxParts || hops > maxHops {
		s.over = true
		return
	}
	if ref, is := keys["$ref"].(string); is && !seen[ref] {
		seen[ref] = true
		if target, where, ok := s.doc.Resolve(ref); ok {
			s.gather(target, where, null, seen, hops+1)
		}
	}
	if branch, where, ok := s.nullable(keys, at); ok {
		s.gather(branch, where, true, seen, hops+1)
		keys = without(keys, "anyOf", "oneOf")
	}
	s.parts = append(s.parts, part{keys, at, null})
	for i, member := range list(keys["allOf"]) {
		s.gather(member, join(at, "allOf", strconv.Itoa(i)), null, seen, hops+1)
	}
}

// nullable finds the spelling {"anyOf": [X, {"type": "null"}]} and gives X.
func (s *Schema) nullable(keys map[string]any, at string) (any, string, bool) {
	for _, keyword := range [...]string{"anyOf", "oneOf"} {
		branches := list(keys[keyword])
		if len(branches) != 2 {
			continue
		}
		for i, b := range branches {
			if only, ok := b.(map[string]any); ok && only["type"] == "null" && len(only) == 1 {
				return branches[1-i], join(at, keyword, strconv.Itoa(1-i)), true
			}
		}
	}
	return nil, "", false
}

func without(keys map[string]any, names ...string) map[string]any {
	out := make(map[string]any, len(keys))
	for k, v := range keys {
		if !slices.Contains(names, k) {
			out[k] = v
		}
	}
	return out
}

// Resolve finds what a reference inside the document leads to.
func (d *Doc) Resolve(ref string) (any, string, bool) {
	if root, ok := d.root.(map[string]any); ok {
		if id, _ := root["$id"].(string); id != "" {
			ref = strings.TrimPrefix(ref, strings.TrimSuffix(id, "#"))
		}
	}
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok && ref != "" {
		return nil, "", false
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return nil, "", false
	}
	tokens, ok := rawjson.Split(pointer)
	if !ok {
		return nil, "", false
	}
	at := d.root
	for _, token := range tokens {
		switch v := at.(type) {
		case map[string]any:
			at, ok = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if ok = err == nil && i >= 0 && i < len(v); ok {
				at = v[i]
			}
		default:
			ok = false
		}
		if !ok {
			return nil, "", false
		}
	}
	return at, pointer, true
}

// Key tells two readings of one document apart.
func (s *Schema) Key() string { return s.At }

// Place is the pointer to the first of the keywords that the schema states,
// and to the schema itself where it states none.
func (s *Schema) Place(keywords ...string) string {
	for _, k := range keywords {
		for _, p := range s.parts {
			if _, ok := p.keys[k]; ok {
				return join(p.at, k)
			}
		}
	}
	return s.At
}

// Found is one keyword's value and where it stands.
type Found struct {
	Value any
	At    string
}

// All gives every statement of a keyword.
func (s *Schema) All(keyword string) []Found {
	var out []Found
	for _, p := range s.parts {
		if v, ok := p.keys[keyword]; ok {
			out = append(out, Found{v, join(p.at, keyword)})
		}
	}
	return out
}

// First gives the first statement of a keyword.
func (s *Schema) First(keyword string) (Found, bool) {
	all := s.All(keyword)
	if len(all) == 0 {
		return Found{}, false
	}
	return all[0], true
}

// Has reports whether any of the keywords is stated.
func (s *Schema) Has(keywords ...string) bool {
	return slices.ContainsFunc(keywords, func(k string) bool { _, ok := s.First(k); return ok })
}

// Sub reads the schema at a found place.
func (s *Schema) Sub(f Found) *Schema { return s.doc.Schema(f.Value, f.At) }

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func join(at string, names ...string) string { return rawjson.Join(at, names...) }

// Text writes a value as short JSON for a sentence.
func Text(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	if len(text) > 80 {
		return strings.ToValidUTF8(string(text[:77]), "") + "…"
	}
	return string(text)
}

// Canonical writes a value as JSON with sorted members, for comparison.
func Canonical(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// Value is the document as a value.
func (d *Doc) Value() any { return d.root }

package probe

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// shape is what one schema says of a value, as far as probes go by it.
// References and allOf are followed; of alternatives nothing is taken.
type shape struct {
	types       []string
	format      string
	description string
	pattern     string
	values      []json.RawMessage // enum, or const
	examples    []json.RawMessage
	preset      json.RawMessage // the default; nil where there is none
	least, most *bound
	minLength   int
	maxLength   int // 0: none
	names       []string
	members     map[string]*shape
	required    []string
	items       *shape
	closed      bool
}

// bound is a documented limit of a number.
type bound struct {
	at   *big.Rat
	open bool // the limit itself is outside
}

// maxDepth bounds how far schemas are followed.
const maxDepth = 12

// schemaText are the keywords that are read.
type schemaText struct {
	Ref         string            `json:"$ref"`
	Type        json.RawMessage   `json:"type"`
	Format      string            `json:"format"`
	Description string            `json:"description"`
	Title       string            `json:"title"`
	Pattern     string            `json:"pattern"`
	Enum        []json.RawMessage `json:"enum"`
	Const       json.RawMessage   `json:"const"`
	Examples    json.RawMessage   `json:"examples"`
	Example     json.RawMessage   `json:"example"`
	Default     json.RawMessage   `json:"default"`
	Minimum     json.RawMessage   `json:"minimum"`
	Maximum     json.RawMessage   `json:"maximum"`
	Above       json.RawMessage   `json:"exclusiveMinimum"`
	Below       json.RawMessage   `json:"exclusiveMaximum"`
	MinLength   *int              `json:"minLength"`
	MaxLength   *int              `json:"maxLength"`
	Properties  json.RawMessage   `json:"properties"`
	Required    []string          `json:"required"`
	Items       json.RawMessage   `json:"items"`
	AllOf       []json.RawMessage `json:"allOf"`
	Additional  json.RawMessage   `json:"additionalProperties"`
}

// readShape reads a schema inside a document.
func readShape(root, text json.RawMessage, depth int) *shape {
	s := &shape{members: map[string]*shape{}}
	s.take(root, text, depth)
	return s
}

func (s *shape) take(root, text json.RawMessage, depth int) {
	var t schemaText
	if depth > maxDepth || json.Unmarshal(text, &t) != nil {
		return
	}
	if at, inside := strings.CutPrefix(t.Ref, "#"); inside && t.Ref != "" {
		if found, ok := rawjson.At(root, at); ok {
			s.take(root, found, depth+1)
		}
	}
	for _, part := range t.AllOf {
		s.take(root, part, depth+1)
	}
	s.scalars(t)
	s.limits(t)
	for name, member := range rawjson.Members(objectOr(t.Properties)) {
		if s.members[name] == nil {
			s.names = append(s.names, name)
		}
		s.members[name] = readShape(root, member, depth+1)
	}
	s.required = append(s.required, t.Required...)
	if rawjson.KindOf(t.Items) == rawjson.KindObject {
		s.items = readShape(root, t.Items, depth+1)
	}
	s.closed = s.closed || string(t.Additional) == "false"
}

func objectOr(text json.RawMessage) json.RawMessage {
	if rawjson.KindOf(text) == rawjson.KindObject {
		return text
	}
	return json.RawMessage("{}")
}

func (s *shape) scalars(t schemaText) {
	var one string
	var many []string
	if json.Unmarshal(t.Type, &one) == nil {
		s.types = []string{one}
	} else if json.Unmarshal(t.Type, &many) == nil {
		s.types = many
	}
	for _, set := range []struct {
		to   *string
		from string
	}{{&s.format, t.Format}, {&s.description, t.Title}, {&s.description, t.Description}, {&s.pattern, t.Pattern}} {
		if set.from != "" {
			*set.to = set.from
		}
	}
	if len(t.Enum) > 0 {
		s.values = t.Enum
	}
	if t.Const != nil {
		s.values = []json.RawMessage{t.Const}
	}
	var examples []json.RawMessage
	if json.Unmarshal(t.Examples, &examples) == nil {
		s.examples = append(s.examples, examples...)
	}
	if t.Example != nil {
		s.examples = append(s.examples, t.Example)
	}
	if t.Default != nil {
		s.preset = t.Default
	}
}

func (s *shape) limits(t schemaText) {
	if b := boundOf(t.Minimum, string(t.Above) == "true"); b != nil {
		s.least = b
	}
	if b := boundOf(t.Maximum, string(t.Below) == "true"); b != nil {
		s.most = b
	}
	if b := boundOf(t.Above, true); b != nil {
		s.least = b
	}
	if b := boundOf(t.Below, true); b != nil {
		s.most = b
	}
	if t.MinLength != nil {
		s.minLength = *t.MinLength
	}
	if t.MaxLength != nil {
		s.maxLength = *t.MaxLength
	}
}

func boundOf(text json.RawMessage, open bool) *bound {
	if n := numberOf(text); n != nil {
		return &bound{n, open}
	}
	return nil
}

// numberOf reads a JSON number exactly; nil where the text is none, or one of
// absurd size.
func numberOf(text json.RawMessage) *big.Rat {
	if rawjson.KindOf(text) != rawjson.KindNumber || len(text) > 60 {
		return nil
	}
	if i := strings.IndexAny(string(text), "eE"); i >= 0 && len(text)-i > 4 {
		return nil
	}
	n, ok := new(big.Rat).SetString(string(text))
	if !ok {
		return nil
	}
	return n
}

func (s *shape) is(kind string) bool { return slices.Contains(s.types, kind) }

func (s *shape) number() bool { return s.is("integer") || s.is("number") }

// within reports whether a number lies inside the documented bounds.
func (s *shape) within(n *big.Rat) bool {
	if s.least != nil {
		if c := n.Cmp(s.least.at); c < 0 || c == 0 && s.least.open {
			return false
		}
	}
	if s.most != nil {
		if c := n.Cmp(s.most.at); c > 0 || c == 0 && s.most.open {
			return false
		}
	}
	return true
}

// spell writes a number as JSON.
func spell(n *big.Rat) json.RawMessage {
	if n.IsInt() {
		return json.RawMessage(n.Num().String())
	}
	text := strings.TrimRight(n.FloatString(9), "0")
	return json.RawMessage(strings.TrimSuffix(text, "."))
}

func whole(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

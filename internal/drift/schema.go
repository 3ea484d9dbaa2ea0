package drift

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// The limits of a schema that is walked.
const (
	maxNodes      = 2000
	maxSchemaDeep = 16
	maxEnum       = 256
)

// Bits of the types that a schema lets through.
const (
	tNull uint8 = 1 << iota
	tBool
	tInteger
	tNumber
	tString
	tArray
	tObject
)

var typeBits = map[string]uint8{"null": tNull, "boolean": tBool, "integer": tInteger, "number": tNumber | tInteger,
	"string": tString, "array": tArray, "object": tObject}

// node is what a schema says of one place, its references followed and its
// allOf joined. It is immutable once it is built.
type node struct {
	at       string // "/items/*/id"
	types    uint8  // 0: any
	props    map[string]*node
	order    []string
	required []string
	closed   bool  // other members are contradictions
	extra    *node // of other members; nil: whatever
	patterns bool  // members told by pattern: others are not judged
	items    *node
	enum     [][]byte
	words    map[string]bool // enum of strings alone, by spelling with quotes
	min, max float64         // ±Inf where none is stated
	over     bool            // min is exclusive
	under    bool            // max is exclusive
	minLen   int
	maxLen   int // -1: none; of text in characters, of lists in items
	format   string
	pattern  *regexp.Regexp
	says     string // description
	def      []byte // default as JSON text
	examples [][]byte
	loose    bool // holds what the walk does not read; the whole is checked by the contract
	optional bool // a member that its parent does not require
	nullable bool
	slot     int // where the walk puts the value; -1: nowhere
}

// reader builds nodes from the text of one schema.
type reader struct {
	root  []byte
	nodes int
	loose bool
}

// readSchema reads a schema into nodes; nil where nothing is stated.
func readSchema(text []byte) (*node, bool) {
	if len(text) == 0 || rawjson.Check(text, rawjson.Limits{Depth: contract.MaxSchemaDepth}) != nil {
		return nil, false
	}
	r := &reader{root: text}
	n := blank("")
	r.read(n, text, 0)
	return n, r.loose
}

func blank(at string) *node {
	return &node{at: at, min: math.Inf(-1), max: math.Inf(1), maxLen: -1, slot: -1}
}

// read adds what a schema's text says to n.
func (r *reader) read(n *node, text []byte, depth int) {
	if r.nodes++; r.nodes > maxNodes || depth > maxSchemaDeep {
		r.loosen(n)
		return
	}
	if rawjson.KindOf(text) != rawjson.KindObject {
		if rawjson.KindOf(text) == rawjson.KindFalse {
			r.loosen(n)
		}
		return
	}
	for name, value := range rawjson.Members(text) {
		r.keyword(n, name, value, depth)
	}
	if n.nullable && n.types != 0 {
		n.types |= tNull
	}
	for _, name := range n.order {
		n.props[name].optional = !slices.Contains(n.required, name)
	}
}

func (r *reader) loosen(n *node) { n.loose, r.loose = true, true }

// keyword adds what one keyword says.
func (r *reader) keyword(n *node, name string, value []byte, depth int) {
	switch name {
	case "$ref":
		r.follow(n, value, depth)
	case "allOf":
		for _, sub := range rawjson.Elements(value) {
			r.read(n, sub, depth+1)
		}
	case "anyOf", "oneOf":
		r.choice(n, value, depth)
	case "type":
		n.narrow(typesOf(value))
	case "properties":
		r.properties(n, value, depth)
	case "required":
		for _, item := range rawjson.Elements(value) {
			if s, ok := rawjson.String(item); ok && !slices.Contains(n.required, s) {
				n.required = append(n.required, s)
			}
		}
	case "additionalProperties", "unevaluatedProperties":
		r.additional(n, value, depth)
	case "items":
		if rawjson.KindOf(value) == rawjson.KindObject {
			if n.items == nil {
				n.items = blank(n.at + "/*")
			}
			r.read(n.items, value, depth+1)
		} else {
			r.loosen(n)
		}
	case "nullable":
		n.nullable = rawjson.KindOf(value) == rawjson.KindTrue
	case "patternProperties":
		n.patterns = true
		r.loosen(n)
	case "not", "if", "dependentSchemas", "prefixItems", "contains", "$dynamicRef", "$recursiveRef", "propertyNames", "dependentRequired", "dependencies":
		r.loosen(n)
	default:
		n.scalar(name, value)
	}
}

// narrow leaves what both sides let through.
func (n *node) narrow(types uint8) {
	switch {
	case types == 0:
	case n.types == 0:
		n.types = types
	default:
		n.types &= types
	}
}

func typesOf(value []byte) (types uint8) {
	if s, ok := rawjson.String(value); ok {
		return typeBits[s]
	}
	for _, item := range rawjson.Elements(value) {
		s, _ := rawjson.String(item)
		types |= typeBits[s]
	}
	return types
}

// follow reads a local reference in the place of n. A schema that holds itself
// is read to a bounded depth.
func (r *reader) follow(n *node, value []byte, depth int) {
	ref, _ := rawjson.String(value)
	pointer, ok := strings.CutPrefix(ref, "#")
	target, found := rawjson.At(r.root, pointer)
	if !ok || !found || strings.Contains(ref, "%") {
		r.loosen(n)
		return
	}
	r.read(n, target, depth+1)
}

// choice reads alternatives: one beside null is that one or null; anything else
// is left to the contract as a whole.
func (r *reader) choice(n *node, value []byte, depth int) {
	var real []byte
	null, several := false, false
	for _, sub := range rawjson.Elements(value) {
		if typesOf(memberOf(sub, "type")) == tNull {
			null = true
			continue
		}
		several = several || real != nil
		real = sub
	}
	if several || real == nil {
		r.loosen(n)
		return
	}
	r.read(n, real, depth+1)
	if null && n.types != 0 {
		n.types |= tNull
	}
}

func memberOf(text []byte, name string) []byte {
	raw, _ := rawjson.Member(text, name)
	return raw
}

func (r *reader) properties(n *node, value []byte, depth int) {
	if n.props == nil {
		n.props = map[string]*node{}
	}
	for name, sub := range rawjson.Members(value) {
		kid := n.props[name]
		if kid == nil {
			kid = blank(rawjson.Join(n.at, name))
			n.props[name] = kid
			n.order = append(n.order, name)
		}
		r.read(kid, sub, depth+1)
	}
}

func (r *reader) additional(n *node, value []byte, depth int) {
	switch rawjson.KindOf(value) {
	case rawjson.KindFalse:
		n.closed = true
	case rawjson.KindObject:
		n.extra = blank(n.at + "/*")
		r.read(n.extra, value, depth+1)
	}
}

// scalar adds what a keyword without schemas says.
func (n *node) scalar(name string, value []byte) {
	switch name {
	case "enum":
		for _, item := range rawjson.Elements(value) {
			n.addEnum(item)
		}
	case "const":
		n.addEnum(value)
	case "minimum":
		n.min = math.Max(n.min, numberOf(value))
	case "maximum":
		n.max = math.Min(n.max, numberOf(value))
	case "exclusiveMinimum":
		n.over = true
		if rawjson.KindOf(value) == rawjson.KindNumber {
			n.min = math.Max(n.min, numberOf(value))
		}
	case "exclusiveMaximum":
		n.under = true
		if rawjson.KindOf(value) == rawjson.KindNumber {
			n.max = math.Min(n.max, numberOf(value))
		}
	case "minLength", "minItems":
		n.minLen = max(n.minLen, int(numberOf(value)))
	case "maxLength", "maxItems":
		n.maxLen = int(numberOf(value))
	case "format":
		n.format, _ = rawjson.String(value)
	case "pattern":
		if s, ok := rawjson.String(value); ok && len(s) < 1000 {
			n.pattern, _ = regexp.Compile(contract.Pattern(s)) // what cannot be read is not judged
		}
	case "description":
		if n.says == "" {
			n.says, _ = rawjson.String(value)
		}
	case "default":
		n.def = value
	case "examples":
		for _, item := range rawjson.Elements(value) {
			n.examples = append(n.examples, item)
		}
	case "example":
		n.examples = append(n.examples, value)
	}
}

// addEnum adds a value of a closed list.
func (n *node) addEnum(value []byte) {
	if len(n.enum) == maxEnum {
		n.loose = true
		return
	}
	n.enum = append(n.enum, value)
	if n.words == nil {
		n.words = map[string]bool{}
	}
	n.words[string(value)] = true
}

// numberOf reads a JSON number as a float, NaN where it is none.
func numberOf(value []byte) float64 {
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// typeNames says which types a place may have.
func (n *node) typeNames() string {
	if n == nil || n.types == 0 {
		return "any value"
	}
	var words []string
	for _, t := range [...]struct {
		bits uint8
		word string
	}{{tObject, "object"}, {tArray, "array"}, {tString, "string"}, {tNumber, "number"}, {tInteger, "integer"}, {tBool, "boolean"}, {tNull, "null"}} {
		if n.types&t.bits == t.bits && !(t.bits == tInteger && n.types&tNumber != 0) {
			words = append(words, t.word)
		}
	}
	return strings.Join(words, " or ")
}

package inclusion

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// kind is a kind of JSON value; a set of them is their sum.
type kind uint8

const (
	kNull kind = 1 << iota
	kBool
	kNumber
	kString
	kArray
	kObject
	kInteger // in the types of a schema only: numbers without a fraction

	kAny = kNull | kBool | kNumber | kString | kArray | kObject
)

// kinds lists them in the order in which they are searched: the simplest value
// makes the best witness.
var kinds = [...]kind{kNull, kBool, kNumber, kString, kArray, kObject}

// value is one JSON value. Values are never changed once built.
type value struct {
	kind  kind
	yes   bool
	num   *big.Rat
	str   string
	names []string // of an object, sorted
	kids  []*value // members in the order of names, or elements
	keyed string   // the canonical text, once asked for
	ident int      // in the table of the question, once asked for
	bound bool     // holds anything whose meaning depends on where it stands
}

// MaxDepth is the deepest nesting of a schema that is read.
const MaxDepth = 128

// limits of a schema's text.
const (
	maxBytes    = 1 << 20
	maxDepth    = MaxDepth
	maxExponent = 1000
)

// readValue reads JSON text.
func readValue(text []byte) (*value, *Fault) {
	limits := rawjson.Limits{Bytes: maxBytes, Depth: maxDepth, Exponent: maxExponent}
	if err := rawjson.Check(text, limits); err != nil {
		var e *rawjson.Error
		if !errors.As(err, &e) {
			return nil, faultf("not-json", "", "%v", err)
		}
		switch e.Kind {
		case rawjson.FaultDepth:
			return nil, faultf("too-deep", e.Pointer, "%s", e.Message)
		case rawjson.FaultSize, rawjson.FaultNumber:
			return nil, faultf("too-large", e.Pointer, "%s", e.Message)
		}
		return nil, faultf("not-json", e.Pointer, "%s", e.Message)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, faultf("not-json", "", "%v", err)
	}
	return fromAny(v), nil
}

func fromAny(v any) *value {
	switch v := v.(type) {
	case bool:
		return &value{kind: kBool, yes: v}
	case string:
		return &value{kind: kString, str: v}
	case json.Number:
		num, _ := new(big.Rat).SetString(string(v))
		return &value{kind: kNumber, num: num}
	case []any:
		out := &value{kind: kArray, kids: make([]*value, len(v))}
		for i, item := range v {
			out.kids[i] = fromAny(item)
			out.bound = out.bound || out.kids[i].bound
		}
		return out
	case map[string]any:
		out := &value{kind: kObject, names: make([]string, 0, len(v)), kids: make([]*value, len(v))}
		for name := range v {
			out.names = append(out.names, name)
		}
		slices.Sort(out.names)
		for i, name := range out.names {
			out.kids[i] = fromAny(v[name])
			out.bound = out.bound || out.kids[i].bound || bounds(name)
		}
		return out
	}
	return &value{kind: kNull}
}

// bounds reports whether a keyword ties its schema to its place.
func bounds(name string) bool {
	switch name {
	case "$ref", "$recursiveRef", "$dynamicRef", "$id", "id":
		return true
	}
	return false
}

// object builds an object from members in any order.
func object(members map[string]*value) *value {
	out := &value{kind: kObject}
	for name := range members {
		out.names = append(out.names, name)
	}
	slices.Sort(out.names)
	for _, name := range out.names {
		out.kids = append(out.kids, members[name])
	}
	return out
}

// get gives a member, nil where there is none.
func (v *value) get(name string) *value {
	if v == nil || v.kind != kObject {
		return nil
	}
	if i, ok := slices.BinarySearch(v.names, name); ok {
		return v.kids[i]
	}
	return nil
}

// text gives the characters of a string, "" for anything else.
func (v *value) text() string {
	if v == nil || v.kind != kString {
		return ""
	}
	return v.str
}

func (v *value) is(k kind) bool { return v != nil && v.kind == k }

// key is the canonical text: two values are equal when their keys are.
func (v *value) key() string {
	if v.keyed == "" {
		v.keyed = string(v.append(nil))
	}
	return v.keyed
}

// append writes v as JSON.
func (v *value) append(to []byte) []byte {
	switch v.kind {
	case kNull:
		return append(to, "null"...)
	case kBool:
		return strconv.AppendBool(to, v.yes)
	case kNumber:
		return append(to, decimal(v.num)...)
	case kString:
		return appendText(to, v.str)
	case kArray:
		to = append(to, '[')
		for i, kid := range v.kids {
			if i > 0 {
				to = append(to, ',')
			}
			to = kid.append(to)
		}
		return append(to, ']')
	}
	to = append(to, '{')
	for i, kid := range v.kids {
		if i > 0 {
			to = append(to, ',')
		}
		to = kid.append(append(appendText(to, v.names[i]), ':'))
	}
	return append(to, '}')
}

// size estimates the length of v's text.
func (v *value) size() int {
	total, last := len(v.str)+8, 0
	for i, kid := range v.kids {
		if i == 0 || kid != v.kids[i-1] {
			last = kid.size()
		}
		total += last
	}
	for _, name := range v.names {
		total += len(name) + 4
	}
	return total
}

func appendText(to []byte, s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return append(to, `""`...)
	}
	return append(to, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// decimal writes a number that has a finite decimal form.
func decimal(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	digits, exact := n.FloatPrec()
	if !exact {
		digits += 20
	}
	return strings.TrimRight(n.FloatString(digits), "0")
}

// step follows one token of a JSON pointer.
func (v *value) step(token string) *value {
	if v.is(kArray) {
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(v.kids) || strconv.Itoa(i) != token {
			return nil
		}
		return v.kids[i]
	}
	return v.get(token)
}

package inclusion

import (
	"math/big"
	"slices"
	"strings"
)

// node is one schema in the form that the search takes apart. Nodes of one
// question share one table, so that schemas of equal text are one node.
type node struct {
	id  int
	ptr string
	raw *value

	never bool // the schema false; true is a node that says nothing
	types kind // 0 is any
	ref   *node

	enum     []*value // with const as an enum of one
	hasEnum  bool
	constant *value

	lo, hi         *big.Rat
	loOpen, hiOpen bool
	multiple       *big.Rat

	minLength, maxLength int // max below 0 is none, here and in what follows
	pattern              *string

	prefix              []*node
	items               *node
	minItems, maxItems  int
	unique              bool
	contains            *node
	minHold, maxHold    int
	unevaluatedItems    *node
	containsEvaluates   bool
	required            []string
	minProps, maxProps  int
	props               []named // by name
	patterns            []named
	rest                *node
	names               *node
	dependRequired      []dependency
	dependSchemas       []named
	unevaluatedProps    *node
	closed              *region // of a root in ToolInput: names outside are refused before
	allOf, anyOf, oneOf []*node
	anyValues           []*value // anyOf, where its alternatives only list values
	oneValues           []*value // oneOf, where they do: those of exactly one of them
	not                 *node
	cond, then, other   *node

	stops []Stop // constructs that are not read
}

// named is a schema under a name or a pattern.
type named struct {
	name string
	node *node
}

// dependency lists the members that one member needs.
type dependency struct {
	name  string
	needs []string
}

// newNode gives a schema that says nothing.
func newNode(ptr string, raw *value) *node {
	return &node{ptr: ptr, raw: raw, maxLength: -1, maxItems: -1, maxProps: -1, minHold: 1, maxHold: -1}
}

// inPlace lists the schemas that apply to the same value as n.
func (n *node) inPlace() []*node {
	var out []*node
	for _, sub := range []*node{n.ref, n.not, n.cond, n.then, n.other} {
		if sub != nil {
			out = append(out, sub)
		}
	}
	out = append(append(append(out, n.allOf...), n.anyOf...), n.oneOf...)
	for _, d := range n.dependSchemas {
		out = append(out, d.node)
	}
	return out
}

// prop gives what properties says of a name, nil where it says nothing.
func (n *node) prop(name string) *node {
	i, ok := slices.BinarySearchFunc(n.props, name, func(p named, name string) int { return strings.Compare(p.name, name) })
	if !ok {
		return nil
	}
	return n.props[i].node
}

// below lists the schemas that apply to members, names and elements.
func (n *node) below() []*node {
	var out []*node
	for _, sub := range []*node{n.items, n.contains, n.unevaluatedItems, n.rest, n.names, n.unevaluatedProps} {
		if sub != nil {
			out = append(out, sub)
		}
	}
	out = append(out, n.prefix...)
	for _, p := range append(append([]named{}, n.props...), n.patterns...) {
		out = append(out, p.node)
	}
	return out
}

// literal is a schema that must hold, or must not.
type literal struct {
	node *node
	neg  bool
}

func (l literal) flip() literal { return literal{l.node, !l.neg} }

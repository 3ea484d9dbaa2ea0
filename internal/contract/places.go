package contract

import (
	"slices"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// maxPlaces bounds the fields that are told apart in one schema, maxPlaceDepth
// the steps down to one.
const (
	maxPlaces     = 2000
	maxPlaceDepth = 16
)

// spot is everything in a schema that speaks of one position of a value.
type spot []*node

// anyToken stands for an element of a list, and for a member whose name no
// schema spells out.
const anyToken = "*"

// places calls visit with every field: the way to each member that is spelled
// out, parents before what is in them. Where a schema leads back to itself it
// goes round once.
func (d *document) places(visit func(parent spot, at []string)) {
	count := 0
	var walk func(p spot, at []string, open []spot)
	walk = func(p spot, at []string, open []spot) {
		if len(at) >= maxPlaceDepth || slices.ContainsFunc(open, func(o spot) bool { return slices.Equal(o, p) }) {
			return
		}
		open = append(slices.Clip(open), p)
		d.below(p, func(token string, next spot) {
			way := append(slices.Clip(at), token)
			if token != anyToken {
				if count++; count > maxPlaces {
					return
				}
				visit(p, way)
			}
			walk(next, way, open)
		})
	}
	walk(d.here([]*node{d.root}), nil, nil)
}

// below gives the positions under a place: each member that is spelled out, in
// the order of the text, then one for elements and all other members.
func (d *document) below(p spot, visit func(token string, next spot)) {
	var names []string
	members := map[string][]*node{}
	var others []*node
	for _, n := range p {
		if properties := n.get("properties"); properties.is(kindObject) {
			for i, name := range properties.names {
				if members[name] == nil {
					names = append(names, name)
				}
				members[name] = append(members[name], properties.kids[i])
			}
		}
		for _, keyword := range [...]string{"patternProperties", "prefixItems", "items", "additionalItems", "unevaluatedItems", "additionalProperties", "unevaluatedProperties", "contains"} {
			others = append(others, schemasUnder(keyword, n.get(keyword))...)
		}
	}
	for _, name := range names {
		visit(name, d.here(members[name]))
	}
	if len(others) > 0 {
		visit(anyToken, d.here(others))
	}
}

// schemasUnder gives the schemas that one keyword holds.
func schemasUnder(keyword string, value *node) []*node {
	if value == nil {
		return nil
	}
	if value.is(kindArray) || keyword == "patternProperties" {
		var list []*node
		each(value, func(_ string, sub *node) { list = append(list, sub) })
		return list
	}
	if isSchema(value) {
		return []*node{value}
	}
	return nil
}

// here closes a list of schemas over everything that applies in the same
// place.
func (d *document) here(start []*node) spot {
	var p spot
	var walk func(*node)
	walk = func(n *node) {
		if !n.is(kindObject) || slices.Contains(p, n) || len(p) >= maxApplied {
			return
		}
		p = append(p, n)
		for i, keyword := range n.names {
			kid := n.kids[i]
			switch keyword {
			case "$ref", "$dynamicRef", "$recursiveRef":
				if target, _ := d.resolve(kid.str()); target != nil {
					walk(target)
				}
			case "allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies":
				each(kid, func(_ string, sub *node) { walk(sub) })
			case "if", "then", "else", "not":
				walk(kid)
			}
		}
	}
	for _, n := range start {
		walk(n)
	}
	return p
}

// keepAll is a shape that keeps everything and yields to what others deny.
func keepAll() *rawjson.Shape {
	s := &rawjson.Shape{}
	s.Rest, s.Items = s, s
	return s
}

// without is a shape that keeps everything but what the ways lead to.
func without(ways [][]string, keep *rawjson.Shape) *rawjson.Shape {
	if len(ways) == 0 {
		return keep
	}
	s := &rawjson.Shape{Deny: map[string]bool{}, Members: map[string]*rawjson.Shape{}}
	var any [][]string
	named := map[string][][]string{}
	for _, way := range ways {
		switch {
		case len(way) == 1:
			s.Deny[way[0]] = true
		case way[0] == anyToken:
			any = append(any, way[1:])
		default:
			named[way[0]] = append(named[way[0]], way[1:])
		}
	}
	s.Rest = without(any, keep)
	s.Items = s.Rest
	for name, rest := range named {
		s.Members[name] = without(append(rest, any...), keep)
	}
	return s
}

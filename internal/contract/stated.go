package contract

import (
	"bytes"
	"slices"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// meaning gives what a schema states, without prose and in one order: title,
// description, examples, $comment, deprecated and unknown keywords go, at
// schema positions only; required, type, enum and dependentRequired are sorted
// and lose repetitions; a type list of one is that type; a keyword that lists
// nothing (required [], properties {}) goes as well.
func (d *document) meaning() *node {
	return d.stated(d.root)
}

func (d *document) stated(n *node) *node {
	if !n.is(kindObject) {
		return n
	}
	var names []string
	var kids []*node
	for i, keyword := range n.names {
		if kid := d.keyword(n, keyword, n.kids[i]); kid != nil {
			names, kids = append(names, keyword), append(kids, kid)
		}
	}
	return object(names, kids)
}

// keyword gives what one keyword of schema n states, nil for nothing.
func (d *document) keyword(n *node, keyword string, value *node) *node {
	switch roleOf(keyword) {
	case roleProse:
		return d.referred(value)
	case roleUnknown:
		if d.opaque {
			return value
		}
		return d.referred(value)
	case roleSet:
		return set(keyword, value)
	case roleSets:
		return members(value, func(kid *node) *node { return set("", kid) })
	case roleSchema, roleItems, roleSchemas:
		return d.schemas(value)
	case roleMap, roleDependencies:
		return members(value, d.schemas)
	}
	if keyword == "$schema" && n == d.root {
		return d.dialect(value)
	}
	return value
}

// schemas gives what a schema or a list of schemas states; a list of names, as
// dependencies may hold, is a set.
func (d *document) schemas(n *node) *node {
	if !n.is(kindArray) {
		return d.stated(n)
	}
	if len(n.kids) > 0 && n.kids[0].is(kindString) {
		return set("", n)
	}
	kids := make([]*node, len(n.kids))
	for i, kid := range n.kids {
		kids[i] = d.stated(kid)
	}
	return arrayNode(kids)
}

// members applies state to the members of an object; an empty object states
// nothing, and a wrong kind of value is left as it is.
func members(n *node, state func(*node) *node) *node {
	if !n.is(kindObject) {
		return n
	}
	var names []string
	var kids []*node
	for i, kid := range n.kids {
		if kid = state(kid); kid != nil {
			names, kids = append(names, n.names[i]), append(kids, kid)
		}
	}
	if len(kids) == 0 {
		return nil
	}
	return object(names, kids)
}

// set sorts a list by the canonical text of its items and drops repetitions.
func set(keyword string, n *node) *node {
	if !n.is(kindArray) {
		return n
	}
	type item struct {
		text []byte
		node *node
	}
	items := make([]item, 0, len(n.kids))
	for _, kid := range n.kids {
		text, err := kid.canonical()
		if err != nil {
			return n // an impossible number; the hash itself refuses it
		}
		items = append(items, item{text, kid})
	}
	slices.SortFunc(items, func(a, b item) int { return bytes.Compare(a.text, b.text) })
	items = slices.CompactFunc(items, func(a, b item) bool { return bytes.Equal(a.text, b.text) })
	switch {
	case len(items) == 0 && keyword != "enum" && keyword != "type":
		return nil
	case len(items) == 1 && keyword == "type":
		return items[0].node
	}
	kids := make([]*node, len(items))
	for i := range items {
		kids[i] = items[i].node
	}
	return arrayNode(kids)
}

// referred keeps of a value that is no schema only what references make one:
// {"components": {"Item": {…}}} with a $ref to it.
func (d *document) referred(n *node) *node {
	if d.isAt(n) {
		return d.stated(n)
	}
	if !d.holds(n) {
		return nil
	}
	var names []string
	var kids []*node
	for i, kid := range n.kids {
		kept := d.referred(kid)
		if kept == nil && n.is(kindArray) {
			kept = &node{kind: kindNull} // positions are what references go by
		}
		if kept == nil {
			continue
		}
		if kids = append(kids, kept); n.is(kindObject) {
			names = append(names, n.names[i])
		}
	}
	return &node{kind: n.kind, names: names, kids: kids}
}

// prose lists what meaning leaves out, as [pointer, value] in the order of the
// pointers.
func (d *document) prose() *node {
	var rows []*node
	for _, n := range d.order {
		for i, keyword := range n.names {
			if r := roleOf(keyword); r == roleProse || r == roleUnknown {
				at := rawjson.Join(d.at[n], keyword)
				rows = append(rows, arrayNode([]*node{stringNode(at), n.kids[i]}))
			}
		}
	}
	slices.SortFunc(rows, func(a, b *node) int { return compareUTF16(a.kids[0].text, b.kids[0].text) })
	return arrayNode(rows)
}

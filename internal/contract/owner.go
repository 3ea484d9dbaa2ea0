package contract

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// owner finds the member whose name a propertyNames refuses. The library gives
// the depth of its object and loses the way there (the tokens are overwritten
// by what it looks at next), so the objects of that depth are searched for one
// that has the member and that the schema at fault applies to. The first in
// the text is taken.
func (f finder) owner(err *jsonschema.ValidationError, name string) []string {
	depth := len(err.InstanceLocation)
	var found [][]string
	if f.schema == nil {
		found = holders(f.root, nil, depth, name)
	} else {
		h := hunt{location: err.SchemaURL, name: name, depth: depth, seen: map[visit]bool{}}
		h.walk(f.schema, f.root, nil)
		found = h.found
	}
	if len(found) == 0 {
		return nil
	}
	first := slices.MinFunc(found, func(a, b []string) int { return slices.Compare(f.places(a), f.places(b)) })
	return append(first, name)
}

// holders lists the ways to the objects at a depth that have a member.
func holders(n *node, at []string, depth int, name string) (found [][]string) {
	if len(at) == depth {
		if n.get(name) != nil {
			found = append(found, slices.Clone(at))
		}
		return found
	}
	for i, kid := range n.kids {
		token := itoa(i)
		if n.is(kindObject) {
			token = n.names[i]
		}
		found = append(found, holders(kid, append(slices.Clone(at), token), depth, name)...)
	}
	return found
}

// visit is one schema met at one value.
type visit struct {
	schema *jsonschema.Schema
	value  *node
}

// hunt follows a schema through a value to where the schema with the
// propertyNames at location applies.
type hunt struct {
	location, name string
	depth          int
	seen           map[visit]bool
	found          [][]string
}

func (h *hunt) walk(s *jsonschema.Schema, n *node, at []string) {
	if h.seen[visit{s, n}] {
		return
	}
	h.seen[visit{s, n}] = true
	if len(at) == h.depth && s.PropertyNames != nil && s.PropertyNames.Location == h.location && n.get(h.name) != nil {
		h.found = append(h.found, slices.Clone(at))
	}
	for _, sub := range checkedInPlace(s) {
		h.walk(sub, n, at)
	}
	if len(at) == h.depth {
		return
	}
	one := weights{s: 1}
	for i, kid := range n.kids {
		token, next := itoa(i), weights(nil)
		if n.is(kindObject) {
			token = n.names[i]
			next = one.member(token)
		} else {
			next = one.element(i)
		}
		for sub := range next {
			h.walk(sub, kid, append(slices.Clone(at), token))
		}
	}
}

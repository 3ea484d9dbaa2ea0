package contract

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// listOf gives the items of a list, none of anything else.
func listOf(n *node) []*node {
	if !n.is(kindArray) {
		return nil
	}
	return n.kids
}

// enumOf gives the values of enum or const that are short enough to show.
func enumOf(n *node) []string {
	values := listOf(n.get("enum"))
	if fixed := n.get("const"); fixed != nil {
		values = append(slices.Clone(values), fixed)
	}
	var texts []string
	for _, v := range values {
		text := v.text
		if !v.is(kindString) {
			raw, err := v.canonical()
			if err != nil {
				continue
			}
			text = string(raw)
		}
		if len(text) <= maxEnumText && len(texts) < maxEnums {
			texts = append(texts, text)
		}
	}
	return texts
}

// typeText says in words which types a schema allows.
func (d *document) typeText(n *node, depth int) string {
	var words []string
	add := func(word string) {
		if word != "" && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	for _, s := range d.applied(n, false) {
		types := listOf(s.get("type"))
		if t := s.get("type"); t.is(kindString) {
			types = []*node{t}
		}
		for _, t := range types {
			add(d.typeWord(s, t.str(), depth))
		}
		for _, keyword := range [...]string{"anyOf", "oneOf"} {
			for _, sub := range listOf(s.get(keyword)) {
				if depth < maxListed && len(words) < maxListed {
					add(d.typeText(sub, depth+1))
				}
			}
		}
	}
	return strings.Join(words, " or ")
}

func (d *document) typeWord(n *node, typ string, depth int) string {
	if typ != "array" {
		return typ
	}
	if items := n.get("items"); items.is(kindObject) && depth < maxListed {
		if of := d.typeText(items, depth+1); of != "" {
			return "list of " + of
		}
	}
	return "list"
}

// outputs lists leaf fields.
func (d *document) outputs() []Field {
	var fields []Field
	var walk func(n *node, at []string, open []*node)
	walk = func(n *node, at []string, open []*node) {
		if len(fields) == maxOutputs || slices.Contains(open, n) {
			return
		}
		open = append(slices.Clone(open), n)
		inner := false
		if len(at) < maxListed {
			for _, kid := range d.inner(n) {
				inner = true
				walk(kid.schema, append(slices.Clone(at), kid.token), open)
			}
		}
		if !inner && len(at) > 0 && len(fields) < maxOutputs {
			fields = append(fields, d.field(n, at))
		}
	}
	walk(d.root, nil, nil)
	return fields
}

func (d *document) field(n *node, at []string) Field {
	f := Field{Pointer: rawjson.Join("", at...), Type: d.typeText(n, 0)}
	for _, token := range at {
		if token != "*" {
			f.Name = token
		}
	}
	for _, s := range d.applied(n, false) {
		if f.Description == "" {
			f.Description = s.get("description").str()
		}
	}
	return f
}

// step is one way down from a schema: to a member, or to the items of a list.
type step struct {
	token  string
	schema *node
}

// inner lists the members and items that a schema declares, each name once.
func (d *document) inner(n *node) []step {
	var steps []step
	seen := map[string]bool{}
	add := func(token string, schema *node) {
		if isSchema(schema) && !seen[token] {
			seen[token] = true
			steps = append(steps, step{token, schema})
		}
	}
	for _, s := range d.applied(n, true) {
		if properties := s.get("properties"); properties.is(kindObject) {
			for i, name := range properties.names {
				add(name, properties.kids[i])
			}
		}
		for _, keyword := range [...]string{"prefixItems", "items"} {
			items := s.get(keyword)
			for _, item := range listOf(items) {
				add("*", item)
			}
			add("*", items)
		}
	}
	return steps
}

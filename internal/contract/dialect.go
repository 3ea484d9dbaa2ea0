package contract

import "strings"

// dialect is a version of JSON Schema. A schema that states none is read as
// 2020-12.
type dialect int

const (
	dialectUnknown dialect = 0
	draft4         dialect = 4
	draft6         dialect = 6
	draft7         dialect = 7
	draft2019      dialect = 2019
	draft2020      dialect = 2020
)

// dialectOf reads the value of $schema.
func dialectOf(uri string) dialect {
	uri = strings.TrimSuffix(uri, "#")
	rest, ok := strings.CutPrefix(uri, "https://json-schema.org/")
	if !ok {
		rest, ok = strings.CutPrefix(uri, "http://json-schema.org/")
	}
	if !ok {
		return dialectUnknown
	}
	switch rest {
	case "draft-04/schema":
		return draft4
	case "draft-06/schema":
		return draft6
	case "draft-07/schema":
		return draft7
	case "draft/2019-09/schema":
		return draft2019
	case "draft/2020-12/schema", "schema":
		return draft2020
	}
	return dialectUnknown
}

// dialect gives what a root's $schema adds to the meaning: nothing where the
// schema uses no keyword that the stated dialect reads otherwise than 2020-12
// does. So a source that begins or ceases to state the dialect of a plain
// schema keeps its hash.
func (d *document) dialect(value *node) *node {
	stated := dialectOf(value.str())
	if stated == dialectUnknown {
		return value
	}
	for _, n := range d.order {
		if n.readsOtherwise(stated) {
			return stringNode(itoa(int(stated)))
		}
	}
	return nil
}

// readsOtherwise reports whether schema n may mean something else in dialect
// than in 2020-12. It may say yes too often, never too seldom.
func (n *node) readsOtherwise(in dialect) bool {
	if in == draft2020 {
		return false
	}
	if in == draft4 || !n.is(kindObject) {
		return in == draft4
	}
	for i, keyword := range n.names {
		switch keyword {
		case "items":
			if n.kids[i].is(kindArray) {
				return true
			}
		case "additionalItems", "prefixItems", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
			"unevaluatedItems":
			return true
		case "$id", "id", "$anchor", "$ref", "dependentSchemas", "dependentRequired", "dependencies", "unevaluatedProperties",
			"minContains", "maxContains", "contentSchema":
			if in <= draft7 && !(keyword == "$ref" && n.onlyRef()) {
				return true
			}
		case "if", "then", "else", "contentEncoding", "contentMediaType", "readOnly", "writeOnly":
			if in == draft6 {
				return true
			}
		}
	}
	return false
}

// onlyRef reports whether nothing that limits values stands beside n's $ref,
// which drafts up to 7 would ignore.
func (n *node) onlyRef() bool {
	for _, keyword := range n.names {
		switch roleOf(keyword) {
		case roleProse, roleUnknown:
		default:
			switch keyword {
			case "$ref", "$schema", "$defs", "definitions":
			default:
				return false
			}
		}
	}
	return true
}

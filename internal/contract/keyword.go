package contract

// role says what stands under a keyword of a schema.
type role uint8

const (
	roleUnknown      role = iota // not a keyword: says nothing about values
	roleProse                    // said to people, or about a value without limiting it
	roleValue                    // one JSON value, verbatim
	roleSchema                   // a schema
	roleSchemas                  // a list of schemas
	roleItems                    // a schema, or a list of them (before 2020-12)
	roleMap                      // schemas by name
	roleDependencies             // schemas or lists of names, by name
	roleSet                      // a list whose order and repetition say nothing
	roleSets                     // such lists by name
)

// roleOf tells the role of a keyword, over all dialects at once: a keyword
// that a dialect does not know would be ignored by it, and is kept in the hash
// all the same.
func roleOf(keyword string) role {
	switch keyword {
	case "title", "description", "examples", "$comment", "deprecated":
		return roleProse
	case "$schema", "$id", "id", "$anchor", "$ref", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
		"const", "default", "format", "readOnly", "writeOnly", "contentEncoding", "contentMediaType",
		"multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
		"maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties":
		return roleValue
	case "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties", "additionalItems",
		"unevaluatedProperties", "unevaluatedItems", "contentSchema":
		return roleSchema
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return roleSchemas
	case "items":
		return roleItems
	case "properties", "patternProperties", "dependentSchemas", "$defs", "definitions":
		return roleMap
	case "dependencies":
		return roleDependencies
	case "type", "enum", "required":
		return roleSet
	case "dependentRequired":
		return roleSets
	}
	return roleUnknown
}

// subschemas calls visit with every schema directly under schema n and the
// tokens that lead to it.
func subschemas(n *node, visit func(sub *node, path ...string)) {
	if !n.is(kindObject) {
		return
	}
	for i, keyword := range n.names {
		kid := n.kids[i]
		switch roleOf(keyword) {
		case roleSchema:
			visit(kid, keyword)
		case roleItems:
			if kid.is(kindArray) {
				each(kid, func(token string, sub *node) { visit(sub, keyword, token) })
			} else {
				visit(kid, keyword)
			}
		case roleSchemas, roleMap, roleDependencies:
			each(kid, func(token string, sub *node) { visit(sub, keyword, token) })
		}
	}
}

// each calls visit with the members or items of n that can be schemas.
func each(n *node, visit func(token string, sub *node)) {
	for i, kid := range n.kids {
		if !isSchema(kid) {
			continue
		}
		if n.is(kindArray) {
			visit(itoa(i), kid)
		} else {
			visit(n.names[i], kid)
		}
	}
}

// isSchema reports whether n has the form of a schema: an object or a boolean.
func isSchema(n *node) bool { return n.is(kindObject) || n.is(kindTrue) || n.is(kindFalse) }

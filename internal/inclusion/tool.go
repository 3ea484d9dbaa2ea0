package inclusion

import (
	"maps"
	"slices"
)

// declaredOnly gives the schema of the arguments that get past the check of
// names: those that the schema declares at its root, with all that applies in
// its place. A schema that opens itself, or declares nothing, stays as it is.
func declaredOnly(t *table, root *node) *node {
	r, open, seen := &region{}, false, map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, p := range n.props {
			r.except = append(r.except, p.name)
		}
		for _, p := range n.patterns {
			r.patterns = append(r.patterns, patternIs{p.name, true})
		}
		if rest := firstNode(n.rest, n.unevaluatedProps); rest != nil && !rest.never {
			open = true
		}
		for _, sub := range n.inPlace() {
			if sub != n.not {
				walk(sub)
			}
		}
	}
	walk(root)
	slices.Sort(r.except)
	r.except = slices.Compact(r.except)
	if open || len(r.except)+len(r.patterns) == 0 {
		return root
	}
	closed := newNode("", nil)
	closed.closed, closed.allOf = r, []*node{root}
	return t.add(closed)
}

func firstNode(a, b *node) *node {
	if a != nil {
		return a
	}
	return b
}

// relaxed finds the objects of a result schema whose closedness asks nothing
// of a result, because what they do not declare is cut off before the caller
// sees it. Only schemas that apply alone to their value count: nothing beside
// them may look at the members that are cut off.
func relaxed(root *value) map[*value]bool {
	out := map[*value]bool{}
	var walk func(v *value)
	walk = func(v *value) {
		if !v.is(kObject) || !alone(v) {
			return
		}
		if closes(v) && v.get("minProperties") == nil && v.get("propertyNames") == nil && declaresRequired(v) {
			out[v] = true
		}
		for _, keyword := range [...]string{"properties", "patternProperties"} {
			if kid := v.get(keyword); kid.is(kObject) {
				for _, sub := range kid.kids {
					walk(sub)
				}
			}
		}
		for _, keyword := range [...]string{"additionalProperties", "items", "additionalItems", "prefixItems"} {
			kid := v.get(keyword)
			walk(kid)
			if kid.is(kArray) {
				for _, sub := range kid.kids {
					walk(sub)
				}
			}
		}
	}
	walk(root)
	return out
}

// bindTo marks what holds one of some schemas as tied to its place, and reports
// whether v does.
func (v *value) bindTo(some map[*value]bool) bool {
	if len(some) == 0 {
		return false
	}
	held := some[v]
	for _, kid := range v.kids {
		held = kid.bindTo(some) || held
	}
	v.bound = v.bound || held
	return held
}

// alone reports whether a schema limits its value by itself.
func alone(v *value) bool {
	return !slices.ContainsFunc([]string{"$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas",
		"dependencies", "dependentRequired", "enum", "const", "contains", "uniqueItems"}, func(keyword string) bool { return v.get(keyword) != nil })
}

func closes(v *value) bool {
	for _, keyword := range [...]string{"additionalProperties", "unevaluatedProperties"} {
		if kid := v.get(keyword); kid.is(kBool) && !kid.yes {
			return v.get("properties").is(kObject) || v.get("patternProperties").is(kObject)
		}
	}
	return false
}

func declaresRequired(v *value) bool {
	required := v.get("required")
	if required == nil {
		return true
	}
	for _, name := range required.kids {
		if v.get("properties").get(name.text()) == nil {
			return false
		}
	}
	return true
}

// reworded gives a schema as the library is to read it: without the closedness
// of the relaxed objects, and false for one whose enum is empty, which some
// descriptions of the dialects refuse.
func (v *value) reworded(relax, hollow map[*value]bool) *value {
	switch {
	case hollow[v] && v.get("$id") == nil && v.get("$anchor") == nil && v.get("$defs") == nil && v.get("definitions") == nil && v.get("$schema") == nil:
		return &value{kind: kBool}
	case v.kind == kArray:
		out := &value{kind: kArray}
		for _, kid := range v.kids {
			out.kids = append(out.kids, kid.reworded(relax, hollow))
		}
		return out
	case v.kind == kObject:
		members := map[string]*value{}
		for i, name := range v.names {
			members[name] = v.kids[i].reworded(relax, hollow)
		}
		if relax[v] {
			maps.DeleteFunc(members, func(name string, kid *value) bool {
				return (name == "additionalProperties" || name == "unevaluatedProperties") && kid.kind == kBool && !kid.yes
			})
		}
		if hollow[v] {
			delete(members, "enum")
			members["allOf"] = &value{kind: kArray, kids: []*value{{kind: kBool}}}
		}
		return object(members)
	}
	return v
}

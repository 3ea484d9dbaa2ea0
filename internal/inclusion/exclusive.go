package inclusion

import "slices"

// maxOverlap bounds the alternatives of a oneOf that may hold together: each
// has to be told apart from every other.
const maxOverlap = 128

// exactlyOne says that one alternative of oneOf holds and no other. Where no
// two can hold together, that is what anyOf says.
func exactlyOne(n *node, k kind) form {
	var list []*node
	for _, sub := range n.oneOf {
		if !sub.excludes(k, 0) {
			list = append(list, sub)
		}
	}
	var any []form
	if len(list) < 2 || disjoint(list, k) {
		for _, sub := range list {
			any = append(any, goal(sub, false))
		}
		return anyOf(any...)
	}
	if len(list) > maxOverlap {
		return form{op: fStop, stop: &Stop{n.ptr + "/oneOf", "oneOf of many alternatives that may overlap"}}
	}
	for i := range list {
		var all []form
		for j, sub := range list {
			all = append(all, goal(sub, i != j))
		}
		any = append(any, allOf(all...))
	}
	return anyOf(any...)
}

// maxInside bounds how far references and allOf are followed for a plain look.
const maxInside = 8

// alongside calls visit with n and all that holds wherever n does, as far as a
// plain look goes, until visit is content.
func (n *node) alongside(depth int, visit func(*node) bool) bool {
	if visit(n) {
		return true
	}
	if depth >= maxInside {
		return false
	}
	if n.ref != nil && n.ref.alongside(depth+1, visit) {
		return true
	}
	return len(n.allOf) <= maxInside && slices.ContainsFunc(n.allOf, func(sub *node) bool { return sub.alongside(depth+1, visit) })
}

// excludes reports whether a schema plainly accepts no value of a kind.
func (n *node) excludes(k kind, depth int) bool {
	return n.alongside(depth, func(n *node) bool {
		return n.never || n.types != 0 && n.types&k == 0 && (k != kNumber || n.types&kInteger == 0)
	})
}

// disjoint reports whether alternatives plainly exclude each other: by the
// values that they list, or by those of a member that all of them require.
func disjoint(list []*node, k kind) bool {
	if apart(list, func(n *node) []*value { return n.listed() }) {
		return true
	}
	if k != kObject {
		return false
	}
	for _, tag := range list[0].tags() {
		if apart(list, func(n *node) []*value { return n.tagged(tag) }) {
			return true
		}
	}
	return false
}

// apart reports whether every schema lists values and no two list the same.
func apart(list []*node, values func(*node) []*value) bool {
	seen := map[string]bool{}
	for _, n := range list {
		of := values(n)
		if len(of) == 0 {
			return false
		}
		own := map[string]bool{}
		for _, v := range of {
			own[v.key()] = true
		}
		for key := range own {
			if seen[key] {
				return false
			}
			seen[key] = true
		}
	}
	return true
}

// listed gives the values of which a schema accepts some, nil where it lists
// none.
func (n *node) listed() (out []*value) {
	n.alongside(0, func(n *node) bool {
		switch {
		case n.constant != nil:
			out = []*value{n.constant}
		case n.hasEnum:
			out = n.enum
		case n.anyValues != nil:
			out = n.anyValues
		}
		return out != nil
	})
	return out
}

// tags names the members that a schema requires and lists the values of.
func (n *node) tags() []string {
	var out []string
	n.alongside(0, func(sub *node) bool {
		for _, p := range sub.props {
			if len(out) < maxInside && p.node.listed() != nil && n.requires(p.name) {
				out = append(out, p.name)
			}
		}
		return false
	})
	return out
}

func (n *node) requires(name string) bool {
	return n.alongside(0, func(n *node) bool { return slices.Contains(n.required, name) })
}

// tagged gives the values of a required member, nil where they are not listed.
func (n *node) tagged(name string) (out []*value) {
	if !n.requires(name) {
		return nil
	}
	n.alongside(0, func(n *node) bool {
		if sub := n.prop(name); sub != nil {
			out = sub.listed()
		}
		return out != nil
	})
	return out
}

// plainValues gives the values of alternatives that each do nothing but list
// some, with the number of alternatives that hold each; nil where one does
// more.
func plainValues(list []*node) (values []*value, times []int) {
	at := map[string]int{}
	eval := newEvaluator(new(int))
	for _, n := range list {
		if !n.onlyLists() {
			return nil, nil
		}
		of := n.enum
		if n.constant != nil {
			of = []*value{n.constant}
		}
		own := map[string]bool{}
		for _, v := range of {
			if own[v.key()] || eval.own(n, v) != yes {
				continue
			}
			own[v.key()] = true
			i, known := at[v.key()]
			if !known {
				i = len(values)
				at[v.key()] = i
				values, times = append(values, v), append(times, 0)
			}
			times[i]++
		}
	}
	return values, times
}

// onlyLists reports whether a schema states a list of values, perhaps their
// type, and beside that only words for people.
func (n *node) onlyLists() bool {
	if n.constant == nil && !n.hasEnum || n.ref != nil || len(n.stops) > 0 {
		return false
	}
	for _, keyword := range n.raw.names {
		switch keyword {
		case "const", "enum", "type", "title", "description", "$comment", "default", "examples", "deprecated":
		default:
			return false
		}
	}
	return true
}

package contract

import (
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// cutter takes places out of a schema's text.
type cutter struct {
	doc      *document
	deny     map[*node]map[string]bool // member names that a schema loses
	gone     map[string]bool           // places that are out, as pointers
	dead     map[*node]bool            // schemas that nothing refers to any more
	required bool                      // what requires a place that is out is out too
	given    map[string]bool           // but one of these is given for the caller
	unusable bool                      // the whole is
}

// mark goes over every place once: one that is out denies its name to the
// schemas above it, and a name that any of those denies is out. It reports
// whether anything was new, for that may reach places already passed.
func (c *cutter) mark() (more bool) {
	c.doc.places(func(parent spot, at []string) {
		pointer, name := rawjson.Join("", at...), at[len(at)-1]
		out := c.gone[pointer]
		for _, n := range parent {
			out = out || c.deny[n][name]
		}
		if !out {
			return
		}
		more = c.out(pointer) || more
		for _, n := range parent {
			more = c.denyName(n, name) || more
			if c.required && !c.given[pointer] {
				more = c.requirers(n, at) || more
			}
		}
	})
	return more
}

func (c *cutter) out(pointer string) bool {
	was := c.gone[pointer]
	c.gone[pointer] = true
	return !was
}

func (c *cutter) denyName(n *node, name string) bool {
	if c.deny[n] == nil {
		c.deny[n] = map[string]bool{}
	}
	was := c.deny[n][name]
	c.deny[n][name] = true
	return !was
}

// requirers puts out what cannot be given without a place that is out: the
// object that requires it, and the members that depend on it.
func (c *cutter) requirers(n *node, at []string) (more bool) {
	name, parent := at[len(at)-1], trimAny(rawjson.Join("", at[:len(at)-1]...))
	if lists(n.get("required"), name) {
		if parent == "" {
			more = more || !c.unusable
			c.unusable = true
		} else {
			more = c.out(parent) || more
		}
	}
	for _, keyword := range [...]string{"dependentRequired", "dependencies"} {
		depends := n.get(keyword)
		if !depends.is(kindObject) {
			continue
		}
		for i, needer := range depends.names {
			if lists(depends.kids[i], name) {
				more = c.out(rawjson.Join("", append(slices.Clone(at[:len(at)-1]), needer)...)) || more
			}
		}
	}
	return more
}

// lists reports whether a list of names holds one.
func lists(n *node, name string) bool {
	return slices.ContainsFunc(listOf(n), func(kid *node) bool { return kid.is(kindString) && kid.text == name })
}

// reach finds the schemas that were referred to and are no more.
func (c *cutter) reach() {
	before, after := c.reached(false), c.reached(true)
	c.dead = map[*node]bool{}
	for n := range before {
		if !after[n] {
			c.dead[n] = true
		}
	}
}

// reached lists what the root leads to, definitions by reference alone.
func (c *cutter) reached(cut bool) map[*node]bool {
	seen := map[*node]bool{}
	var walk func(*node)
	walk = func(n *node) {
		if !isSchema(n) || seen[n] {
			return
		}
		seen[n] = true
		for _, keyword := range [...]string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if ref := n.get(keyword); ref.is(kindString) {
				if target, _ := c.doc.resolve(ref.text); target != nil {
					walk(target)
				}
			}
		}
		subschemas(n, func(sub *node, path ...string) {
			if path[0] == "$defs" || path[0] == "definitions" || cut && byName(path[0]) && c.deny[n][path[1]] {
				return
			}
			walk(sub)
		})
	}
	walk(c.doc.root)
	return seen
}

// byName reports whether a keyword holds schemas by the names of members.
func byName(keyword string) bool {
	return keyword == "properties" || keyword == "dependentSchemas" || keyword == "dependencies"
}

// write appends a value of the schema's text without what is out, everything
// else spelled as it was; kept is false where nothing is left of a value that
// had something.
func (c *cutter) write(dst []byte, n *node, raw []byte) (out []byte, kept bool) {
	switch {
	case n.is(kindObject):
		return c.object(dst, n, raw, func(dst []byte, i int, value []byte) ([]byte, bool) { return c.member(dst, n, i, value) })
	case n.is(kindArray):
		dst = append(dst, '[')
		for i, value := range rawjson.Elements(raw) {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, kept = c.write(dst, n.kids[i], value); !kept {
				dst = append(dst, "{}"...) // positions are what references go by
			}
		}
		return append(dst, ']'), true
	}
	return append(dst, raw...), true
}

// object appends the members that each keeps.
func (c *cutter) object(dst []byte, n *node, raw []byte, each func(dst []byte, i int, value []byte) ([]byte, bool)) ([]byte, bool) {
	start, i, left, cut := len(dst), -1, 0, false
	dst = append(dst, '{')
	for quoted, value := range rawjson.Spelled(raw) {
		i++
		at := len(dst)
		if left > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, quoted...), ':')
		var kept bool
		if dst, kept = each(dst, i, value); !kept {
			dst, cut = dst[:at], true
			continue
		}
		left++
	}
	if cut && left == 0 && !c.doc.isAt(n) {
		return dst[:start], false
	}
	return append(dst, '}'), true
}

// member appends one member of an object.
func (c *cutter) member(dst []byte, n *node, i int, value []byte) ([]byte, bool) {
	kid, keyword, names := n.kids[i], n.names[i], c.deny[n]
	if c.dead[kid] {
		return dst, false
	}
	if !c.doc.isAt(n) || len(names) == 0 {
		return c.write(dst, kid, value)
	}
	switch keyword {
	case "properties", "dependentSchemas", "dependencies", "dependentRequired":
		return c.named(dst, kid, value, names), true
	case "required":
		return namesWithout(dst, kid, value, names)
	case "propertyNames":
		return c.object(dst, kid, value, func(dst []byte, j int, inner []byte) ([]byte, bool) {
			if kid.names[j] == "enum" {
				return namesWithout(dst, kid.kids[j], inner, names)
			}
			return c.write(dst, kid.kids[j], inner)
		})
	case "default", "const":
		out, _ := rawjson.Project(dst, value, c.shapeOf(spot{n}, map[string]*rawjson.Shape{}))
		return out, true
	case "examples", "enum":
		list := keepAll()
		list.Items = c.shapeOf(spot{n}, map[string]*rawjson.Shape{})
		out, _ := rawjson.Project(dst, value, list)
		return out, true
	}
	return c.write(dst, kid, value)
}

// named appends an object whose members go by the names of a value's members.
func (c *cutter) named(dst []byte, n *node, raw []byte, names map[string]bool) []byte {
	out, kept := c.object(dst, n, raw, func(dst []byte, i int, value []byte) ([]byte, bool) {
		switch kid := n.kids[i]; {
		case names[n.names[i]]:
			return dst, false
		case kid.is(kindArray):
			return namesWithout(dst, kid, value, names)
		default:
			return c.write(dst, kid, value)
		}
	})
	if !kept {
		return append(out, "{}"...)
	}
	return out
}

// namesWithout appends a list of names without some; a list that loses all of
// them is not kept.
func namesWithout(dst []byte, n *node, raw []byte, names map[string]bool) ([]byte, bool) {
	start, left := len(dst), 0
	dst = append(dst, '[')
	for i, value := range rawjson.Elements(raw) {
		if kid := n.kids[i]; kid.is(kindString) && names[kid.text] {
			continue
		}
		if left++; left > 1 {
			dst = append(dst, ',')
		}
		dst = append(dst, value...)
	}
	if left == 0 && len(n.kids) > 0 {
		return dst[:start], false
	}
	return append(dst, ']'), true
}

// strip gives the shape that keeps of a value all but what is out.
func (c *cutter) strip() *rawjson.Shape {
	root := c.shapeOf(c.doc.here([]*node{c.doc.root}), map[string]*rawjson.Shape{})
	byPointer := without(waysOf(c.gone), keepAll())
	return &rawjson.Shape{Rest: keepAll(), Items: keepAll(), Union: []*rawjson.Shape{root, byPointer}}
}

// shapeOf gives the shape of a place, which may lead back to itself.
func (c *cutter) shapeOf(p spot, known map[string]*rawjson.Shape) *rawjson.Shape {
	p = c.doc.here(p)
	key := ""
	for _, n := range p {
		key += fmt.Sprintf("%p ", n)
	}
	if s := known[key]; s != nil {
		return s
	}
	s := &rawjson.Shape{Deny: map[string]bool{}, Members: map[string]*rawjson.Shape{}, Rest: keepAll()}
	s.Items = s.Rest
	known[key] = s
	for _, n := range p {
		for name := range c.deny[n] {
			s.Deny[name] = true
		}
	}
	open := false
	c.doc.below(p, func(token string, next spot) {
		if token == anyToken {
			s.Rest, open = c.shapeOf(next, known), true
			s.Items = s.Rest
			return
		}
		s.Members[token] = c.shapeOf(next, known)
	})
	for name, member := range s.Members {
		if open { // a member that is spelled out may be one of the others too
			s.Members[name] = &rawjson.Shape{Union: []*rawjson.Shape{member, s.Rest}}
		}
	}
	return s
}

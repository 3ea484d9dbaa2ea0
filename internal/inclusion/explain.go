package inclusion

import (
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// explainer names the keywords of the larger schema that refuse a value.
type explainer struct {
	eval  *evaluator
	old   *value // the smaller schema, to tell what is new from what changed
	rules []Rule
	seen  map[Rule]bool
	depth int
}

// explain gives the rules by which the larger schema refuses the witness.
func (p *pair) explain(v *value) []Rule {
	work := p.limit / explainPart
	start := work
	defer func() { p.beside += start - work }()
	x := explainer{eval: newEvaluator(&work), old: p.values[0], seen: map[Rule]bool{}}
	x.schema(p.nodes[1], "", v)
	if len(x.rules) == 0 {
		x.add("values-refused", "")
	}
	return x.rules
}

func (x *explainer) add(id, pointer string) {
	r := Rule{id, pointer}
	if !x.seen[r] {
		x.seen[r] = true
		x.rules = append(x.rules, r)
	}
}

// before gives what stood at the same place in the smaller schema.
func (x *explainer) before(pointer string) *value {
	tokens, ok := rawjson.Split(pointer)
	if !ok {
		return nil
	}
	v := x.old
	for _, token := range tokens {
		if v = v.step(token); v == nil {
			return nil
		}
	}
	return v
}

// changed names a rule after whether the keyword stood there before.
func (x *explainer) changed(pointer, name, was, is string) {
	if x.before(pointer) == nil {
		was = is
	}
	x.add(name+"-"+was, pointer)
}

func (x *explainer) fails(n *node, v *value) bool { return x.eval.valid(n, v, nil) == no }

// schema explains why n refuses v.
func (x *explainer) schema(n *node, ptr string, v *value) {
	if x.depth++; x.depth > 100 {
		return
	}
	defer func() { x.depth-- }()
	if n.never {
		x.add("schema-refuses-all", ptr)
		return
	}
	x.own(n, ptr, v)
	x.inPlace(n, ptr, v)
	switch v.kind {
	case kObject:
		x.members(n, ptr, v)
	case kArray:
		x.elements(n, ptr, v)
	}
}

// own explains the keywords that need no other schema.
func (x *explainer) own(n *node, ptr string, v *value) {
	only := func(set func(*node)) bool { // whether one keyword alone refuses v
		bare := newNode("", nil)
		set(bare)
		return x.eval.own(bare, v) == no
	}
	if only(func(b *node) { b.types = n.types }) {
		x.types(ptr, v)
	}
	if only(func(b *node) { b.hasEnum, b.enum = n.hasEnum, n.enum }) {
		if x.before(ptr+"/enum") == nil {
			x.add("enum-added", ptr+"/enum")
		} else {
			x.add("enum-value-removed", ptr+"/enum")
		}
	}
	if only(func(b *node) { b.constant = n.constant }) {
		x.changed(ptr+"/const", "const", "changed", "added")
	}
	if only(func(b *node) { b.lo, b.loOpen = n.lo, n.loOpen }) {
		x.changed(x.bound(n, ptr, "minimum", "exclusiveMinimum"), "minimum", "raised", "added")
	}
	if only(func(b *node) { b.hi, b.hiOpen = n.hi, n.hiOpen }) {
		x.changed(x.bound(n, ptr, "maximum", "exclusiveMaximum"), "maximum", "lowered", "added")
	}
	for _, row := range []struct {
		keyword, name, was, is string
		set                    func(*node)
	}{
		{"multipleOf", "multiple-of", "changed", "added", func(b *node) { b.multiple = n.multiple }},
		{"minLength", "min-length", "raised", "added", func(b *node) { b.minLength = n.minLength }},
		{"maxLength", "max-length", "lowered", "added", func(b *node) { b.maxLength = n.maxLength }},
		{"pattern", "pattern", "changed", "added", func(b *node) { b.pattern = n.pattern }},
		{"minItems", "min-items", "raised", "added", func(b *node) { b.minItems = n.minItems }},
		{"maxItems", "max-items", "lowered", "added", func(b *node) { b.maxItems = n.maxItems }},
		{"uniqueItems", "unique-items", "set", "set", func(b *node) { b.unique = n.unique }},
		{"minProperties", "min-properties", "raised", "added", func(b *node) { b.minProps = n.minProps }},
		{"maxProperties", "max-properties", "lowered", "added", func(b *node) { b.maxProps = n.maxProps }},
		{"dependentRequired", "dependent-required", "changed", "added", func(b *node) { b.dependRequired = n.dependRequired }},
	} {
		if only(row.set) {
			x.changed(ptr+"/"+row.keyword, row.name, row.was, row.is)
		}
	}
}

// bound tells which of two keywords set a bound.
func (x *explainer) bound(n *node, ptr, closed, open string) string {
	exclusive := n.raw.get(open)
	if exclusive.is(kNumber) && (n.raw.get(closed) == nil || (closed == "minimum") == n.loOpen && (closed == "maximum") == n.hiOpen) {
		return ptr + "/" + open
	}
	return ptr + "/" + closed
}

// types tells a type that lost some of its kinds from one that shares none.
func (x *explainer) types(ptr string, v *value) {
	old := x.before(ptr + "/type")
	switch {
	case old == nil:
		x.add("type-added", ptr+"/type")
	case old.kind == kArray || old.str == "number" && v.kind == kNumber:
		x.add("type-narrowed", ptr+"/type")
	default:
		x.add("type-replaced", ptr+"/type")
	}
}

// inPlace explains the schemas that apply to the same value.
func (x *explainer) inPlace(n *node, ptr string, v *value) {
	if n.ref != nil && x.fails(n.ref, v) {
		at := n.ref.ptr
		if ref := n.raw.get("$ref").text(); strings.HasPrefix(ref, "#/") || ref == "#" {
			at = strings.TrimPrefix(ref, "#")
		}
		x.schema(n.ref, at, v)
	}
	for i, sub := range n.allOf {
		if x.fails(sub, v) {
			x.schema(sub, ptr+"/allOf/"+itoa(i), v)
		}
	}
	if n.anyOf != nil && x.eval.anyOf(n.anyOf, v, nil) == no {
		x.changed(ptr+"/anyOf", "any-of", "narrowed", "added")
	}
	if n.oneOf != nil && x.eval.oneOf(n.oneOf, v, nil) == no {
		if x.eval.anyOf(n.oneOf, v, nil) == no {
			x.changed(ptr+"/oneOf", "one-of", "narrowed", "added")
		} else {
			x.add("one-of-overlaps", ptr+"/oneOf")
		}
	}
	if n.not != nil && x.eval.valid(n.not, v, nil) == yes {
		x.changed(ptr+"/not", "not", "widened", "added")
	}
	if n.cond != nil {
		if x.fails(n.cond, v) && x.fails(n.other, v) {
			x.changed(ptr+"/else", "else", "narrowed", "added")
		} else if !x.fails(n.cond, v) && x.fails(n.then, v) {
			x.changed(ptr+"/then", "then", "narrowed", "added")
		}
	}
	for _, d := range n.dependSchemas {
		if v.get(d.name) != nil && x.fails(d.node, v) {
			x.changed(rawjson.Join(ptr+"/dependentSchemas", d.name), "dependent-schema", "narrowed", "added")
		}
	}
}

// members explains an object's members and names.
func (x *explainer) members(n *node, ptr string, v *value) {
	for _, name := range n.required {
		if v.get(name) != nil {
			continue
		}
		if x.before(rawjson.Join(ptr+"/properties", name)) != nil {
			x.add("property-became-required", rawjson.Join(ptr+"/properties", name))
		} else {
			x.add("required-property-added", ptr+"/required")
		}
	}
	for i, name := range v.names {
		x.member(n, ptr, name, v.kids[i])
	}
	if len(x.rules) == 0 && n.unevaluatedProps != nil {
		x.add("unevaluated-properties-closed", ptr+"/unevaluatedProperties")
	}
}

func (x *explainer) member(n *node, ptr, name string, v *value) {
	spoken := false
	if sub := n.prop(name); sub != nil {
		spoken = true
		x.below(sub, rawjson.Join(ptr+"/properties", name), v, "property-refused")
	}
	for _, p := range n.patterns {
		if x.eval.match(p.name, name) == yes {
			spoken = true
			x.below(p.node, rawjson.Join(ptr+"/patternProperties", p.name), v, "property-refused")
		}
	}
	if !spoken && n.rest != nil {
		x.below(n.rest, ptr+"/additionalProperties", v, "additional-properties-closed")
	}
	if n.names != nil && x.fails(n.names, &value{kind: kString, str: name}) {
		x.changed(ptr+"/propertyNames", "property-names", "narrowed", "added")
	}
}

// below explains a schema for a part of the value.
func (x *explainer) below(n *node, ptr string, v *value, refused string) {
	switch {
	case n.never:
		x.add(refused, ptr)
	case x.fails(n, v):
		x.schema(n, ptr, v)
	}
}

// elements explains an array's elements.
func (x *explainer) elements(n *node, ptr string, v *value) {
	prefix, rest := "/prefixItems/", "/items"
	if n.raw.get("items").is(kArray) {
		prefix, rest = "/items/", "/additionalItems"
	}
	for i, kid := range v.kids {
		switch {
		case i > len(n.prefix) && kid == v.kids[i-1]: // one value repeated
		case i < len(n.prefix):
			x.below(n.prefix[i], ptr+prefix+itoa(i), kid, "item-refused")
		case n.items != nil:
			x.below(n.items, ptr+rest, kid, "items-closed")
		}
	}
	if n.contains != nil {
		bare := newNode("", nil)
		bare.contains, bare.minHold, bare.maxHold = n.contains, n.minHold, n.maxHold
		if x.eval.elements(bare, v, nil) == no {
			x.changed(ptr+"/contains", "contains", "narrowed", "added")
		}
	}
	if len(x.rules) == 0 && n.unevaluatedItems != nil {
		x.add("unevaluated-items-closed", ptr+"/unevaluatedItems")
	}
}

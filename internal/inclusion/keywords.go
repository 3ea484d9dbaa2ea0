package inclusion

import (
	"math/big"
	"strconv"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

func itoa(i int) string { return strconv.Itoa(i) }

// keywords reads what stands in an object that is a schema.
func (r *reader) keywords(n *node, v *value, ptr string) {
	r.readTypes(n, v, ptr)
	r.readNumbers(n, v, ptr)
	r.readStrings(n, v, ptr)
	r.readArrays(n, v, ptr)
	r.readObjects(n, v, ptr)
	r.readDepends(n, v, ptr)
	n.allOf = append(n.allOf, r.list(v, ptr, "allOf")...)
	n.anyOf = r.list(v, ptr, "anyOf")
	n.oneOf = r.list(v, ptr, "oneOf")
	n.listValues()
	n.not = r.sub(v, ptr, "not")
	for _, keyword := range [...]string{"$defs", "definitions"} {
		r.mapped(v, ptr, keyword)
	}
	if r.draft < draft7 {
		return
	}
	cond, then, other := r.sub(v, ptr, "if"), r.sub(v, ptr, "then"), r.sub(v, ptr, "else")
	if cond != nil && (then != nil || other != nil) {
		n.cond, n.then, n.other = cond, orYes(then, r.yes), orYes(other, r.yes)
	}
	if cond != nil && n.cond == nil && (n.raw.get("unevaluatedProperties") != nil || n.raw.get("unevaluatedItems") != nil) {
		n.cond, n.then, n.other = cond, r.yes, r.yes
	}
}

// listValues reads choices between values as what they are.
func (n *node) listValues() {
	n.anyValues, _ = plainValues(n.anyOf)
	values, times := plainValues(n.oneOf)
	if values == nil {
		return
	}
	n.oneValues = []*value{}
	for i, v := range values {
		if times[i] == 1 {
			n.oneValues = append(n.oneValues, v)
		}
	}
}

func orYes(n, yes *node) *node {
	if n == nil {
		return yes
	}
	return n
}

var typeNames = map[string]kind{"null": kNull, "boolean": kBool, "integer": kInteger, "number": kNumber, "string": kString, "array": kArray, "object": kObject}

func (r *reader) readTypes(n *node, v *value, ptr string) {
	if types := v.get("type"); types != nil {
		list := []*value{types}
		if types.kind == kArray {
			list = types.kids
		}
		for _, t := range list {
			bit, ok := typeNames[t.text()]
			if !ok || n.types&bit != 0 {
				r.fail(ptr+"/type", "a type is one of null, boolean, integer, number, string, array, object, each once")
			}
			n.types |= bit
		}
		if len(list) == 0 {
			r.fail(ptr+"/type", "a list of types is not empty")
		}
		if n.types&kNumber != 0 {
			n.types &^= kInteger
		}
	}
	if enum := v.get("enum"); enum != nil {
		if enum.kind != kArray || r.draft == draft4 && len(enum.kids) == 0 {
			r.fail(ptr+"/enum", "enum is a list of values")
		}
		n.hasEnum, n.enum = true, enum.kids
	}
	if r.draft >= draft6 {
		n.constant = v.get("const")
	}
}

func (r *reader) readNumbers(n *node, v *value, ptr string) {
	n.lo, n.hi = r.number(v, ptr, "minimum"), r.number(v, ptr, "maximum")
	if r.draft == draft4 {
		n.loOpen, n.hiOpen = r.flag(v, ptr, "exclusiveMinimum"), r.flag(v, ptr, "exclusiveMaximum")
		if n.loOpen && n.lo == nil || n.hiOpen && n.hi == nil {
			r.fail(ptr, "an exclusive bound needs the bound beside it")
		}
	} else {
		if open := r.number(v, ptr, "exclusiveMinimum"); open != nil && (n.lo == nil || open.Cmp(n.lo) >= 0) {
			n.lo, n.loOpen = open, true
		}
		if open := r.number(v, ptr, "exclusiveMaximum"); open != nil && (n.hi == nil || open.Cmp(n.hi) <= 0) {
			n.hi, n.hiOpen = open, true
		}
	}
	if n.multiple = r.number(v, ptr, "multipleOf"); n.multiple != nil && n.multiple.Sign() <= 0 {
		r.fail(ptr+"/multipleOf", "multipleOf is above zero")
		n.multiple = nil
	}
}

func (r *reader) flag(v *value, ptr, keyword string) bool {
	kid := v.get(keyword)
	if kid != nil && kid.kind != kBool {
		r.fail(ptr+"/"+keyword, "%s is true or false", keyword)
	}
	return kid != nil && kid.yes
}

// count reads a keyword that is a size; absent gives the default.
func (r *reader) count(v *value, ptr, keyword string, absent int) int {
	num := r.number(v, ptr, keyword)
	if num == nil {
		return absent
	}
	if !num.IsInt() || num.Sign() < 0 {
		r.fail(ptr+"/"+keyword, "%s is a whole number from zero", keyword)
		return absent
	}
	const huge = 1 << 40
	if num.Cmp(big.NewRat(huge, 1)) > 0 {
		return huge
	}
	return int(num.Num().Int64())
}

func (r *reader) readStrings(n *node, v *value, ptr string) {
	n.minLength, n.maxLength = r.count(v, ptr, "minLength", 0), r.count(v, ptr, "maxLength", -1)
	if pattern := v.get("pattern"); pattern != nil {
		if pattern.kind != kString {
			r.fail(ptr+"/pattern", "a pattern is a string")
		}
		n.pattern = &pattern.str
	}
}

func (r *reader) readArrays(n *node, v *value, ptr string) {
	n.minItems, n.maxItems = r.count(v, ptr, "minItems", 0), r.count(v, ptr, "maxItems", -1)
	n.unique = r.flag(v, ptr, "uniqueItems")
	items := v.get("items")
	switch {
	case r.draft >= draft2020:
		n.prefix = r.list(v, ptr, "prefixItems")
		n.items = r.sub(v, ptr, "items")
	case items.is(kArray):
		for i, item := range items.kids {
			n.prefix = append(n.prefix, r.node(item, ptr+"/items/"+itoa(i)))
		}
		n.items = r.sub(v, ptr, "additionalItems")
	default:
		n.items = r.sub(v, ptr, "items")
		r.sub(v, ptr, "additionalItems")
	}
	if r.draft < draft6 {
		return
	}
	n.contains = r.sub(v, ptr, "contains")
	if r.draft < draft2019 {
		return
	}
	n.minHold, n.maxHold = r.count(v, ptr, "minContains", 1), r.count(v, ptr, "maxContains", -1)
	n.unevaluatedItems = r.sub(v, ptr, "unevaluatedItems")
	n.containsEvaluates = r.draft >= draft2020
}

func (r *reader) readObjects(n *node, v *value, ptr string) {
	n.minProps, n.maxProps = r.count(v, ptr, "minProperties", 0), r.count(v, ptr, "maxProperties", -1)
	if required := v.get("required"); required != nil {
		if required.kind != kArray || r.draft == draft4 && len(required.kids) == 0 {
			r.fail(ptr+"/required", "required is a list of names")
		}
		n.required = r.nameList(required, ptr+"/required")
	}
	n.props, n.patterns = r.mapped(v, ptr, "properties"), r.mapped(v, ptr, "patternProperties")
	if n.rest = r.sub(v, ptr, "additionalProperties"); n.rest == r.no && r.relax[v] {
		n.rest = nil
	}
	if r.draft >= draft6 {
		n.names = r.sub(v, ptr, "propertyNames")
	}
	if r.draft >= draft2019 {
		if n.unevaluatedProps = r.sub(v, ptr, "unevaluatedProperties"); n.unevaluatedProps == r.no && r.relax[v] {
			n.unevaluatedProps = nil
		}
	}
}

// readDepends reads what one member asks for when it stands.
func (r *reader) readDepends(n *node, v *value, ptr string) {
	if depend := v.get("dependencies"); depend != nil {
		if depend.kind != kObject {
			r.fail(ptr+"/dependencies", "dependencies is an object")
		}
		if r.draft >= draft2019 {
			n.stops = append(n.stops, Stop{ptr + "/dependencies", "dependencies, which this dialect does not define"})
			return
		}
		for i, name := range depend.names {
			at := rawjson.Join(ptr+"/dependencies", name)
			if depend.kids[i].is(kArray) {
				n.dependRequired = append(n.dependRequired, dependency{name, r.nameList(depend.kids[i], at)})
			} else {
				n.dependSchemas = append(n.dependSchemas, named{name, r.node(depend.kids[i], at)})
			}
		}
	}
	if r.draft < draft2019 {
		return
	}
	n.dependSchemas = append(n.dependSchemas, r.mapped(v, ptr, "dependentSchemas")...)
	depend := v.get("dependentRequired")
	if depend != nil && depend.kind != kObject {
		r.fail(ptr+"/dependentRequired", "dependentRequired is an object")
	}
	if depend.is(kObject) {
		for i, name := range depend.names {
			needs := r.nameList(depend.kids[i], rawjson.Join(ptr+"/dependentRequired", name))
			n.dependRequired = append(n.dependRequired, dependency{name, needs})
		}
	}
}

// nameList reads a list of names, each once.
func (r *reader) nameList(v *value, ptr string) []string {
	if v.kind != kArray {
		r.fail(ptr, "a list of names")
	}
	out := make([]string, 0, len(v.kids))
	seen := make(map[string]bool, len(v.kids))
	for _, kid := range v.kids {
		if kid.kind != kString || seen[kid.str] {
			r.fail(ptr, "a list of names, each once")
		}
		seen[kid.str] = true
		out = append(out, kid.str)
	}
	return out
}

// sub reads a keyword that is a schema, nil where it is absent.
func (r *reader) sub(v *value, ptr, keyword string) *node {
	kid := v.get(keyword)
	if kid == nil {
		return nil
	}
	return r.node(kid, ptr+"/"+keyword)
}

// list reads a keyword that is a list of schemas.
func (r *reader) list(v *value, ptr, keyword string) []*node {
	kid := v.get(keyword)
	if kid == nil {
		return nil
	}
	if kid.kind != kArray || len(kid.kids) == 0 {
		r.fail(ptr+"/"+keyword, "%s is a list of schemas", keyword)
	}
	var out []*node
	for i, item := range kid.kids {
		out = append(out, r.node(item, ptr+"/"+keyword+"/"+itoa(i)))
	}
	return out
}

// mapped reads a keyword that holds schemas by name, in the order of names.
func (r *reader) mapped(v *value, ptr, keyword string) []named {
	kid := v.get(keyword)
	if kid == nil {
		return nil
	}
	if kid.kind != kObject {
		r.fail(ptr+"/"+keyword, "%s is an object of schemas", keyword)
		return nil
	}
	out := make([]named, 0, len(kid.names))
	for i, name := range kid.names {
		out = append(out, named{name, r.node(kid.kids[i], rawjson.Join(ptr+"/"+keyword, name))})
	}
	return out
}

package contract

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// The limits of the work on one projection.
const (
	maxShapeSteps = 200_000
	maxShapeKey   = 4096
)

var errShape = errors.New("the schema combines too much to say which members it declares")

// shapeOf builds the projection of a schema's values. What it keeps:
//
//   - of an object the members that some schema for it names, by properties or
//     patternProperties, and all others where additionalProperties or
//     unevaluatedProperties stands and is not false;
//   - everything, where no schema that applies says anything of members;
//   - every element of an array.
//
// Schemas that apply together (allOf, a reference with siblings) each add what
// they name; of alternatives (anyOf, oneOf, if, dependentSchemas) each that
// could apply to the kind of value adds what it would keep. For a member that
// is named by pattern or as a rest alone, all schemas that match are united.
func shapeOf(schema *jsonschema.Schema) (*rawjson.Shape, error) {
	b := &shapeBuilder{
		ids: map[*jsonschema.Schema]int{}, shapes: map[string]*rawjson.Shape{},
		says: newSays(), whole: &rawjson.Shape{Any: true},
	}
	root := b.shape(b.leaf(schema))
	for len(b.todo) > 0 && b.steps <= maxShapeSteps {
		next := b.todo[0]
		b.todo = b.todo[1:]
		b.fill(next, b.shapes[next.key])
	}
	if b.steps > maxShapeSteps || b.over {
		return nil, errShape
	}
	return root, nil
}

// expr names a set of schemas for one value: one schema, or a combination. Two
// that mean the same by their form have one key.
type expr struct {
	op     op
	schema *jsonschema.Schema // of a leaf; nil is the schema that says nothing
	subs   []*expr
	key    string
}

// whichKind selects objects or arrays.
type whichKind int

const (
	ofObjects whichKind = iota
	ofArrays
)

type shapeBuilder struct {
	ids    map[*jsonschema.Schema]int
	shapes map[string]*rawjson.Shape
	says   [2]map[*jsonschema.Schema]say
	todo   []*expr
	whole  *rawjson.Shape
	steps  int
	over   bool
}

func newSays() [2]map[*jsonschema.Schema]say { return [2]map[*jsonschema.Schema]say{{}, {}} }

func (b *shapeBuilder) leaf(s *jsonschema.Schema) *expr {
	if s == nil {
		return &expr{key: "-"}
	}
	if _, ok := b.ids[s]; !ok {
		b.ids[s] = len(b.ids)
	}
	return &expr{schema: s, key: strconv.Itoa(b.ids[s])}
}

// combine builds an expression in its normal form: flat, sorted, nothing
// twice.
func (b *shapeBuilder) combine(how op, subs []*expr) *expr {
	var flat []*expr
	for _, sub := range subs {
		if sub.op == how {
			flat = append(flat, sub.subs...)
		} else {
			flat = append(flat, sub)
		}
	}
	slices.SortFunc(flat, func(x, y *expr) int { return strings.Compare(x.key, y.key) })
	flat = slices.CompactFunc(flat, func(x, y *expr) bool { return x.key == y.key })
	if len(flat) == 1 {
		return flat[0]
	}
	keys := make([]string, len(flat))
	for i, sub := range flat {
		keys[i] = sub.key
	}
	key := string("?&|"[how]) + "(" + strings.Join(keys, " ") + ")"
	if len(key) > maxShapeKey {
		b.over = true
		return b.leaf(nil)
	}
	return &expr{op: how, subs: flat, key: key}
}

// shape gives the shape of an expression; its content is filled in later, so
// that a schema may lead back to itself.
func (b *shapeBuilder) shape(e *expr) *rawjson.Shape {
	if s, ok := b.shapes[e.key]; ok {
		return s
	}
	s := &rawjson.Shape{}
	b.shapes[e.key] = s
	b.todo = append(b.todo, e)
	return s
}

func (b *shapeBuilder) fill(e *expr, to *rawjson.Shape) {
	objects, arrays := b.say(e, ofObjects), b.say(e, ofArrays)
	if objects.free && arrays.free {
		to.Any = true
		return
	}
	switch {
	case objects.free:
		to.Rest = b.whole
	case objects.part != nil:
		b.fillMembers(objects.part, to)
	}
	switch {
	case arrays.free:
		to.Items = b.whole
	case arrays.part != nil:
		n := b.prefixes(arrays.part)
		for i := range n {
			to.Prefix = append(to.Prefix, b.shape(b.element(arrays.part, i)))
		}
		to.Items = b.shape(b.element(arrays.part, n))
	}
}

func (b *shapeBuilder) fillMembers(p *part, to *rawjson.Shape) {
	named := map[string]bool{}
	b.leaves(p, func(s *jsonschema.Schema) {
		for name := range s.Properties {
			named[name] = true
		}
	})
	to.Members = make(map[string]*rawjson.Shape, len(named))
	for _, name := range slices.Sorted(maps.Keys(named)) {
		e, _ := b.member(p, name)
		to.Members[name] = b.shape(e)
	}
	b.leaves(p, func(s *jsonschema.Schema) {
		for _, re := range patternsOf(s) {
			to.Patterns = append(to.Patterns, rawjson.PatternShape{Shape: b.shape(b.leaf(s.PatternProperties[re])),
				Match: func(name string) bool { return !named[name] && re.MatchString(name) }})
		}
		if rest, ok := open(s); ok {
			to.Patterns = append(to.Patterns, rawjson.PatternShape{Shape: b.shape(b.leaf(rest)),
				Match: func(name string) bool { return !named[name] && !matchesAny(s, name) }})
		}
	})
}

// say gives what an expression says about members or elements.
func (b *shapeBuilder) say(e *expr, of whichKind) say {
	if e.op == opLeaf {
		if e.schema == nil {
			return freely()
		}
		return b.sayOf(e.schema, of)
	}
	says := make([]say, len(e.subs))
	for i, sub := range e.subs {
		says[i] = b.say(sub, of)
	}
	if e.op == opAll {
		return all(says)
	}
	return anyOne(says)
}

// sayOf gives what a schema says with all that applies in its place. A schema
// that leads back to itself in place adds nothing by it.
func (b *shapeBuilder) sayOf(s *jsonschema.Schema, of whichKind) say {
	if known, ok := b.says[of][s]; ok {
		return known
	}
	b.steps++
	b.says[of][s] = freely()
	own := ownObject
	if of == ofArrays {
		own = ownArray
	}
	says := []say{own(s)}
	groups, optional := inPlace(s)
	for _, group := range groups {
		says = append(says, anyOne(b.saysOf(group, of)))
	}
	for _, sub := range optional {
		says = append(says, anyOne([]say{b.sayOf(sub, of), freely()}))
	}
	if holds, fails := conditional(s); holds != nil {
		says = append(says, anyOne([]say{all(b.saysOf(holds, of)), all(b.saysOf(fails, of))}))
	}
	b.says[of][s] = all(says)
	return b.says[of][s]
}

func (b *shapeBuilder) saysOf(list []*jsonschema.Schema, of whichKind) []say {
	says := make([]say, len(list))
	for i, s := range list {
		says[i] = b.sayOf(s, of)
	}
	return says
}

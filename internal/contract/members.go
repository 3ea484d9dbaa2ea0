package contract

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// leaves calls visit with each schema of a part, once.
func (b *shapeBuilder) leaves(p *part, visit func(*jsonschema.Schema)) {
	seen := map[*part]bool{}
	var walk func(*part)
	walk = func(p *part) {
		if b.steps++; seen[p] || b.steps > maxShapeSteps {
			return
		}
		seen[p] = true
		if p.op == opLeaf {
			visit(p.schema)
		}
		for _, sub := range p.subs {
			walk(sub)
		}
	}
	walk(p)
}

// member gives the expression for a member, nil where p does not declare it;
// optional is set where p may apply without declaring it.
func (b *shapeBuilder) member(p *part, name string) (e *expr, optional bool) {
	if b.steps++; b.steps > maxShapeSteps {
		return b.leaf(nil), false
	}
	if p.op == opLeaf {
		return b.ownMember(p.schema, name), p.free
	}
	var sure, maybe []*expr
	missing := false
	for _, sub := range p.subs {
		e, opt := b.member(sub, name)
		switch {
		case e == nil:
			missing = true
		case opt || sub.free:
			maybe = append(maybe, e)
		default:
			sure = append(sure, e)
		}
	}
	switch {
	case len(sure)+len(maybe) == 0:
		return nil, false
	case p.op == opAny:
		return b.combine(opAny, slices.Concat(sure, maybe)), missing || p.free || len(maybe) > 0
	case len(sure) == 0:
		return b.combine(opAny, maybe), true
	}
	for _, e := range maybe {
		sure = append(sure, b.combine(opAny, []*expr{e, b.leaf(nil)}))
	}
	return b.combine(opAll, sure), p.free
}

// ownMember gives what one schema's own keywords say of a member.
func (b *shapeBuilder) ownMember(s *jsonschema.Schema, name string) *expr {
	var found []*expr
	if sub := s.Properties[name]; sub != nil {
		found = append(found, b.leaf(sub))
	}
	for _, re := range patternsOf(s) {
		if re.MatchString(name) {
			found = append(found, b.leaf(s.PatternProperties[re]))
		}
	}
	if len(found) == 0 {
		rest, ok := open(s)
		if !ok {
			return nil
		}
		found = append(found, b.leaf(rest))
	}
	return b.combine(opAll, found)
}

// prefixes gives the number of positions that p tells apart.
func (b *shapeBuilder) prefixes(p *part) int {
	most := 0
	b.leaves(p, func(s *jsonschema.Schema) {
		prefix, _ := elements(s)
		most = max(most, len(prefix))
	})
	return most
}

// element gives the expression for an element; what p does not describe is
// kept whole.
func (b *shapeBuilder) element(p *part, i int) *expr {
	if b.steps++; b.steps > maxShapeSteps {
		return b.leaf(nil)
	}
	if p.op == opLeaf {
		prefix, rest := elements(p.schema)
		if i < len(prefix) {
			rest = prefix[i]
		}
		return b.leaf(rest)
	}
	subs := make([]*expr, 0, len(p.subs)+1)
	for _, sub := range p.subs {
		e := b.element(sub, i)
		if sub.free && p.op == opAll {
			e = b.combine(opAny, []*expr{e, b.leaf(nil)})
		}
		subs = append(subs, e)
	}
	if p.free && p.op == opAny {
		subs = append(subs, b.leaf(nil))
	}
	return b.combine(p.op, subs)
}

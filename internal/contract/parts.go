package contract

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// part is what the schemas that apply to one value say about its members (or
// its elements): a leaf is one schema's own say, the others are combinations.
// A combination never holds one that says nothing, so that {"required": […]}
// beside {"properties": {…}} opens nothing.
type part struct {
	op     op
	schema *jsonschema.Schema // of a leaf
	subs   []*part
	// free is set where the value may meet none of this, by a branch that
	// says nothing: then it is whole, unless another part speaks.
	free bool
}

// op is how parts are combined.
type op uint8

const (
	opLeaf op = iota
	opAll     // every one applies
	opAny     // one or more apply
)

// say is the answer for an expression: impossible is set where no value of the
// kind can be there, and a nil part says nothing.
type say struct {
	part       *part
	free       bool
	impossible bool
}

// free is what a schema says that constrains no member.
func freely() say { return say{free: true} }

// all combines what applies together.
func all(says []say) say {
	out := say{free: true}
	var subs []*part
	for _, s := range says {
		if s.impossible {
			return say{impossible: true}
		}
		out.free = out.free && s.free
		if s.part != nil && !slices.Contains(subs, s.part) {
			subs = append(subs, s.part)
		}
	}
	out.part = join(opAll, subs, out.free)
	return out
}

// anyOne combines alternatives; the impossible ones drop out.
func anyOne(says []say) say {
	out := say{impossible: true}
	var subs []*part
	for _, s := range says {
		if s.impossible {
			continue
		}
		out.impossible = false
		out.free = out.free || s.free
		if s.part != nil && !slices.Contains(subs, s.part) {
			subs = append(subs, s.part)
		}
	}
	out.part = join(opAny, subs, out.free)
	return out
}

func join(how op, subs []*part, free bool) *part {
	switch {
	case len(subs) == 0:
		return nil
	case len(subs) == 1 && subs[0].free == free:
		return subs[0]
	}
	return &part{op: how, subs: subs, free: free}
}

// inPlace lists the groups of schemas that apply to the same value as s: of
// each group one or more apply, of a group of one that one, and of the
// optional ones none need apply. What if, then and else add is conditional's.
func inPlace(s *jsonschema.Schema) (groups [][]*jsonschema.Schema, optional []*jsonschema.Schema) {
	for _, ref := range []*jsonschema.Schema{s.Ref, s.RecursiveRef, dynamicTarget(s)} {
		if ref != nil {
			groups = append(groups, []*jsonschema.Schema{ref})
		}
	}
	for _, sub := range s.AllOf {
		groups = append(groups, []*jsonschema.Schema{sub})
	}
	for _, choice := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		if len(choice) > 0 {
			groups = append(groups, choice)
		}
	}
	for _, name := range sortedKeys(s.DependentSchemas) {
		optional = append(optional, s.DependentSchemas[name])
	}
	for _, name := range sortedKeys(s.Dependencies) {
		if sub, ok := s.Dependencies[name].(*jsonschema.Schema); ok {
			optional = append(optional, sub)
		}
	}
	return groups, optional
}

// conditional gives what applies in the place of s where its if holds, and
// where it does not.
func conditional(s *jsonschema.Schema) (holds, fails []*jsonschema.Schema) {
	if s.If == nil {
		return nil, nil
	}
	holds = append(holds, s.If)
	if s.Then != nil {
		holds = append(holds, s.Then)
	}
	if s.Else != nil {
		fails = append(fails, s.Else)
	}
	return holds, fails
}

// inPlaceAll lists every schema that can apply to the same value as s.
func inPlaceAll(s *jsonschema.Schema) []*jsonschema.Schema {
	groups, list := inPlace(s)
	holds, fails := conditional(s)
	return slices.Concat(append(groups, list, holds, fails)...)
}

func dynamicTarget(s *jsonschema.Schema) *jsonschema.Schema {
	if s.DynamicRef == nil {
		return nil
	}
	return s.DynamicRef.Ref // the target that stands there without a wider scope
}

// ownObject gives what s itself, without the schemas it refers to, says about
// the members of an object.
func ownObject(s *jsonschema.Schema) say {
	switch {
	case s.Bool != nil:
		return say{free: *s.Bool, impossible: !*s.Bool}
	case !allows(s, "object"):
		return say{impossible: true}
	case len(s.Properties) == 0 && len(s.PatternProperties) == 0 && s.AdditionalProperties == nil && s.UnevaluatedProperties == nil:
		return freely()
	}
	return say{part: &part{op: opLeaf, schema: s}}
}

// ownArray gives what s itself says about the elements of an array.
func ownArray(s *jsonschema.Schema) say {
	switch {
	case s.Bool != nil:
		return say{free: *s.Bool, impossible: !*s.Bool}
	case !allows(s, "array"):
		return say{impossible: true}
	}
	if prefix, rest := elements(s); len(prefix) == 0 && rest == nil {
		return freely()
	}
	return say{part: &part{op: opLeaf, schema: s}}
}

// allows reports whether type, const and enum let values of a type through.
func allows(s *jsonschema.Schema, typ string) bool {
	if s.Types != nil && !s.Types.IsEmpty() && !slices.Contains(s.Types.ToStrings(), typ) {
		return false
	}
	if s.Const != nil && !isOf(*s.Const, typ) {
		return false
	}
	return s.Enum == nil || slices.ContainsFunc(s.Enum.Values, func(v any) bool { return isOf(v, typ) })
}

func isOf(v any, typ string) bool {
	switch v.(type) {
	case map[string]any:
		return typ == "object"
	case []any:
		return typ == "array"
	}
	return false
}

// elements gives the schemas of an array's elements: by position, and of those
// after.
func elements(s *jsonschema.Schema) (prefix []*jsonschema.Schema, rest *jsonschema.Schema) {
	prefix, rest = s.PrefixItems, s.Items2020
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		rest = items
	case []*jsonschema.Schema:
		prefix = items
		rest, _ = s.AdditionalItems.(*jsonschema.Schema)
	}
	if rest == nil {
		rest = s.UnevaluatedItems
	}
	return prefix, rest
}

// open gives the schema of the members that s does not name, and false where
// s leaves them out or says nothing of them.
func open(s *jsonschema.Schema) (*jsonschema.Schema, bool) {
	switch additional := s.AdditionalProperties.(type) {
	case bool:
		return nil, additional
	case *jsonschema.Schema:
		return additional, !isFalse(additional)
	}
	if s.UnevaluatedProperties != nil {
		return s.UnevaluatedProperties, !isFalse(s.UnevaluatedProperties)
	}
	return nil, false
}

func isFalse(s *jsonschema.Schema) bool { return s.Bool != nil && !*s.Bool }

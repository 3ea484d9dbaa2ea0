package contract

import (
	"cmp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// fault is one rule that one value breaks.
type fault struct {
	at     []string             // reference tokens of the value
	schema string               // location of the schema, with its fragment
	kind   jsonschema.ErrorKind // the rule
	also   []fault              // further rules of a choice whose branches all fail in the same way
}

// finder picks, of everything that is wrong with a value, the one fault that
// is shown: the deepest, of those the first in the text. Of a choice (anyOf,
// oneOf) it shows what is wrong with the branch that came nearest. The library
// reports in no order, so the pick depends on the value and the schema alone.
type finder struct {
	root   *node              // the value
	schema *jsonschema.Schema // what it was held against; nil for a schema held against its metaschema
}

// find gives the fault to show.
func (f finder) find(err *jsonschema.ValidationError) fault {
	all := f.faults(err)
	return slices.MinFunc(all, f.compare)
}

// faults lists the faults behind an error, at least one; of each choice only
// its nearest branch's.
func (f finder) faults(err *jsonschema.ValidationError) []fault {
	switch k := err.ErrorKind.(type) {
	case *kind.AnyOf:
		return f.nearest(err)
	case *kind.OneOf:
		if k.Subschemas == nil {
			return f.nearest(err)
		}
	case *kind.PropertyNames, *kind.Contains, *kind.MinContains, *kind.MaxContains:
		// what lies below is about the names, or about every item in turn
	default:
		if len(err.Causes) > 0 {
			return f.below(err.Causes)
		}
	}
	return f.leaf(err)
}

func (f finder) below(causes []*jsonschema.ValidationError) []fault {
	var all []fault
	for _, cause := range causes {
		all = append(all, f.faults(cause)...)
	}
	return all
}

// leaf gives the faults of one error without inner ones: a list of missing or
// undeclared members is a fault for each.
func (f finder) leaf(err *jsonschema.ValidationError) []fault {
	one := func(rule jsonschema.ErrorKind, below ...string) fault {
		at := slices.Concat(err.InstanceLocation, below)
		return fault{at: at, schema: err.SchemaURL, kind: rule}
	}
	switch k := err.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		all := make([]fault, len(k.Properties))
		for i, name := range k.Properties {
			all[i] = one(&kind.AdditionalProperties{Properties: []string{name}}, name)
		}
		return all
	case *kind.Required:
		all := make([]fault, len(k.Missing))
		for i, name := range k.Missing {
			all[i] = one(&kind.Required{Missing: []string{name}}, name)
		}
		return all
	case *kind.PropertyNames:
		return []fault{{at: f.owner(err, k.Property), schema: err.SchemaURL, kind: k, also: f.below(err.Causes)}}
	}
	return []fault{one(err.ErrorKind)}
}

// branch is what is wrong with one branch of a choice.
type branch struct {
	distance int // how far off it is: 0 near, 1 another discriminator, 2 another kind of value
	faults   []fault
}

// nearest gives the faults of the branch of a choice that came nearest. Where
// all branches fail in the same place by kind or by discriminator, their
// wishes are put together into one fault.
func (f finder) nearest(err *jsonschema.ValidationError) []fault {
	if len(err.Causes) == 0 {
		return f.leaf(err)
	}
	branches := make([]branch, len(err.Causes))
	for i, cause := range err.Causes {
		branches[i] = f.branch(err.InstanceLocation, cause)
	}
	best := slices.MinFunc(branches, func(a, b branch) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.faults), len(b.faults)))
	})
	if best.distance == near {
		return best.faults
	}
	return f.merge(err.InstanceLocation, best, branches)
}

// The distances of a branch.
const (
	near = iota
	otherDiscriminator
	otherKind
)

func (f finder) branch(own []string, cause *jsonschema.ValidationError) branch {
	b := branch{faults: f.faults(cause)}
	for _, fault := range b.faults {
		b.distance = max(b.distance, distance(len(fault.at)-len(own), fault.kind))
	}
	return b
}

// distance judges one fault of a branch by its depth under the choice: a value
// of another type, or a constant at the choice itself, is another kind; a
// constant in a member just below tells branches apart.
func distance(depth int, rule jsonschema.ErrorKind) int {
	switch rule.(type) {
	case *kind.Type, *kind.FalseSchema:
		if depth == 0 {
			return otherKind
		}
	case *kind.Const, *kind.Enum:
		return max(near, otherKind-depth)
	}
	return near
}

// merge makes one fault of the faults that put the best branches off, where
// they all stand in one place; own is the place of the choice.
func (f finder) merge(own []string, best branch, branches []branch) []fault {
	var deciding []fault
	for _, b := range branches {
		if b.distance != best.distance {
			continue
		}
		wishes := slices.DeleteFunc(slices.Clone(b.faults), func(x fault) bool {
			return !choosable(x.kind) || distance(len(x.at)-len(own), x.kind) != b.distance
		})
		if len(wishes) == 0 {
			return best.faults
		}
		deciding = append(deciding, slices.MinFunc(wishes, f.compare))
	}
	first := deciding[0]
	for _, other := range deciding[1:] {
		if !slices.Equal(first.at, other.at) {
			return best.faults
		}
	}
	first.also = deciding[1:]
	return []fault{first}
}

// choosable reports whether a rule says which values it wants, so that several
// can be put together.
func choosable(rule jsonschema.ErrorKind) bool {
	switch rule.(type) {
	case *kind.Type, *kind.Const, *kind.Enum:
		return true
	}
	return false
}

// compare orders faults: deepest first, then by place in the text, then by
// rule and schema.
func (f finder) compare(a, b fault) int {
	return cmp.Or(
		-cmp.Compare(len(a.at), len(b.at)),
		slices.Compare(f.places(a.at), f.places(b.at)),
		slices.Compare(a.at, b.at),
		cmp.Compare(keyword(a.kind), keyword(b.kind)),
		cmp.Compare(a.schema, b.schema),
		cmp.Compare(a.wanted(), b.wanted()),
	)
}

// places gives the positions in the text that tokens lead through; a member
// that is missing comes after all others.
func (f finder) places(at []string) []int {
	n := f.root
	places := make([]int, 0, len(at))
	for _, token := range at {
		if n == nil {
			break
		}
		place := len(n.kids)
		next := n.step(token)
		if next != nil {
			place = slices.Index(n.kids, next)
		}
		places = append(places, place)
		n = next
	}
	return places
}

// at gives the value that tokens lead to, or nil.
func (f finder) at(tokens []string) *node {
	n := f.root
	for _, token := range tokens {
		if n = n.step(token); n == nil {
			return nil
		}
	}
	return n
}

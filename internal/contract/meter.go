package contract

import (
	"math"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxChecks bounds how often subschemas are tried on one value with all that
// is in it. A schema can ask for a number that grows with the power of depth
// (a choice of branches that all lead back to the choice), and the library
// would do it.
const maxChecks = 2_000_000

// tame is the number of checks, over all of a schema, up to which no value is
// measured before it is checked.
const tame = 20_000

// meter counts the checks that a value would cost, without doing them.
type meter struct {
	spread map[*jsonschema.Schema]weights // what applies in place of a schema, with how often
}

// weights says how often each schema is tried.
type weights map[*jsonschema.Schema]float64

// add sums with saturation: float64 grows without wrapping.
func (w weights) add(s *jsonschema.Schema, times float64) { w[s] += times }

// needsMeter reports whether values must be measured before they are checked:
// the schema leads back to itself, or unfolds to more than tame checks.
func needsMeter(root *jsonschema.Schema) bool {
	return unfolded(root, map[*jsonschema.Schema]float64{}) > tame
}

// unfolded is the number of subschemas with every reference written out;
// infinite where one leads back to itself. A size of 0 marks one being
// computed.
func unfolded(s *jsonschema.Schema, sizes map[*jsonschema.Schema]float64) float64 {
	if size, ok := sizes[s]; ok {
		if size == 0 {
			return math.Inf(1)
		}
		return size
	}
	sizes[s] = 0
	size := 1.0
	for _, sub := range append(checkedInPlace(s), below(s)...) {
		size += unfolded(sub, sizes)
	}
	sizes[s] = size
	return size
}

// inPlaceCycle finds a schema that leads back to itself without going into the
// value: nothing could ever pass it.
func inPlaceCycle(root *jsonschema.Schema) *jsonschema.Schema {
	const open, done = 1, 2
	state := map[*jsonschema.Schema]int{}
	var found *jsonschema.Schema
	var inside func(*jsonschema.Schema)
	inside = func(s *jsonschema.Schema) {
		if state[s] == open && found == nil {
			found = s
		}
		if state[s] != 0 {
			return
		}
		state[s] = open
		for _, sub := range checkedInPlace(s) {
			inside(sub)
		}
		state[s] = done
	}
	for _, s := range reachable(root) {
		inside(s)
	}
	return found
}

// reachable lists a schema and all that it leads to.
func reachable(root *jsonschema.Schema) []*jsonschema.Schema {
	list := []*jsonschema.Schema{root}
	seen := map[*jsonschema.Schema]bool{root: true}
	for i := 0; i < len(list); i++ {
		for _, sub := range append(checkedInPlace(list[i]), below(list[i])...) {
			if !seen[sub] {
				seen[sub] = true
				list = append(list, sub)
			}
		}
	}
	return list
}

// checkedInPlace lists the schemas that are tried on the same value as s.
func checkedInPlace(s *jsonschema.Schema) []*jsonschema.Schema {
	list := inPlaceAll(s)
	if s.Not != nil {
		list = append(list, s.Not)
	}
	return list
}

// below lists the schemas that s has for members, elements and names.
func below(s *jsonschema.Schema) []*jsonschema.Schema {
	var list []*jsonschema.Schema
	for _, name := range sortedKeys(s.Properties) {
		list = append(list, s.Properties[name])
	}
	for _, re := range patternsOf(s) {
		list = append(list, s.PatternProperties[re])
	}
	prefix, rest := elements(s)
	additional, _ := s.AdditionalProperties.(*jsonschema.Schema)
	for _, sub := range append(slices.Clone(prefix), rest, additional, s.UnevaluatedProperties, s.UnevaluatedItems, s.Contains, s.PropertyNames) {
		if sub != nil {
			list = append(list, sub)
		}
	}
	return list
}

func newMeter() *meter { return &meter{spread: map[*jsonschema.Schema]weights{}} }

// fits reports whether a value can be checked within maxChecks.
func (m *meter) fits(root *jsonschema.Schema, v any) bool {
	left := float64(maxChecks)
	return m.spend(weights{root: 1}, v, &left)
}

func (m *meter) spend(apply weights, v any, left *float64) bool {
	all := weights{}
	for s, times := range apply {
		for sub, inner := range m.inPlace(s) {
			all.add(sub, times*inner)
			*left -= times * inner
		}
	}
	if *left < 0 {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		for name, kid := range v {
			if !m.spend(all.member(name), kid, left) {
				return false
			}
		}
	case []any:
		for i, kid := range v {
			if !m.spend(all.element(i), kid, left) {
				return false
			}
		}
	}
	return true
}

// inPlace gives s and what it leads to in place, with how often.
func (m *meter) inPlace(s *jsonschema.Schema) weights {
	if known, ok := m.spread[s]; ok {
		return known
	}
	m.spread[s] = weights{s: 1} // a cycle in place is refused before
	out := weights{s: 1}
	for _, sub := range checkedInPlace(s) {
		for inner, times := range m.inPlace(sub) {
			out.add(inner, times)
		}
	}
	m.spread[s] = out
	return out
}

func (w weights) member(name string) weights {
	next := weights{}
	for s, times := range w {
		named := false
		if sub := s.Properties[name]; sub != nil {
			named = true
			next.add(sub, times)
		}
		for re, sub := range s.PatternProperties {
			if re.MatchString(name) {
				named = true
				next.add(sub, times)
			}
		}
		if additional, ok := s.AdditionalProperties.(*jsonschema.Schema); ok && !named {
			next.add(additional, times)
		}
		if s.UnevaluatedProperties != nil {
			next.add(s.UnevaluatedProperties, times)
		}
	}
	return next
}

func (w weights) element(i int) weights {
	next := weights{}
	for s, times := range w {
		prefix, rest := elements(s)
		if i < len(prefix) {
			rest = prefix[i]
		}
		for _, sub := range []*jsonschema.Schema{rest, s.Contains} {
			if sub != nil {
				next.add(sub, times)
			}
		}
	}
	return next
}

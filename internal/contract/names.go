package contract

import (
	"cmp"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// patternsOf gives the patterns of a schema's members in a fixed order.
func patternsOf(s *jsonschema.Schema) []jsonschema.Regexp {
	return slices.SortedFunc(maps.Keys(s.PatternProperties), func(a, b jsonschema.Regexp) int {
		return cmp.Compare(a.String(), b.String())
	})
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// matchesAny reports whether s names a member itself, by properties or by
// pattern.
func matchesAny(s *jsonschema.Schema, name string) bool {
	if _, ok := s.Properties[name]; ok {
		return true
	}
	for re := range s.PatternProperties {
		if re.MatchString(name) {
			return true
		}
	}
	return false
}

// argumentNames is what an input schema declares at its root: the names that
// arguments may have, by properties, by pattern, or by being required. A schema
// that opens itself, or that has neither properties nor patterns, admits every
// name.
type argumentNames struct {
	open     bool
	names    map[string]bool
	patterns []jsonschema.Regexp
}

// namesOf reads the root of an input schema with everything that applies in
// its place.
func namesOf(root *jsonschema.Schema) argumentNames {
	a := argumentNames{names: map[string]bool{}}
	var required []string
	seen := map[*jsonschema.Schema]bool{}
	var walk func(*jsonschema.Schema)
	walk = func(s *jsonschema.Schema) {
		if seen[s] {
			return
		}
		seen[s] = true
		for name := range s.Properties {
			a.names[name] = true
		}
		a.patterns = append(a.patterns, patternsOf(s)...)
		required = append(required, s.Required...)
		if _, opens := open(s); opens {
			a.open = true
		}
		for _, sub := range inPlaceAll(s) {
			walk(sub)
		}
	}
	walk(root)
	a.open = a.open || len(a.names) == 0 && len(a.patterns) == 0
	for _, name := range required {
		a.names[name] = true
	}
	return a
}

// declares reports whether arguments may have a member of that name.
func (a argumentNames) declares(name string) bool {
	return a.open || a.names[name] ||
		slices.ContainsFunc(a.patterns, func(re jsonschema.Regexp) bool { return re.MatchString(name) })
}

// list gives the first declared names, for a sentence.
func (a argumentNames) list(most int) []string {
	names := sortedKeys(a.names)
	return names[:min(len(names), most)]
}

// Undeclared gives the argument names that an old input schema spells out at
// its root and a new one does not declare, sorted: calls with them are refused
// under the new one, whatever it says of other members. It gives none where a
// schema cannot be read.
func Undeclared(old, new []byte) []string {
	was, is := checkerNames(old), checkerNames(new)
	if was == nil || is == nil {
		return nil
	}
	var out []string
	for _, name := range sortedKeys(was.names) {
		if !is.declares(name) {
			out = append(out, name)
		}
	}
	return out
}

// checkerNames reads what an input schema declares; nil where it cannot be
// read.
func checkerNames(text []byte) *argumentNames {
	d, err := readDocument(text)
	if err != nil {
		return nil
	}
	schema, err := compileSchema(d)
	if err != nil {
		return nil
	}
	names := namesOf(schema)
	return &names
}

package diff

import (
	"slices"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// The limits of one walk.
const (
	maxPairs = 50_000
	maxDepth = 200
	maxHits  = 500
)

// sighting is a hit of a rule with the place where it was made.
type sighting struct {
	rule *rule.Rule
	hit  rule.Hit
	pair *rule.Pair
}

// walker goes through two schemas side by side, each pair of places once.
type walker struct {
	rules []*rule.Rule
	text  bool // values are written as text
	inert int  // how many places above let no value through
	lost  int  // how many places above speak of values that must not be
	way   []rule.Step
	seen  map[[3]string]bool
	found []sighting
}

// walk gives what the rules see anywhere in two schemas.
func (t *table) walk(old, new *rule.Schema, direction rule.Direction, text bool) []sighting {
	w := &walker{rules: t.schema, text: text, seen: map[[3]string]bool{}}
	w.visit(old, new, direction, 0)
	return w.found
}

func (w *walker) visit(old, new *rule.Schema, direction rule.Direction, depth int) {
	key := [3]string{old.Key(), new.Key(), string(direction)}
	if w.seen[key] || len(w.seen) >= maxPairs || depth > maxDepth || len(w.found) >= maxHits {
		return
	}
	w.seen[key] = true
	p := &rule.Pair{Old: old, New: new, Direction: direction, Depth: depth, Text: w.text, Inert: w.inert > 0, Way: slices.Clone(w.way), Lost: w.lost > 0}
	never := old.Never || new.Never
	for _, r := range w.rules {
		if never && r.ID != "never-fits" && r.ID != "fits-again" {
			continue
		}
		for _, hit := range r.Schema(p) {
			hit.Inert = hit.Inert || p.Inert || inert(r.Subject, old, new)
			w.found = append(w.found, sighting{r, hit, p})
		}
	}
	both := old.Types() & new.Types()
	if never || both == 0 {
		return
	}
	w.under(both&rule.Object == 0, func() { w.members(old, new, direction, depth+1) })
	w.under(both&rule.Array == 0, func() { w.elements(old, new, direction, depth+1) })
	w.choices(old, new, direction, depth+1)
}

// inert reports whether the keywords of a subject say nothing of any value that
// either side lets through.
func inert(subject string, old, new *rule.Schema) bool {
	types := old.Types() | new.Types()
	switch {
	case old.Never || new.Never:
		return false
	case subject == "object":
		return types&rule.Object == 0
	case subject == "array":
		return types&rule.Array == 0
	}
	return false
}

// under goes on below a keyword that may let no value through.
func (w *walker) under(inert bool, visit func()) {
	if inert {
		w.inert++
		defer func() { w.inert-- }()
	}
	visit()
}

// into goes on one step further into the values.
func (w *walker) into(s rule.Step, visit func()) {
	w.way = append(w.way, s)
	visit()
	w.way = w.way[:len(w.way)-1]
}

func (w *walker) members(old, new *rule.Schema, d rule.Direction, depth int) {
	theirs := new.Properties()
	for _, name := range rule.Names(old.Properties()) {
		if s := theirs[name]; s != nil {
			w.into(rule.Step{Kind: rule.Object, Name: name}, func() { w.visit(old.Properties()[name], s, d, depth) })
		}
	}
	some := rule.Step{Kind: rule.Object, Any: true}
	was, is := old.Rest(), new.Rest()
	for i := range min(len(was), len(is)) {
		w.into(some, func() { w.visit(old.Sub(was[i]), new.Sub(is[i]), d, depth) })
	}
	for _, keyword := range [...]string{"patternProperties", "dependentSchemas"} {
		now := new.Map(keyword)
		before := old.Map(keyword)
		for _, name := range rule.Names(before) {
			f, ok := now[name]
			switch visit := func() { w.visit(old.Sub(before[name]), new.Sub(f), d, depth) }; {
			case ok && keyword == "patternProperties":
				w.into(some, visit)
			case ok:
				visit()
			}
		}
	}
}

func (w *walker) elements(old, new *rule.Schema, d rule.Direction, depth int) {
	w.into(rule.Step{Kind: rule.Array}, func() {
		was, is := old.Tuple(), new.Tuple()
		for i := range min(len(was), len(is)) {
			w.visit(old.Sub(was[i]), new.Sub(is[i]), d, depth)
		}
		before, one := old.Items()
		now, two := new.Items()
		if one && two {
			w.visit(old.Sub(before), new.Sub(now), d, depth)
		}
		w.both(old, new, "contains", d, depth)
	})
}

func (w *walker) choices(old, new *rule.Schema, d rule.Direction, depth int) {
	for _, keyword := range [...]string{"anyOf", "oneOf"} {
		was, is := old.Branches(keyword), new.Branches(keyword)
		if len(was) == 0 || len(is) == 0 {
			continue
		}
		pairs, _ := rule.Match(old, was, new, is)
		for _, p := range pairs {
			w.visit(old.Sub(p[0]), new.Sub(p[1]), d, depth)
		}
	}
	w.lost++
	w.both(old, new, "not", d.Other(), depth)
	w.lost--
}

// both visits a keyword's schema where both sides state one.
func (w *walker) both(old, new *rule.Schema, keyword string, d rule.Direction, depth int) {
	was, one := old.First(keyword)
	is, two := new.First(keyword)
	if one && two {
		w.visit(old.Sub(was), new.Sub(is), d, depth)
	}
}

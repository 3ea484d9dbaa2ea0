package fit

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// The likeness from which two tools of different sources are thought to do the
// same thing: with a word in common for the object in their names, and without.
const (
	sameObject = 0.65
	sameWords  = 0.70
	sameTool   = 0.90 // of one source, where siblings say much the same
)

// Same reports whether two tools would serve the need equally: they do the same
// thing to the same object, as far as what they say of themselves tells, and the
// need names the source of neither before the other's. Siblings of one source
// that differ in act, or in an object of which the need speaks, are not the same
// however alike they read.
func (r Result) Same(f, g Fit) bool {
	if f.Evidence.Source != g.Evidence.Source {
		return false
	}
	said, siblings := f.describedAs(g), f.Tool.Source == g.Tool.Source
	if !siblings && said && strings.EqualFold(f.Tool.Op.Name, g.Tool.Op.Name) {
		return true // nothing that the need says separates them
	}
	if f.opposes(g) {
		return false
	}
	if siblings {
		return f.Tool.Said().Acts == g.Tool.Said().Acts && f.indistinct(g) && (said || r.list.Alike(f.Entry, g.Entry) >= sameTool)
	}
	alike := r.list.Alike(f.Entry, g.Entry)
	return alike >= sameWords || alike >= sameObject && f.kindred(g)
}

// describedAs reports whether two tools have one description.
func (f Fit) describedAs(g Fit) bool {
	x, y := f.Tool.Op.Variants, g.Tool.Op.Variants
	return len(x) > 0 && len(y) > 0 && x[0].Description == y[0].Description
}

// indistinct reports whether the need says nothing of what parts the names of two
// tools: either has a word for an object that the other lacks, or neither, and
// the need holds none of them. Of a tool and one that does it for a date, a need
// without a date asks for the former.
func (f Fit) indistinct(g Fit) bool {
	a, b := f.beside(g), g.beside(f)
	return (len(a) == 0) == (len(b) == 0) && !slices.ContainsFunc(slices.Concat(a, b), f.query.Holds)
}

// kindred reports whether the names of two tools share a word for an object.
func (f Fit) kindred(g Fit) bool {
	return slices.ContainsFunc(f.Tool.Naming().Objects, func(o string) bool { return slices.Contains(g.Tool.Naming().Objects, o) })
}

// beside gives the words for objects in the tool's name that the other's lacks.
func (f Fit) beside(g Fit) []string {
	return slices.DeleteFunc(slices.Clone(f.Tool.Naming().Objects), func(o string) bool { return slices.Contains(g.Tool.Naming().Objects, o) })
}

// reading are the kinds of operation that leave everything as it was.
var reading = []string{"read", "list", "search"}

// opposes reports whether of two tools one reads alone and the other one changes
// something alone, by what they say or by their effects.
func (f Fit) opposes(g Fit) bool {
	if a, b := f.Tool.Effect, g.Tool.Effect; a != interlock.EffectUnknown && b != interlock.EffectUnknown && (a == interlock.EffectRead) != (b == interlock.EffectRead) {
		return true
	}
	x, y := f.kinds(), g.kinds()
	reads := func(kind string) bool { return slices.Contains(reading, kind) }
	changes := func(kind string) bool { return !reads(kind) }
	any := slices.ContainsFunc[[]string]
	return any(x, reads) && !any(x, changes) && any(y, changes) && !any(y, reads) || any(y, reads) && !any(y, changes) && any(x, changes) && !any(x, reads)
}

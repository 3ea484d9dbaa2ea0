package fit

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/words"
)

// leads is how many of the first slots pull their producers in.
const leads = 2

// Joined gives slots in their order, and behind each of the first few the tool
// of its source that finds the ids which it cannot be called without: "the cast
// of a show" takes the id of the show, and a search for shows gives it. Nobody
// asks for such a tool by its words. A tool that joins takes the score of the
// one that it joins.
func Joined(fits []Fit) []Fit {
	if !WantsProducer(fits) {
		return fits
	}
	out := make([]Fit, 0, len(fits)+leads)
	taken := map[string]bool{}
	put := func(f Fit) {
		if !taken[f.Tool.ID] {
			taken[f.Tool.ID] = true
			out = append(out, f)
		}
	}
	for i, f := range fits {
		put(f)
		if i >= leads || idHeld(f) {
			continue
		}
		for _, in := range f.Tool.Contract.Inputs() {
			if p := producer(in, f, fits, out); p != nil {
				p.Score, p.Joins = f.Score, true
				put(*p)
			}
		}
	}
	return out
}

// WantsProducer reports whether one of the first slots requires an id that the
// need does not hold.
func WantsProducer(fits []Fit) bool {
	for _, f := range fits[:min(leads, len(fits))] {
		if !idHeld(f) && !free(f) {
			return true
		}
	}
	return false
}

// idHeld reports whether the need holds what may be the id that a tool requires:
// an id or an address, or more numbers than its other required inputs take.
func idHeld(f Fit) bool {
	r := f.reading()
	if r.Holds(words.ID, words.URL) {
		return true
	}
	numbers := 0
	for _, l := range r.Literals {
		if l.Kind == words.Number {
			numbers++
		}
	}
	for _, in := range f.Tool.Contract.Inputs() {
		if in.Required && !in.HasDefault && len(objectOf(in, f.Tool.Op.Name)) == 0 && kindOf(in) == aNumber {
			numbers--
		}
	}
	return numbers > 0
}

// producer finds the tool that gives an id which f requires; nil where the id is
// none, is in hand, or is given by a tool that stands already. Where the need
// names the object, a tool that searches for a text gives its id, and a list of
// others does not.
func producer(in contract.Input, f Fit, fits, standing []Fit) *Fit {
	object := objectOf(in, f.Tool.Op.Name)
	if len(object) == 0 || in.HasDefault || !in.Required || inHand(in.Name, in.Pointer, f.need.Have) {
		return nil
	}
	gives := func(x Fit) bool {
		return x.Tool.Source == f.Tool.Source && x.Tool.ID != f.Tool.ID && about(x, object) && free(x)
	}
	finds := func(x Fit) bool { return gives(x) && takesText(x) && does(x, "search") }
	if i := slices.IndexFunc(fits, finds); i >= 0 && newSupply(f).named {
		if slices.ContainsFunc(standing, finds) {
			return nil
		}
		return clone(fits[i])
	}
	if slices.ContainsFunc(standing, gives) {
		return nil
	}
	for _, act := range [...]string{"search", "list"} {
		if i := slices.IndexFunc(fits, func(x Fit) bool { return gives(x) && does(x, act) }); i >= 0 {
			return clone(fits[i])
		}
	}
	return nil
}

func clone(f Fit) *Fit { return &f }

// does reports whether a tool's name states an act.
func does(f Fit, act string) bool {
	return f.Tool.Naming().Acts&words.Kind(act) != 0
}

// searched are names of what is searched for.
var searched = []string{"query", "q", "keyword", "term", "text", "name", "titl", "search"}

// takesText reports whether a tool cannot be called without some text.
func takesText(f Fit) bool {
	return slices.ContainsFunc(f.Tool.Contract.Inputs(), func(in contract.Input) bool {
		asks := kindOf(in) == anyText || slices.ContainsFunc(words.Tokens(in.Name), func(t string) bool { return slices.Contains(searched, t) })
		return in.Required && !in.HasDefault && strings.HasPrefix(in.Type, "string") && len(in.Enum) == 0 && asks
	})
}

// objectOf gives the words of what an id is of: "tv" of tv_id. One that is named
// id alone is of what stands before it in the tool's name ("artists/{id}/albums"),
// or of the one thing that the name is about.
func objectOf(in contract.Input, tool string) []string {
	terms := words.Tokens(in.Name)
	if !slices.ContainsFunc(terms, isID) {
		return nil
	}
	if own := slices.DeleteFunc(slices.Clone(terms), isID); len(own) > 0 {
		return own
	}
	name := words.Tokens(tool)
	if i := slices.IndexFunc(name, isID); i > 0 {
		return name[i-1 : i]
	}
	if about := words.Objects(tool); len(about) == 1 {
		return about
	}
	return nil
}

func isID(term string) bool { return term == "id" || term == "ids" }

// about reports whether a tool's name holds all words of an object; one whose
// name holds no object at all, where it says them elsewhere.
func about(f Fit, object []string) bool {
	name := f.Tool.Naming()
	in := func(t string) bool { return slices.Contains(name.Terms, t) }
	if len(name.Objects) == 0 {
		said := f.said()
		in = func(t string) bool { return said.terms[t] }
	}
	return !slices.ContainsFunc(object, func(t string) bool { return !in(t) })
}

// free reports whether a tool can be called without any id.
func free(f Fit) bool {
	return !slices.ContainsFunc(f.Tool.Contract.Inputs(), func(in contract.Input) bool {
		return in.Required && !in.HasDefault && len(objectOf(in, f.Tool.Op.Name)) > 0
	})
}

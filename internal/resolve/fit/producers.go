package fit

import (
	"slices"

	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/words"
)

// leads is how many of the first slots pull their producers in.
const leads = 3

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
		if i >= leads || f.reading().Holds(words.ID, words.Number, words.URL) {
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
		if !f.reading().Holds(words.ID, words.Number, words.URL) && !free(f) {
			return true
		}
	}
	return false
}

// producer finds the tool that gives an id which f requires; nil where the id is
// none, is in hand, or is given by a tool that stands already.
func producer(in contract.Input, f Fit, fits, standing []Fit) *Fit {
	object := objectOf(in)
	if len(object) == 0 || in.HasDefault || !in.Required || inHand(in.Name, in.Pointer, f.need.Have) {
		return nil
	}
	gives := func(x Fit) bool {
		return x.Tool.Source == f.Tool.Source && x.Tool.ID != f.Tool.ID && about(x, object) && free(x)
	}
	if slices.ContainsFunc(standing, gives) {
		return nil
	}
	var best *Fit
	for i := range fits {
		acts := words.ToolOperations(fits[i].Tool.Op.Name, "")
		switch {
		case !gives(fits[i]):
		case acts&words.Kind("search") != 0:
			return clone(fits[i])
		case best == nil && acts&words.Kind("list") != 0:
			best = clone(fits[i])
		}
	}
	return best
}

func clone(f Fit) *Fit { return &f }

// objectOf gives the words of what an id is of: "tv" of tv_id.
func objectOf(in contract.Input) []string {
	terms := words.Tokens(in.Name)
	if !slices.Contains(terms, "id") && !slices.Contains(terms, "ids") {
		return nil
	}
	return slices.DeleteFunc(terms, func(t string) bool { return t == "id" || t == "ids" })
}

// about reports whether a tool's name holds all words of an object.
func about(f Fit, object []string) bool {
	name := words.Tokens(f.Tool.Op.Name)
	return !slices.ContainsFunc(object, func(t string) bool { return !slices.Contains(name, t) })
}

// free reports whether a tool can be called without any id.
func free(f Fit) bool {
	return !slices.ContainsFunc(f.Tool.Contract.Inputs(), func(in contract.Input) bool {
		return in.Required && !in.HasDefault && len(objectOf(in)) > 0
	})
}

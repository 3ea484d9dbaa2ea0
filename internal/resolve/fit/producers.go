package fit

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Leading is how many of the first slots pull their producers in, and deepest how
// many of those may stand behind one of them, each finding what the one before it
// requires.
const (
	Leading = 2
	deepest = 3
)

// Joined gives slots in their order, and behind each of the first few the tools
// of its source that find the ids which it cannot be called without: "the cast
// of a show" takes the id of the show, and a search for shows gives it. Nobody
// asks for such a tool by its words. A tool that joins takes the score of the
// one that it joins. Only the first own slots are asked for themselves; what
// stands behind them is there to join.
func Joined(fits []Fit, own int) []Fit {
	if !WantsProducer(fits) {
		return fits
	}
	out := make([]Fit, 0, len(fits)+Leading)
	taken := map[string]bool{}
	put := func(f Fit) {
		if !taken[f.Tool.ID] {
			taken[f.Tool.ID] = true
			out = append(out, f)
		}
	}
	for i, f := range fits {
		put(f)
		if i < min(Leading, own) {
			for _, p := range Chain(f, fits, out) {
				put(p)
			}
		}
	}
	return out
}

// Chain gives the tools, out of all, by which the ids are found that f requires
// and the need does not hold, the nearest first. One that can be called without
// any id ends it; where there is none, one does whose own ids are found likewise.
// What stands already, or finds what only f itself would lead to, is none.
func Chain(f Fit, all, standing []Fit) []Fit {
	if !wants(f) {
		return nil
	}
	var out []Fit
	s := seeker{all: all, standing: slices.Clone(standing)}
	for _, in := range f.Tool.Contract.Inputs() {
		found, _ := s.find(in, f, []string{f.Tool.ID})
		for _, p := range found {
			p.Score, p.Joins = f.Score, true
			s.standing = append(s.standing, p)
			out = append(out, p)
		}
	}
	return out
}

type seeker struct{ all, standing []Fit }

// finding is an id that a tool finds: whose, and where it goes. All coordinates
// of a tool are found by one.
type finding struct {
	tool       string
	pointer    string
	coordinate bool
}

// Finds reports whether a slot joins to find an input of another one.
func (f Fit) Finds(of Fit, pointer string) bool {
	if !f.Joins || f.finds.tool != of.Tool.ID {
		return false
	}
	return f.finds.pointer == pointer || f.finds.coordinate && slices.ContainsFunc(of.Tool.Contract.Inputs(), func(in contract.Input) bool { return in.Pointer == pointer && coordinate(in) })
}

// find gives the tools by which an id that f requires is found; ok is false where
// nothing finds it. The path is of the tools that need it: none of them finds its
// own id.
func (s seeker) find(in contract.Input, f Fit, path []string) (found []Fit, ok bool) {
	if !lacksID(in, f) {
		return nil, true
	}
	if p, stands := s.producer(in, f); p != nil || stands {
		if stands {
			return nil, true
		}
		p.finds = finding{f.Tool.ID, in.Pointer, coordinate(in)}
		return []Fit{*p}, true
	}
	if len(path) == deepest {
		return nil, false
	}
	for _, x := range s.between(in, f, path) {
		if slices.ContainsFunc(s.standing, func(y Fit) bool { return y.Tool.ID == x.Tool.ID }) {
			return nil, true
		}
		x.finds = finding{f.Tool.ID, in.Pointer, coordinate(in)}
		found, ok := []Fit{x}, true
		for _, next := range x.Tool.Contract.Inputs() {
			var more []Fit
			if more, ok = s.find(next, x, append(slices.Clone(path), x.Tool.ID)); !ok {
				break
			}
			found = append(found, more...)
		}
		if ok {
			return found, true
		}
	}
	return nil, false
}

// tries bounds how many tools are looked at that find an id but require another.
const tries = 4

// between gives tools that find an id and require another one themselves.
func (s seeker) between(in contract.Input, f Fit, path []string) []Fit {
	var out []Fit
	for _, finds := range finders(in, objectOf(in, f.Tool.Op.Name)) {
		for _, x := range s.all {
			if len(out) < tries && x.Tool.Source == f.Tool.Source && !slices.Contains(path, x.Tool.ID) && finds(x) && !free(x) && !requires(x, in) {
				out = append(out, x)
			}
		}
	}
	return out
}

// finders tell a tool that finds an id, the surest first.
func finders(in contract.Input, object []string) [3]func(x Fit) bool {
	if coordinate(in) {
		declared := func(x Fit) bool { return takesText(x) && declares(x, in) }
		return [...]func(x Fit) bool{geocodes, declared, declared}
	}
	return [...]func(x Fit) bool{
		func(x Fit) bool { return does(x, "search") && about(x, object) },
		func(x Fit) bool { return does(x, "list") && about(x, object) },
		func(x Fit) bool { return declares(x, in) },
	}
}

// coordinates name a place on the earth. Nobody says them of a place that has a
// name: they are found like an id.
var coordinates = []string{"lat", "latitude", "lon", "lng", "longitude"}

func coordinate(in contract.Input) bool {
	return kindOf(in) == aNumber && slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(splitCapitals(in.Name)), func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' }),
		func(part string) bool { return slices.Contains(coordinates, part) })
}

// Derives reports whether a missing input is in hand with the tool that finds it,
// so that nobody needs to be asked: an id where the need says which thing is meant,
// beyond what the tool says of itself, or where one list of what there is leads to
// reading more; and a coordinate of a place that the need names in words. What may
// destroy takes a name: after "delete a customer quickly" any customer would do.
func (f Fit) Derives(pointer string, by Fit) bool {
	for _, in := range f.Tool.Contract.Inputs() {
		if in.Pointer == pointer && !coordinate(in) {
			if f.destroys() {
				return f.names()
			}
			lists := free(by) && !takesText(by) && !does(by, "search")
			return f.selects() || lists && f.Tool.Effect == interlock.EffectRead
		}
	}
	return f.located(pointer)
}

// selects reports whether the request says of which thing its tool is to be
// called: something quoted, or words that the tool does not say of itself.
func (f Fit) selects() bool {
	r := f.reading()
	return r.Holds(words.Quoted) || len(beyond(r, f, true)) > 0
}

// destroys reports whether a tool is declared to destroy, or says that it deletes
// and declares nothing.
func (f Fit) destroys() bool {
	return f.Tool.Effect == interlock.EffectDestructive || f.Tool.Effect == interlock.EffectUnknown && slices.Contains(f.kinds(), "delete")
}

// names reports whether the request says by name of which thing its tool is to be
// called: something quoted, an address of mail, or a proper name.
func (f Fit) names() bool {
	r := f.reading()
	return r.Holds(words.Quoted, words.Email) || slices.ContainsFunc(beyond(r, f, true), func(w string) bool { return proper(w, r) })
}

// proper reports whether a word of a request is a name by its capital: it does not
// merely begin the request, nor stand among capitals alone.
func proper(w string, r words.Reading) bool {
	return w[0] >= 'A' && w[0] <= 'Z' && !strings.HasPrefix(strings.TrimSpace(r.Bare), w) && r.Bare != strings.ToUpper(r.Bare)
}

// located reports whether an input is a coordinate of a place that the need names.
func (f Fit) located(pointer string) bool {
	all, asked := 0, false
	for _, in := range f.Tool.Contract.Inputs() {
		if in.Required && !in.HasDefault && coordinate(in) {
			all++
			asked = asked || in.Pointer == pointer
		}
	}
	places := (all + 1) / 2
	return asked && newSupply(f).free >= places
}

// geocodes reports whether a tool's name says that it gives the coordinates of a
// place, and not the place of coordinates.
func geocodes(x Fit) bool {
	terms := x.Tool.Naming().Terms
	return slices.ContainsFunc(terms, func(t string) bool { return strings.HasPrefix(t, "geocod") }) && !slices.ContainsFunc(terms, func(t string) bool { return strings.HasPrefix(t, "revers") })
}

// declares reports whether a tool that only reads says that its result holds the
// input, by its very name. An id that is named id alone is of anything.
func declares(x Fit, in contract.Input) bool {
	return x.Tool.Effect == interlock.EffectRead && !isID(strings.ToLower(in.Name)) &&
		slices.ContainsFunc(x.Tool.Contract.Outputs(), func(o contract.Field) bool { return strings.EqualFold(o.Name, in.Name) })
}

// requires reports whether a tool cannot be called without the very input.
func requires(x Fit, in contract.Input) bool {
	return slices.ContainsFunc(x.Tool.Contract.Inputs(), func(own contract.Input) bool {
		return own.Required && !own.HasDefault && slices.Equal(words.Tokens(own.Name), words.Tokens(in.Name))
	})
}

// lacksID reports whether an input is an id that has to be found.
func lacksID(in contract.Input, f Fit) bool {
	return in.Required && !in.HasDefault && len(objectOf(in, f.Tool.Op.Name)) > 0 && !inHand(in.Name, in.Pointer, f.need.Have)
}

// WantsProducer reports whether one of the first slots requires an id that the
// need does not hold.
func WantsProducer(fits []Fit) bool {
	return slices.ContainsFunc(fits[:min(Leading, len(fits))], wants)
}

func wants(f Fit) bool { return !free(f) && !idHeld(f) }

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

// producer finds the tool that gives an id which f requires and can be called
// without any; stands reports that such a one stands already. Where the need
// names the object, a tool that searches for a text gives its id, and a list of
// others does not.
func (s seeker) producer(in contract.Input, f Fit) (p *Fit, stands bool) {
	object := objectOf(in, f.Tool.Op.Name)
	beside := func(x Fit) bool { return x.Tool.Source == f.Tool.Source && x.Tool.ID != f.Tool.ID }
	gives := func(x Fit) bool { return beside(x) && (about(x, object) || declares(x, in)) && free(x) }
	if coordinate(in) {
		gives = func(x Fit) bool { return beside(x) && (geocodes(x) || declares(x, in)) && free(x) }
	}
	finds := func(x Fit) bool {
		return beside(x) && does(x, "search") && about(x, object) && free(x) && takesText(x)
	}
	if i := slices.IndexFunc(s.all, finds); i >= 0 && newSupply(f).named {
		return clone(s.all[i]), slices.ContainsFunc(s.standing, finds)
	}
	if slices.ContainsFunc(s.standing, gives) {
		return nil, true
	}
	for _, by := range finders(in, object) {
		if i := slices.IndexFunc(s.all, func(x Fit) bool { return beside(x) && by(x) && free(x) }); i >= 0 {
			return clone(s.all[i]), false
		}
	}
	return nil, false
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
// or of the one thing that the name is about, or of what its description says
// ("ID or name of the container").
func objectOf(in contract.Input, tool string) []string {
	if coordinate(in) {
		return coordinates[:1]
	}
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
	return ofWhat(in.Description)
}

// ofWhat reads the thing that a description says an id is of; nil where it says
// none.
func ofWhat(description string) []string {
	all := strings.Fields(strings.ToLower(description))
	id := slices.IndexFunc(all, func(w string) bool { return isID(w) || w == "identifier" || w == "uuid" })
	if id < 0 {
		return nil
	}
	for i, w := range all[id:] {
		if rest := all[id+i+1:]; w == "of" && len(rest) > 0 {
			if slices.Contains([]string{"the", "a", "an", "this", "that", "your"}, rest[0]) {
				rest = rest[1:]
			}
			if len(rest) > 0 {
				return words.Tokens(rest[0])
			}
		}
		if strings.HasSuffix(w, ".") {
			return nil // another sentence
		}
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
		said := f.Tool.Said()
		in = func(t string) bool { return said.Says(t, true) }
	}
	return !slices.ContainsFunc(object, func(t string) bool { return !in(t) })
}

// free reports whether a tool can be called without any id.
func free(f Fit) bool {
	return !slices.ContainsFunc(f.Tool.Contract.Inputs(), func(in contract.Input) bool {
		return in.Required && !in.HasDefault && len(objectOf(in, f.Tool.Op.Name)) > 0
	})
}

// Package fit holds each slot against the typed part of a need: the effect
// allowed, the fields wanted, the inputs in hand. It promises that it removes
// and reorders nothing; each slot carries its reasons. It refuses a list that
// discover did not make.
//
//	result, err := fit.Match(list, need)
package fit

import (
	"errors"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Fit is one slot and how it fits.
type Fit struct {
	discover.Slot
	Reasons []string // why it does not fit: effect, outputs, operation; empty where it does
	Joins   bool     // it finds an id for another one, and competes with none
	finds   finding  // of one that joins
	need    *interlock.Need
	query   *index.Query
	whole   *index.Query // of all the need, where query is of one of its requests
	known   *known       // nil where it is computed anew each time
}

// known is what was computed of a slot, which is asked for several times: it
// depends on the need and the tool alone.
type known struct {
	missing []interlock.Missing
	asked   bool // missing was computed
}

// Fits reports whether nothing but inputs stands between the slot and a call.
func (f Fit) Fits() bool { return len(f.Reasons) == 0 }

// Leads reports whether a slot may find an id for another one: it need neither
// give what is wanted nor do what is ordered, and may do only what is allowed.
func (f Fit) Leads() bool { return !f.lacks("effect") }

// Result is the first slots of the three parts with their fits: all that are
// confident, the best of each part, and some more. The zero value is inert.
type Result struct {
	list         discover.List
	need         *interlock.Need
	compatible   []Fit
	denied       []Fit
	incompatible []discover.Slot
	intents      []Intent
}

// Intent is one request of a need that consists of several, and the slots as
// they fit it.
type Intent struct {
	Text       string
	Compatible []Fit
	Denied     []Fit
}

// Valid reports whether Match made the result.
func (r Result) Valid() bool { return r.list.Valid() }

// Whole is the result with every slot in it.
func (r Result) Whole() Result {
	if !r.Valid() {
		return r
	}
	out := r
	out.list = r.list.Whole()
	out.fill()
	return out
}

// Beside gives the slots that may become offers and stand beside some of them: the
// first ones, and of all others those with a tool of their sources.
func (r Result) Beside(some []Fit) []Fit {
	var sources []string
	for _, f := range some {
		if !slices.Contains(sources, f.Tool.Source) {
			sources = append(sources, f.Tool.Source)
		}
	}
	whole := r.list.Query()
	return matchAll(r.list.Beside(sources), eligible.Compatible, r.need, &whole)
}

// List gives the scored list that the result was made from.
func (r Result) List() discover.List { return r.list }

// Compatible gives the first slots that may become offers, best first.
func (r Result) Compatible() []Fit { return r.compatible }

// Denied gives the first compatible slots that policy denies the use of.
func (r Result) Denied() []Fit { return r.denied }

// Incompatible gives the first slots that are advice at the most.
func (r Result) Incompatible() []discover.Slot { return r.incompatible }

// Intents gives the requests that the need consists of; none where it is one.
func (r Result) Intents() []Intent { return r.intents }

// Match holds every slot against the need.
func Match(list discover.List, need interlock.Need) (Result, error) {
	if !list.Valid() {
		return Result{}, errors.New("fit: no list")
	}
	r := Result{list: list, need: &need}
	r.fill()
	whole := list.Query()
	for _, part := range list.Parts() {
		r.intents = append(r.intents, Intent{part.Query().Text(), matchAll(part, eligible.Compatible, &need, &whole), matchAll(part, eligible.Denied, &need, &whole)})
	}
	return r, nil
}

func (r *Result) fill() {
	whole := r.list.Query()
	r.incompatible = r.list.Slots(eligible.Incompatible)
	r.compatible, r.denied = matchAll(r.list, eligible.Compatible, r.need, &whole), matchAll(r.list, eligible.Denied, r.need, &whole)
}

func matchAll(list discover.List, class eligible.Class, need *interlock.Need, whole *index.Query) []Fit {
	slots := list.Slots(class)
	query := list.Query()
	orders := query.Reading().Orders()
	out := make([]Fit, 0, len(slots))
	memo := make([]known, len(slots))
	for i, s := range slots {
		f := match(s, need, &query)
		f.whole, f.known = whole, &memo[i]
		if len(orders) > 0 && f.onlyReads(orders) {
			f.Reasons = append(f.Reasons, "operation")
		}
		out = append(out, f)
	}
	if len(need.Want) > 0 {
		preferDirect(out)
	}
	return out
}

// preferDirect takes what has to be converted for no fit where something gives
// every wanted field in the wanted unit.
func preferDirect(fits []Fit) {
	direct := func(f Fit) bool { return len(f.Reasons) == 0 && !f.converts() }
	if !slices.ContainsFunc(fits, direct) {
		return
	}
	for i := range fits {
		if fits[i].converts() && !fits[i].lacks("outputs") {
			fits[i].Reasons = append(fits[i].Reasons, "outputs")
		}
	}
}

func match(s discover.Slot, need *interlock.Need, query *index.Query) Fit {
	f := Fit{Slot: s, need: need, query: query}
	if !effectAllowed(s.Tool.Effect, need.Effects) {
		f.Reasons = append(f.Reasons, "effect")
	}
	for _, w := range need.Want {
		if !discover.Gives(s.Tool, w) {
			f.Reasons = append(f.Reasons, "outputs")
			break
		}
	}
	return f
}

// reading is what the words of the need say.
func (f Fit) reading() words.Reading { return f.query.Reading() }

// effectAllowed reports whether a tool's effect is one of those allowed; an
// unknown effect counts as destructive.
func effectAllowed(e interlock.Effect, allowed []interlock.Effect) bool {
	if len(allowed) == 0 {
		return true
	}
	return slices.ContainsFunc(allowed, func(a interlock.Effect) bool { return a.Enforced() == e.Enforced() })
}

// inHand reports whether an input is named among those in hand, by its name or
// its pointer, letter case and word separators apart.
func inHand(name, pointer string, have []string) bool {
	return slices.ContainsFunc(have, func(h string) bool {
		return h == pointer || fold(h) == fold(name)
	})
}

func fold(name string) string { return strings.ToLower(unparted.Replace(name)) }

// unparted takes out what parts the words of a name.
var unparted = strings.NewReplacer("_", "", "-", "", " ", "", "/", "")

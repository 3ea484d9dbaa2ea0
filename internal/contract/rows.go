package contract

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// Lists reports whether a place of an operation's output, "output:/items", is
// a list whose items state members at all of the pointers. Where it is not,
// items cannot be told apart by them.
func Lists(op interlock.Operation, at string, members []string) bool {
	pointer, ok := strings.CutPrefix(at, sideOutput)
	d, err := readDocument(op.OutputSchema)
	if !ok || err != nil || len(members) == 0 {
		return false
	}
	list := d.spotAt(pointer)
	if !states(list, "array") || states(list, "object") {
		return false
	}
	items := d.step(list, anyToken)
	return !slices.ContainsFunc(members, func(m string) bool { return len(d.from(items, m)) == 0 })
}

// Numbers gives the places of an operation's output that may hold a number and
// are not in the list at a place: any of them may count its items.
func Numbers(op interlock.Operation, at string) []string {
	d, err := readDocument(op.OutputSchema)
	if err != nil {
		return nil
	}
	var out []string
	d.places(func(parent spot, way []string) {
		place := sideOutput + rawjson.Join("", way...)
		if place != at && !strings.HasPrefix(place, at+"/") && number(d.step(parent, way[len(way)-1])) {
			out = append(out, place)
		}
	})
	return out
}

// Argument says how an argument of an operation, "input:/tenant", is spelled
// when it is given for the caller: as text, or else as a whole number. Ok is
// false where it is no declared argument of its own, or neither.
func Argument(op interlock.Operation, at string) (name string, text, ok bool) {
	pointer, found := strings.CutPrefix(at, sideInput)
	way, split := rawjson.Split(pointer)
	d, err := readDocument(op.InputSchema)
	if !found || !split || err != nil || len(way) != 1 {
		return "", false, false
	}
	p := d.spotAt(pointer)
	text = states(p, "string")
	return way[0], text, len(p) > 0 && (text || states(p, "integer") || states(p, "number"))
}

// spotAt gives the place that a pointer leads to, "*" for any element; none where
// the schema does not spell it out.
func (d *document) spotAt(pointer string) spot { return d.from(d.here([]*node{d.root}), pointer) }

func (d *document) from(p spot, pointer string) spot {
	way, ok := rawjson.Split(pointer)
	if !ok {
		return nil
	}
	for _, token := range way {
		p = d.step(p, token)
	}
	return p
}

// step gives the place one step down.
func (d *document) step(p spot, token string) (found spot) {
	d.below(p, func(name string, next spot) {
		if name == token {
			found = next
		}
	})
	return found
}

// types gives the types that any part of a place states.
func (p spot) types() (out []string) {
	for _, n := range p {
		if t := n.get("type"); t.is(kindString) {
			out = append(out, t.text)
		}
		for _, t := range listOf(n.get("type")) {
			out = append(out, t.str())
		}
	}
	return out
}

func states(p spot, typ string) bool { return slices.Contains(p.types(), typ) }

// number reports whether a place may hold a number: it says so, or says
// nothing and has nothing in it.
func number(p spot) bool {
	types := p.types()
	if len(types) > 0 {
		return slices.Contains(types, "integer") || slices.Contains(types, "number")
	}
	return !slices.ContainsFunc(p, func(n *node) bool { return n.get("properties") != nil || n.get("items") != nil })
}

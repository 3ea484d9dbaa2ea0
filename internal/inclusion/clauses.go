package inclusion

import "slices"

// clauses says of a value of kind k what schema n says, as forms that must all
// hold.
func clauses(n *node, k kind) []form {
	if n.never {
		return []form{never()}
	}
	out := plain(n, k)
	if out != nil && out[0].op == fFalse {
		return out
	}
	out = append(out, applied(n, k)...)
	if k == kObject && n.unevaluatedProps != nil || k == kArray && n.unevaluatedItems != nil {
		out = append(out, leftOver(n, k))
	}
	return out
}

// plain says what n says without the schemas that apply in its place.
func plain(n *node, k kind) []form {
	var out []form
	if n.types != 0 && n.types&k == 0 {
		if k != kNumber || n.types&kInteger == 0 {
			return []form{never()}
		}
		out = append(out, is(atom{kind: aMultiple, num: one}))
	}
	if n.hasEnum {
		out = append(out, is(atom{kind: aEnum, values: n.enum}))
	}
	if n.constant != nil {
		out = append(out, is(atom{kind: aEnum, values: []*value{n.constant}}))
	}
	for i := range n.stops {
		out = append(out, form{op: fStop, stop: &n.stops[i]})
	}
	switch k {
	case kNumber:
		return append(out, numberClauses(n)...)
	case kString:
		out = append(out, sized(n.minLength, n.maxLength)...)
		if n.pattern != nil {
			out = append(out, is(atom{kind: aMatch, text: *n.pattern}))
		}
	case kArray:
		return append(out, arrayClauses(n)...)
	case kObject:
		return append(out, objectClauses(n)...)
	}
	return out
}

func sized(least, most int) []form {
	var out []form
	if least > 0 {
		out = append(out, is(atom{kind: aLength, lo: least, hi: -1}))
	}
	if most >= 0 {
		out = append(out, is(atom{kind: aLength, hi: most}))
	}
	return out
}

func numberClauses(n *node) []form {
	var out []form
	if n.lo != nil {
		out = append(out, is(atom{kind: aLow, num: n.lo, open: n.loOpen}))
	}
	if n.hi != nil {
		out = append(out, is(atom{kind: aHigh, num: n.hi, open: n.hiOpen}))
	}
	if n.multiple != nil {
		out = append(out, is(atom{kind: aMultiple, num: n.multiple}))
	}
	return out
}

func arrayClauses(n *node) []form {
	out := sized(n.minItems, n.maxItems)
	if n.unique {
		out = append(out, is(atom{kind: aUnique}))
	}
	for i, sub := range n.prefix {
		out = append(out, is(atom{kind: aEach, lo: i, hi: i + 1, lit: literal{node: sub}}))
	}
	if n.items != nil {
		out = append(out, is(atom{kind: aEach, lo: len(n.prefix), hi: -1, lit: literal{node: n.items}}))
	}
	if n.contains != nil {
		l := literal{node: n.contains}
		if n.minHold > 0 {
			out = append(out, is(atom{kind: aCount, lo: n.minHold, hi: -1, lit: l}))
		}
		if n.maxHold >= 0 {
			out = append(out, is(atom{kind: aCount, hi: n.maxHold, lit: l}))
		}
	}
	return out
}

func objectClauses(n *node) []form {
	out := sized(n.minProps, n.maxProps)
	for _, name := range n.required {
		out = append(out, is(atom{kind: aHas, text: name}))
	}
	for _, p := range n.props {
		out = append(out, every(region{exact: &p.name}, literal{node: p.node}))
	}
	for _, p := range n.patterns {
		out = append(out, every(region{patterns: []patternIs{{text: p.name}}}, literal{node: p.node}))
	}
	if n.rest != nil {
		out = append(out, every(others(n), literal{node: n.rest}))
	}
	if n.names != nil {
		out = append(out, every(region{literals: []literal{{n.names, true}}}, literal{node: nothing}))
	}
	if n.closed != nil {
		out = append(out, every(*n.closed, literal{node: nothing}))
	}
	for _, d := range n.dependRequired {
		var needs []form
		for _, name := range d.needs {
			needs = append(needs, is(atom{kind: aHas, text: name}))
		}
		out = append(out, anyOf(is(atom{kind: aHas, text: d.name, neg: true}), allOf(needs...)))
	}
	return out
}

func every(r region, l literal) form { return is(atom{kind: aEvery, region: &r, lit: l}) }

// others gives the names that neither properties nor patternProperties of n
// speak of.
func others(n *node) region {
	var r region
	for _, p := range n.props {
		r.except = append(r.except, p.name)
	}
	for _, p := range n.patterns {
		r.patterns = append(r.patterns, patternIs{p.name, true})
	}
	return r
}

// applied says what the schemas that apply in n's place say.
func applied(n *node, k kind) []form {
	var out []form
	if n.ref != nil {
		out = append(out, goal(n.ref, false))
	}
	for _, sub := range n.allOf {
		out = append(out, goal(sub, false))
	}
	if k == kObject {
		for _, d := range n.dependSchemas {
			out = append(out, anyOf(is(atom{kind: aHas, text: d.name, neg: true}), goal(d.node, false)))
		}
	}
	if n.not != nil {
		out = append(out, goal(n.not, true))
	}
	if n.cond != nil {
		out = append(out, anyOf(allOf(goal(n.cond, false), goal(n.then, false)), allOf(goal(n.cond, true), goal(n.other, false))))
	}
	if n.anyValues != nil {
		out = append(out, is(atom{kind: aEnum, values: n.anyValues}))
	} else if n.anyOf != nil {
		var any []form
		for _, sub := range n.anyOf {
			any = append(any, goal(sub, false))
		}
		out = append(out, anyOf(any...))
	}
	if n.oneValues != nil {
		out = append(out, is(atom{kind: aEnum, values: n.oneValues}))
	} else if n.oneOf != nil {
		out = append(out, exactlyOne(n, k))
	}
	return out
}

// spoken is one way in which the schemas in place of another may hold, with
// what they then speak of.
type spoken struct {
	forms []form
	names []region // members spoken of
	all   bool     // all members or elements are
	upTo  int      // elements before this are
	stop  *Stop
}

// maxWays bounds the ways in which schemas in place may hold together.
const maxWays = 128

// leftOver says that what no schema speaks of obeys unevaluatedProperties or
// unevaluatedItems of n.
func leftOver(n *node, k kind) form {
	ways, ok := n.ways(k)
	if !ok {
		return form{op: fStop, stop: &Stop{n.ptr, "unevaluated members beside too many choices"}}
	}
	var any []form
	for _, way := range ways {
		all := way.forms
		switch {
		case way.stop != nil:
			all = append(all, form{op: fStop, stop: way.stop})
		case way.all:
		case k == kArray:
			all = append(all, is(atom{kind: aEach, lo: way.upTo, hi: -1, lit: literal{node: n.unevaluatedItems}}))
		default:
			all = append(all, every(outside(way.names), literal{node: n.unevaluatedProps}))
		}
		any = append(any, allOf(all...))
	}
	return anyOf(any...)
}

// outside gives the names that are in none of the regions, each of which is
// one exact name or one pattern.
func outside(list []region) region {
	var out region
	for _, r := range list {
		if r.exact != nil {
			out.except = append(out.except, *r.exact)
		}
		for _, p := range r.patterns {
			out.patterns = append(out.patterns, patternIs{p.text, true})
		}
	}
	slices.Sort(out.except)
	out.except = slices.Compact(out.except)
	return out
}

// ways lists every combination of schemas in place of n that hold, for values
// that n accepts.
func (n *node) ways(k kind) ([]spoken, bool) {
	own := spoken{}
	if k == kObject {
		for _, p := range n.props {
			own.names = append(own.names, region{exact: &p.name})
		}
		for _, p := range n.patterns {
			own.names = append(own.names, region{patterns: []patternIs{{text: p.name}}})
		}
		own.all = n.rest != nil
	} else {
		own.upTo, own.all = len(n.prefix), n.items != nil
		if n.contains != nil && n.containsEvaluates {
			own.stop = &Stop{n.ptr + "/contains", "contains beside unevaluatedItems"}
		}
	}
	return n.waysInPlace(k, []spoken{own})
}

// waysInPlace continues the ways so far over all that applies in n's place.
func (n *node) waysInPlace(k kind, out []spoken) ([]spoken, bool) {
	lists := [][]*node{n.allOf, n.anyOf, n.oneOf}
	if n.ref != nil {
		lists = append(lists, []*node{n.ref})
	}
	var ok bool
	for _, list := range lists {
		for _, sub := range list {
			if out, ok = over(out, k, []form{goal(sub, false)}, []*node{sub}, []form{goal(sub, true)}, nil); !ok {
				return nil, false
			}
		}
	}
	if k == kObject {
		for _, d := range n.dependSchemas {
			has := is(atom{kind: aHas, text: d.name})
			if out, ok = over(out, k, []form{has, goal(d.node, false)}, []*node{d.node}, []form{has.negate(k)}, nil); !ok {
				return nil, false
			}
		}
	}
	if n.cond != nil {
		return over(out, k, []form{goal(n.cond, false), goal(n.then, false)}, []*node{n.cond, n.then},
			[]form{goal(n.cond, true), goal(n.other, false)}, []*node{n.other})
	}
	return out, true
}

// over continues each of the ways so far in two directions, each with what
// holds there and the schemas that then speak.
func over(sofar []spoken, k kind, holds []form, speak []*node, fails []form, otherwise []*node) ([]spoken, bool) {
	var out []spoken
	for _, side := range []struct {
		forms []form
		speak []*node
	}{{holds, speak}, {fails, otherwise}} {
		ways := []spoken{{forms: side.forms}}
		for _, sub := range side.speak {
			more, ok := sub.ways(k)
			if !ok || len(ways)*len(more) > maxWays {
				return nil, false
			}
			ways = cross(ways, more, k == kObject && sub.unevaluatedProps != nil || k == kArray && sub.unevaluatedItems != nil)
		}
		if len(out)+len(sofar)*len(ways) > maxWays {
			return nil, false
		}
		out = append(out, cross(sofar, ways, false)...)
	}
	return out, true
}

// cross joins every way of the one with every way of the other; all says that
// the others speak of everything.
func cross(some, others []spoken, all bool) []spoken {
	var out []spoken
	for _, a := range some {
		for _, b := range others {
			b.all = b.all || all
			out = append(out, a.with(b))
		}
	}
	return out
}

func (w spoken) with(o spoken) spoken {
	w.forms = append(w.forms[:len(w.forms):len(w.forms)], o.forms...)
	w.names = append(w.names[:len(w.names):len(w.names)], o.names...)
	w.all, w.upTo = w.all || o.all, max(w.upTo, o.upTo)
	if w.stop == nil {
		w.stop = o.stop
	}
	return w
}

package inclusion

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock/internal/contract"
)

// truth is what is known of a claim.
type truth int8

const (
	no truth = iota
	maybe
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth { return yes - t }

// evaluator holds values against schemas directly. It shares nothing with the
// search but the reading of the schemas.
type evaluator struct {
	work    *int
	regexps map[string]*regexp.Regexp
	lists   map[listAt]map[string]bool
	matches map[[2]string]truth
}

func (e *evaluator) look(n int) { *e.work -= n }

func newEvaluator(work *int) *evaluator {
	return &evaluator{work: work, regexps: map[string]*regexp.Regexp{}, lists: map[listAt]map[string]bool{}, matches: map[[2]string]truth{}}
}

// marks collects which members and elements some schema has spoken of.
type marks struct {
	doubt bool // some of it could not be told
	all   bool
	names map[string]bool
	items map[int]bool
	upTo  int
}

func newMarks() *marks { return &marks{names: map[string]bool{}, items: map[int]bool{}} }

func (m *marks) add(o *marks) {
	m.all, m.doubt = m.all || o.all, m.doubt || o.doubt
	m.upTo = max(m.upTo, o.upTo)
	for name := range o.names {
		m.names[name] = true
	}
	for i := range o.items {
		m.items[i] = true
	}
}

// match reports whether a pattern matches; maybe where it cannot be read.
func (e *evaluator) match(pattern, text string) truth {
	at := [2]string{pattern, text}
	if t, known := e.matches[at]; known {
		e.look(1)
		return t
	}
	t := e.matchNew(pattern, text)
	if len(e.matches) < maxMatches && *e.work >= 0 {
		e.matches[at] = t
	}
	return t
}

// maxMatches bounds the matches that are remembered.
const maxMatches = 20_000

func (e *evaluator) matchNew(pattern, text string) truth {
	if e.look(4 + len(text)/2); *e.work < 0 {
		return maybe
	}
	re, known := e.regexps[pattern]
	if !known {
		e.look(50 + 20*len(pattern) + 2000*strings.Count(pattern, "{"))
		re, _ = regexp.Compile(contract.Pattern(pattern)) //nolint:errcheck // nil stands for what cannot be read
		e.regexps[pattern] = re
	}
	if re == nil {
		return maybe
	}
	return truthOf(re.MatchString(text))
}

// holds reports whether a literal holds for a value.
func (e *evaluator) holds(l literal, v *value) truth {
	t := e.valid(l.node, v, nil)
	if l.neg {
		return t.not()
	}
	return t
}

// valid reports whether a schema accepts a value, and marks what it spoke of.
func (e *evaluator) valid(n *node, v *value, m *marks) truth {
	if e.look(2); *e.work < 0 {
		return maybe
	}
	if n.never {
		return no
	}
	if m == nil && (n.unevaluatedProps != nil || n.unevaluatedItems != nil) {
		m = newMarks()
	}
	out := e.own(n, v)
	if out == no {
		return no
	}
	out = min(out, e.applied(n, v, m))
	if out == no {
		return no
	}
	switch v.kind {
	case kObject:
		out = min(out, e.members(n, v, m))
	case kArray:
		out = min(out, e.elements(n, v, m))
	}
	if out != no && m != nil {
		out = min(out, e.unevaluated(n, v, m))
	}
	if out == yes && len(n.stops) > 0 {
		return maybe
	}
	return out
}

// own checks what needs no other schema.
func (e *evaluator) own(n *node, v *value) truth {
	if n.types != 0 && n.types&v.kind == 0 && (v.kind != kNumber || n.types&kInteger == 0 || !v.num.IsInt()) {
		return no
	}
	if n.hasEnum && !e.contains(n.enum, v) || n.constant != nil && n.constant.key() != v.key() {
		return no
	}
	switch v.kind {
	case kNumber:
		return truthOf(!(n.lo != nil && beyond(n.lo.Cmp(v.num), n.loOpen) || n.hi != nil && beyond(v.num.Cmp(n.hi), n.hiOpen) ||
			n.multiple != nil && !new(big.Rat).Quo(v.num, n.multiple).IsInt()))
	case kString:
		e.look(len(v.str) / 64)
		length := utf8.RuneCountInString(v.str)
		if length < n.minLength || n.maxLength >= 0 && length > n.maxLength {
			return no
		}
		if n.pattern != nil {
			return e.match(*n.pattern, v.str)
		}
	case kArray:
		e.look(btoi(n.unique) * len(v.kids))
		return truthOf(len(v.kids) >= n.minItems && (n.maxItems < 0 || len(v.kids) <= n.maxItems) && !(n.unique && repeats(v)))
	case kObject:
		e.look((len(n.required) + len(n.dependRequired)) / 2)
		return truthOf(len(v.kids) >= n.minProps && (n.maxProps < 0 || len(v.kids) <= n.maxProps) && hasAll(v, n.required) && depends(n, v))
	}
	return yes
}

func beyond(cmp int, open bool) bool { return cmp > 0 || cmp == 0 && open }

// manyValues is the size from which a list of values is looked up by key.
const manyValues = 12

// contains reports whether a list holds a value.
func (e *evaluator) contains(list []*value, v *value) bool {
	if len(list) >= manyValues {
		return e.indexOf(list)[v.key()]
	}
	for _, one := range list {
		if one.kind == v.kind && one.key() == v.key() {
			return true
		}
	}
	return false
}

// indexOf gives the keys of a list, which is known by its first value.
func (e *evaluator) indexOf(list []*value) map[string]bool {
	at := listAt{list[0], len(list)}
	if keys := e.lists[at]; keys != nil {
		return keys
	}
	e.look(len(list))
	keys := make(map[string]bool, len(list))
	for _, one := range list {
		keys[one.key()] = true
	}
	e.lists[at] = keys
	return keys
}

// listAt names a list of values.
type listAt struct {
	first *value
	size  int
}

func repeats(v *value) bool {
	seen := map[string]bool{}
	for _, kid := range v.kids {
		if seen[kid.key()] {
			return true
		}
		seen[kid.key()] = true
	}
	return false
}

func hasAll(v *value, names []string) bool {
	for _, name := range names {
		if v.get(name) == nil {
			return false
		}
	}
	return true
}

func depends(n *node, v *value) bool {
	for _, d := range n.dependRequired {
		if v.get(d.name) != nil && !hasAll(v, d.needs) {
			return false
		}
	}
	return true
}

// applied checks the schemas that apply to the same value.
func (e *evaluator) applied(n *node, v *value, m *marks) truth {
	out := yes
	all := n.allOf
	if n.ref != nil {
		all = append([]*node{n.ref}, all...)
	}
	for _, d := range n.dependSchemas {
		if v.get(d.name) != nil {
			all = append(all[:len(all):len(all)], d.node)
		}
	}
	for _, sub := range all {
		if out = min(out, e.sub(sub, v, m)); out == no {
			return no
		}
	}
	if n.anyOf != nil {
		out = min(out, e.anyOf(n.anyOf, v, m))
	}
	if n.oneOf != nil && out != no {
		out = min(out, e.oneOf(n.oneOf, v, m))
	}
	if n.not != nil && out != no {
		out = min(out, e.valid(n.not, v, nil).not())
	}
	if n.cond != nil && out != no {
		out = min(out, e.conditional(n, v, m))
	}
	return out
}

func (e *evaluator) conditional(n *node, v *value, m *marks) truth {
	switch e.sub(n.cond, v, m) {
	case yes:
		return e.sub(n.then, v, m)
	case no:
		return e.sub(n.other, v, m)
	}
	return min(maybe, max(e.valid(n.then, v, nil), e.valid(n.other, v, nil)))
}

// sub checks one schema and keeps its marks where it may hold.
func (e *evaluator) sub(n *node, v *value, m *marks) truth {
	if m == nil {
		return e.valid(n, v, nil)
	}
	own := newMarks()
	t := e.valid(n, v, own)
	if t == yes {
		m.add(own)
	}
	m.doubt = m.doubt || t == maybe
	return t
}

func (e *evaluator) anyOf(list []*node, v *value, m *marks) truth {
	out := no
	for _, sub := range list {
		if out = max(out, e.sub(sub, v, m)); out == yes && m == nil {
			break
		}
	}
	return out
}

func (e *evaluator) oneOf(list []*node, v *value, m *marks) truth {
	held, open := 0, 0
	for _, sub := range list {
		switch e.sub(sub, v, m) {
		case yes:
			held++
		case maybe:
			open++
		}
	}
	switch {
	case held > 1 || held+open == 0:
		return no
	case open > 0:
		return maybe
	}
	return yes
}

// members checks an object's members and their names.
func (e *evaluator) members(n *node, v *value, m *marks) truth {
	out := yes
	for i, name := range v.names {
		if e.look(2); *e.work < 0 {
			return maybe
		}
		spoken, doubt := false, false
		if sub := n.prop(name); sub != nil {
			spoken = true
			out = min(out, e.valid(sub, v.kids[i], nil))
		}
		for _, p := range n.patterns {
			switch t := e.match(p.name, name); t {
			case yes:
				spoken = true
				out = min(out, e.valid(p.node, v.kids[i], nil))
			case maybe:
				out, doubt = min(out, maybe), true
				if m != nil {
					m.doubt = true
				}
			}
		}
		if !spoken && !doubt && n.rest != nil {
			spoken = true
			out = min(out, e.valid(n.rest, v.kids[i], nil))
		}
		if n.names != nil {
			out = min(out, e.valid(n.names, &value{kind: kString, str: name}, nil))
		}
		if n.closed != nil {
			out = min(out, e.inRegion(n.closed, name).not())
		}
		if spoken && m != nil {
			m.names[name] = true
		}
		if out == no {
			return no
		}
	}
	return out
}

// elements checks an array's elements.
func (e *evaluator) elements(n *node, v *value, m *marks) truth {
	out, held, open := yes, 0, 0
	for i, kid := range v.kids {
		if e.look(1); *e.work < 0 {
			return maybe
		}
		if i > len(n.prefix) && kid == v.kids[i-1] && n.contains == nil {
			continue // one value repeated
		}
		switch {
		case i < len(n.prefix):
			out = min(out, e.valid(n.prefix[i], kid, nil))
		case n.items != nil:
			out = min(out, e.valid(n.items, kid, nil))
		}
		if out == no {
			return no
		}
		if n.contains == nil {
			continue
		}
		switch e.valid(n.contains, kid, nil) {
		case yes:
			held++
			if m != nil && n.containsEvaluates {
				m.items[i] = true
			}
		case maybe:
			open++
			if m != nil {
				m.doubt = true
			}
		}
	}
	if m != nil {
		m.upTo = max(m.upTo, len(n.prefix))
		m.all = m.all || n.items != nil
	}
	if n.contains != nil {
		out = min(out, counted(held, open, n.minHold, n.maxHold))
	}
	return out
}

// counted reports whether a number of elements, some of them in doubt, lies
// between two bounds.
func counted(held, open, least, most int) truth {
	switch {
	case held+open < least || most >= 0 && held > most:
		return no
	case held < least || most >= 0 && held+open > most:
		return maybe
	}
	return yes
}

// unevaluated checks what no schema has spoken of.
func (e *evaluator) unevaluated(n *node, v *value, m *marks) truth {
	out := yes
	switch {
	case v.kind == kObject && n.unevaluatedProps != nil:
		for i, name := range v.names {
			if !m.names[name] {
				out = min(out, e.valid(n.unevaluatedProps, v.kids[i], nil))
				m.names[name] = true
			}
		}
	case v.kind == kArray && n.unevaluatedItems != nil:
		for i, kid := range v.kids {
			if !m.all && i >= m.upTo && !m.items[i] {
				out = min(out, e.valid(n.unevaluatedItems, kid, nil))
			}
		}
		m.all = true
	}
	if m.doubt && out == no {
		return maybe
	}
	return out
}

// inRegion reports whether a name lies in a region.
func (e *evaluator) inRegion(r *region, name string) truth {
	if r.exact != nil {
		return truthOf(*r.exact == name)
	}
	e.look(1)
	if _, excepted := slices.BinarySearch(r.except, name); excepted {
		return no
	}
	out := yes
	for _, p := range r.patterns {
		t := e.match(p.text, name)
		if p.neg {
			t = t.not()
		}
		out = min(out, t)
	}
	for _, l := range r.literals {
		out = min(out, e.holds(l, &value{kind: kString, str: name}))
	}
	return out
}

package inclusion

import (
	"math/big"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/inclusion/regular"
)

// drawer makes values that a schema is likely to accept, out of the numbers,
// strings and names that both schemas mention and their neighbours. It knows
// nothing of the search. The same schemas draw the same values.
type drawer struct {
	rand    dice
	eval    *evaluator
	numbers []*big.Rat
	texts   []string
	names   []string
	values  []*value
}

func newDrawer(work *int, roots ...*node) *drawer {
	d := &drawer{rand: 1, eval: newEvaluator(work), texts: []string{"", "a", "b", "ab", "A", "0", "\n", "a\nb"},
		names: []string{"x", "a"}, values: []*value{{kind: kNull}, {kind: kBool, yes: true}, {kind: kBool}}}
	for _, n := range []int64{0, 1, -1, 2} {
		d.numbers = append(d.numbers, new(big.Rat).SetInt64(n))
	}
	d.numbers = append(d.numbers, big.NewRat(1, 2))
	seen := map[*node]bool{}
	for _, n := range roots {
		d.scan(n, seen)
	}
	return d
}

// scan takes up what a schema mentions.
func (d *drawer) scan(n *node, seen map[*node]bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	d.eval.look(10 + len(n.enum) + len(n.props) + len(n.required))
	if *d.eval.work < 0 {
		return
	}
	for _, v := range n.enum[:min(len(n.enum), maxMentioned)] {
		d.mention(v)
	}
	if n.constant != nil {
		d.mention(n.constant)
	}
	for _, x := range []*big.Rat{n.lo, n.hi, n.multiple} {
		if x != nil {
			d.numbers = append(d.numbers, x, new(big.Rat).Add(x, one), new(big.Rat).Sub(x, one), new(big.Rat).Add(x, big.NewRat(1, 2)))
		}
	}
	for _, size := range []int{n.minLength, n.maxLength} {
		if size > 0 && size < 200 {
			d.texts = append(d.texts, strings.Repeat("a", size), strings.Repeat("b", size+1), strings.Repeat("A", size-1))
		}
	}
	if n.pattern != nil {
		d.texts = append(d.texts, d.matching(*n.pattern)...)
	}
	for _, p := range n.patterns {
		d.names = append(d.names, d.matching(p.name)...)
	}
	for _, p := range n.props {
		d.names = append(d.names, p.name)
	}
	d.names = append(d.names, n.required...)
	for _, sub := range slices.Concat(n.inPlace(), n.below()) {
		d.scan(sub, seen)
	}
}

// maxMentioned bounds the values of one list that others are made from.
const maxMentioned = 200

func (d *drawer) mention(v *value) {
	d.values = append(d.values, v)
	switch v.kind {
	case kNumber:
		d.numbers = append(d.numbers, v.num, new(big.Rat).Add(v.num, one))
	case kString:
		d.texts = append(d.texts, v.str, v.str+"x")
	case kObject:
		d.names = append(d.names, v.names...)
	}
}

// matching gives a few strings of a pattern, and neighbours of them.
func (d *drawer) matching(pattern string) []string {
	d.eval.look(50 + 20*len(pattern) + 2000*strings.Count(pattern, "{"))
	if *d.eval.work < 0 {
		return nil
	}
	l, err := regular.Compile(pattern, regular.RE2)
	if err != nil {
		return nil
	}
	var out []string
	for range 3 {
		work := min(4000, *d.eval.work/4)
		before := work
		text, outcome := regular.Find(regular.Query{Must: []*regular.Language{l}, Max: -1, Not: out}, &work)
		d.eval.look(before - work)
		if outcome != regular.Found {
			break
		}
		out = append(out, text)
	}
	for _, text := range slices.Clone(out) {
		out = append(out, text+"a", "0"+text)
	}
	return out
}

func pick[T any](d *drawer, list []T) T { return list[d.rand.IntN(len(list))] }

// dice is a small generator of numbers that look random.
type dice uint64

// IntN gives a number from 0 below n.
func (d *dice) IntN(n int) int {
	*d += 0x9e3779b97f4a7c15
	x := uint64(*d)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) >> 1 % uint64(n))
}

func (d *drawer) chance(p float64) bool { return float64(d.rand.IntN(1<<20)) < p*(1<<20) }

// maxDrawn bounds how deep drawn values go.
const maxDrawn = 6

// draw makes a value for a schema.
func (d *drawer) draw(n *node, depth int) *value {
	d.eval.look(8)
	if depth > maxDrawn+4 || *d.eval.work <= 0 {
		return &value{kind: kNull}
	}
	for _, list := range [][]*node{n.anyOf, n.oneOf} {
		if len(list) > 0 && d.chance(.8) {
			return d.draw(d.merged(n, pick(d, list)), depth)
		}
	}
	if n.ref != nil {
		return d.draw(d.merged(n, n.ref), depth)
	}
	if len(n.allOf) > 0 {
		return d.draw(d.merged(n, n.allOf[0]), depth)
	}
	if n.cond != nil && d.chance(.9) {
		if d.chance(.5) {
			return d.draw(d.merged(d.merged(n, n.cond), n.then), depth)
		}
		return d.draw(d.merged(n, n.other), depth)
	}
	switch {
	case n.constant != nil:
		return n.constant
	case len(n.enum) > 0 && d.chance(.95):
		return pick(d, n.enum)
	}
	return d.ofKind(n, d.kind(n), depth)
}

// merged lays b over a, roughly: what is drawn is checked anyway.
func (d *drawer) merged(a, b *node) *node {
	d.eval.look(4 + (len(a.required)+len(b.required)+len(a.props)+len(b.props)+len(a.allOf)+len(b.allOf))/8)
	out := *a
	out.anyOf, out.oneOf, out.ref, out.cond = b.anyOf, b.oneOf, b.ref, b.cond
	out.then, out.other = b.then, b.other
	if len(out.allOf) > 0 && out.allOf[0] == b {
		out.allOf = out.allOf[1:]
	}
	out.allOf = slices.Concat(out.allOf, b.allOf)
	if b.types != 0 {
		out.types = b.types
	}
	if b.constant != nil {
		out.constant = b.constant
	}
	if b.hasEnum {
		out.hasEnum, out.enum = true, b.enum
	}
	out.required = slices.Concat(a.required, b.required)
	out.props, out.patterns = slices.Concat(a.props, b.props), slices.Concat(a.patterns, b.patterns)
	out.minLength, out.minItems, out.minProps = max(a.minLength, b.minLength), max(a.minItems, b.minItems), max(a.minProps, b.minProps)
	if b.items != nil || b.prefix != nil {
		out.items, out.prefix = b.items, b.prefix
	}
	if b.rest != nil {
		out.rest = b.rest
	}
	return &out
}

func (d *drawer) kind(n *node) kind {
	if n.types == 0 {
		return pick(d, kinds[:])
	}
	for {
		k := pick(d, append(kinds[:], kInteger))
		if n.types&k != 0 {
			return k
		}
	}
}

func (d *drawer) ofKind(n *node, k kind, depth int) *value {
	switch k {
	case kNull:
		return &value{kind: kNull}
	case kBool:
		return &value{kind: kBool, yes: d.chance(.5)}
	case kNumber, kInteger:
		return d.number(n, k)
	case kString:
		return &value{kind: kString, str: d.text(n)}
	case kArray:
		return d.array(n, depth)
	}
	return d.object(n, depth)
}

func (d *drawer) number(n *node, k kind) *value {
	x := pick(d, d.numbers)
	if n.lo != nil && d.chance(.5) {
		x = new(big.Rat).Add(n.lo, new(big.Rat).Abs(x))
	}
	if n.multiple != nil && d.chance(.8) {
		x = new(big.Rat).Mul(n.multiple, new(big.Rat).SetInt(floor(new(big.Rat).Quo(x, n.multiple))))
	} else if k == kInteger {
		x = new(big.Rat).SetInt(floor(x))
	}
	return &value{kind: kNumber, num: x}
}

func (d *drawer) text(n *node) string {
	text := pick(d, d.texts)
	for range 4 {
		if n.pattern == nil || d.eval.match(*n.pattern, text) != no {
			break
		}
		text = pick(d, d.texts)
	}
	if short := n.minLength - len(text); short > 0 && short < 300 {
		text += strings.Repeat("a", short)
	}
	return text
}

func (d *drawer) array(n *node, depth int) *value {
	out := &value{kind: kArray}
	size := pick(d, []int{n.minItems, n.minItems, n.minItems + 1, len(n.prefix), len(n.prefix) + 1, 2})
	if n.maxItems >= 0 {
		size = min(size, n.maxItems)
	}
	if depth > maxDrawn {
		size = n.minItems
	}
	for i := range min(size, 100) {
		switch {
		case i < len(n.prefix):
			out.kids = append(out.kids, d.draw(n.prefix[i], depth+1))
		case n.items != nil:
			out.kids = append(out.kids, d.draw(n.items, depth+1))
		default:
			out.kids = append(out.kids, d.any(depth+1))
		}
	}
	if n.contains != nil && len(out.kids) > 0 {
		out.kids[d.rand.IntN(len(out.kids))] = d.draw(n.contains, depth+1)
	}
	return out
}

func (d *drawer) any(depth int) *value {
	switch {
	case d.chance(.4) || depth > 3:
		return pick(d, d.values)
	case d.chance(.4):
		return &value{kind: kNumber, num: pick(d, d.numbers)}
	case d.chance(.6):
		return &value{kind: kString, str: pick(d, d.texts)}
	case d.chance(.5):
		return &value{kind: kArray, kids: []*value{d.any(depth + 1)}}
	}
	return object(map[string]*value{pick(d, d.names): d.any(depth + 1)})
}

func (d *drawer) object(n *node, depth int) *value {
	members := map[string]*value{}
	d.eval.look(2*len(n.props) + len(n.required))
	if *d.eval.work < 0 {
		return object(members)
	}
	names := slices.Clone(n.required)
	share := pick(d, []float64{0, .3, .7, 1})
	if depth > maxDrawn {
		share = 0
	}
	for _, p := range n.props {
		if d.chance(share) {
			names = append(names, p.name)
		}
	}
	if d.chance(.4) {
		names = append(names, pick(d, d.names))
	}
	for i := 0; i < 20 && len(names) < n.minProps; i++ {
		names = append(names, pick(d, d.names))
	}
	known := make(map[string]*node, len(n.props))
	for _, p := range n.props {
		known[p.name] = p.node
	}
	for _, name := range names {
		if sub := known[name]; sub != nil {
			members[name] = d.draw(sub, depth+1)
		} else {
			members[name] = d.member(n, name, depth)
		}
	}
	return object(members)
}

// member draws a value for a member that properties does not name.
func (d *drawer) member(n *node, name string, depth int) *value {
	for _, p := range n.patterns {
		if d.eval.match(p.name, name) == yes {
			return d.draw(p.node, depth+1)
		}
	}
	if n.rest != nil {
		return d.draw(n.rest, depth+1)
	}
	return d.any(depth + 1)
}

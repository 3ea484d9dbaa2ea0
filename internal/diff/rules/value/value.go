// Package value holds the rules about single values: types, sets of values,
// bounds, multiples and patterns, one a file.
package value

import (
	"fmt"
	"math/big"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// kinds gives the types of both sides without null, which has rules of its own
// where a side limits its types at all.
func kinds(p *rule.Pair) (was, is rule.Types) {
	was, is = p.Old.Types(), p.New.Types()
	if was == 0 || is == 0 {
		return 0, 0 // the schema false has a rule of its own
	}
	if bounded(p) {
		was, is = was&^rule.Null, is&^rule.Null
	}
	return was, is
}

// bounded reports whether both sides limit their types.
func bounded(p *rule.Pair) bool {
	was, is := p.Old.Types(), p.New.Types()
	return was != rule.AnyTypes && is != rule.AnyTypes && was != 0 && is != 0
}

// enums gives two closed sets of which not both are single values.
func enums(p *rule.Pair) (was, is []any, ok bool) {
	was, one := p.Old.Enum()
	is, two := p.New.Enum()
	return was, is, one && two && len(was)+len(is) != 2
}

// beyond lists what a has and b has not.
func beyond(a, b []any) []any {
	in := map[string]bool{}
	for _, v := range b {
		in[rule.Canonical(v)] = true
	}
	var out []any
	for _, v := range a {
		if !in[rule.Canonical(v)] {
			out = append(out, v)
		}
	}
	return out
}

// maxValues bounds the changes reported of one set.
const maxValues = 50

func values(p *rule.Pair, which []any, what string) []rule.Hit {
	var out []rule.Hit
	for i, v := range which {
		if i == maxValues {
			return append(out, p.Hit(fmt.Sprintf("and %d more", len(which)-i), "enum", "const", "pattern"))
		}
		out = append(out, p.Hit(rule.Text(v)+" "+what, "enum", "const", "pattern"))
	}
	return out
}

func patterns(p *rule.Pair) (was, is []any) {
	for _, f := range p.Old.All("pattern") {
		was = append(was, f.Value)
	}
	for _, f := range p.New.All("pattern") {
		is = append(is, f.Value)
	}
	return was, is
}

// bound is one bound of the kinds that have one.
type bound struct {
	keyword, exclusive string
	types              rule.Types
	read               func(s *rule.Schema, keyword, exclusive string) rule.Limit
}

// inert reports whether no value of the schema feels the bound.
func (b bound) inert(s *rule.Schema) bool {
	counts := b.keyword == "minContains" || b.keyword == "maxContains"
	return s.Types()&b.types == 0 || counts && !s.Has("contains")
}

func upper() []bound {
	read := (*rule.Schema).Upper
	return []bound{{"maximum", "exclusiveMaximum", rule.Number, read}, {"maxLength", "", rule.String, read},
		{"maxItems", "", rule.Array, read}, {"maxContains", "", rule.Array, read}, {"maxProperties", "", rule.Object, read}}
}

func lower() []bound {
	read := (*rule.Schema).Lower
	return []bound{{"minimum", "exclusiveMinimum", rule.Number, read}, {"minLength", "", rule.String, read},
		{"minItems", "", rule.Array, read}, {"minContains", "", rule.Array, read}, {"minProperties", "", rule.Object, read}}
}

// bounds reports the bounds that moved the way that is asked for.
func bounds(p *rule.Pair, all []bound, moved func(was, is rule.Limit) bool) []rule.Hit {
	var out []rule.Hit
	for _, b := range all {
		was, is := b.read(p.Old, b.keyword, b.exclusive), b.read(p.New, b.keyword, b.exclusive)
		if !moved(was, is) {
			continue
		}
		keywords := []string{b.keyword}
		if b.exclusive != "" {
			keywords = append(keywords, b.exclusive)
		}
		hit := p.Hit(fmt.Sprintf("%s went from %s to %s", b.keyword, was, is), keywords...)
		hit.Inert = b.inert(p.Old) && b.inert(p.New)
		out = append(out, hit)
	}
	return out
}

// implies reports whether every multiple of all in a is one of all in b.
func implies(a, b []*big.Rat) bool {
	for _, want := range b {
		found := false
		for _, have := range a {
			found = found || new(big.Rat).Quo(have, want).IsInt()
		}
		if !found {
			return false
		}
	}
	return true
}

func divisors(all []*big.Rat) string {
	if len(all) == 0 {
		return "nothing"
	}
	text := ""
	for i, d := range all {
		if i > 0 {
			text += " and "
		}
		text += d.RatString()
	}
	return text
}

// flags reports that the second side alone calls a bound exclusive that it
// does not state: the older spelling, "exclusiveMaximum: true", without its
// "maximum".
func flags(less, more *rule.Schema, p *rule.Pair, keyword string) []rule.Hit {
	if less.Flag("x-"+keyword) || !more.Flag("x-"+keyword) {
		return nil
	}
	hit := p.Hit(keyword+" is true on one side, and there is no bound beside it", "x-"+keyword)
	hit.Inert = true
	return []rule.Hit{hit}
}

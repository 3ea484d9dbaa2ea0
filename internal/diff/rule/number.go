package rule

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// maxExponent bounds the numbers that are written out to be compared.
const maxExponent = 2000

// number reads a JSON number exactly; false for one of impossible size.
func number(v any) (*big.Rat, bool) {
	text, ok := v.(json.Number)
	if !ok {
		return nil, false
	}
	if _, exp, has := strings.Cut(strings.ToLower(string(text)), "e"); has {
		if n, err := strconv.Atoi(exp); err != nil || n > maxExponent || n < -maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(string(text))
}

// Limit is the tightest bound that a schema states on one side.
type Limit struct {
	Set       bool
	Value     *big.Rat
	Exclusive bool
	Keyword   string
	Text      string
}

// String writes the bound for a sentence.
func (l Limit) String() string {
	switch {
	case !l.Set:
		return "no limit"
	case l.Exclusive:
		return l.Text + " (exclusive)"
	}
	return l.Text
}

// Upper gives the tightest of upper bounds; the second keyword, where it is
// not empty, is the exclusive form.
func (s *Schema) Upper(keyword, exclusive string) Limit { return s.limit(keyword, exclusive, 1) }

// Lower is Upper for lower bounds.
func (s *Schema) Lower(keyword, exclusive string) Limit { return s.limit(keyword, exclusive, -1) }

func (s *Schema) limit(keyword, exclusive string, sign int) Limit {
	var out Limit
	take := func(name string, strict bool) {
		for _, f := range s.All(name) {
			n, ok := number(f.Value)
			if !ok {
				continue
			}
			one := Limit{true, n, strict, name, Text(f.Value)}
			if !out.Set || one.tighter(out, sign) {
				out = one
			}
		}
	}
	take(keyword, false)
	if exclusive != "" {
		take(exclusive, true)
	}
	return out
}

// Tighter reports whether l lets less through than o as an upper bound.
func (l Limit) tighter(o Limit, sign int) bool {
	if !l.Set || !o.Set {
		return l.Set && !o.Set
	}
	if c := l.Value.Cmp(o.Value) * sign; c != 0 {
		return c < 0
	}
	return l.Exclusive && !o.Exclusive
}

// TighterUpper reports whether l lets less through than o from above.
func (l Limit) TighterUpper(o Limit) bool { return l.tighter(o, 1) }

// TighterLower reports whether l lets less through than o from below.
func (l Limit) TighterLower(o Limit) bool { return l.tighter(o, -1) }

// Divisors gives what numbers must be multiples of.
func (s *Schema) Divisors() []*big.Rat {
	var out []*big.Rat
	for _, f := range s.All("multipleOf") {
		if n, ok := number(f.Value); ok && n.Sign() > 0 {
			out = append(out, n)
		}
	}
	return out
}

// Flag reports whether a keyword is true anywhere.
func (s *Schema) Flag(keyword string) bool {
	for _, f := range s.All(keyword) {
		if f.Value == true {
			return true
		}
	}
	return false
}

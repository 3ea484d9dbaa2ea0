package probe

import (
	"encoding/json"
	"math/big"
	"strconv"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// quote writes a text as JSON.
func quote(text string) json.RawMessage {
	raw, _ := interlock.Marshal(text) // a text always marshals
	return raw
}

// value gives one documented value of an argument; nil where the documentation
// has none to draw from.
func (r *reading) value(a *argument) json.RawMessage {
	if r.waits(a) {
		if levels := r.pauses(a); len(levels) > 0 {
			return levels[0]
		}
	}
	return a.shape.value(0)
}

func (s *shape) value(depth int) json.RawMessage {
	for _, from := range [][]json.RawMessage{s.examples, {s.preset}, s.values} {
		for _, v := range from {
			if len(v) > 0 && string(v) != "null" {
				return v
			}
		}
	}
	switch {
	case depth > maxDepth:
		return nil
	case s.is("boolean"):
		return json.RawMessage("false")
	case s.number():
		return s.drawNumber()
	case s.is("string"):
		return formats(s.format)
	case s.is("array") && s.items != nil:
		if v := s.items.value(depth + 1); v != nil {
			return append(append([]byte{'['}, v...), ']')
		}
	case s.is("object") || len(s.names) > 0:
		return s.drawObject(depth)
	}
	return nil
}

// drawNumber gives a number a quarter of the way between the bounds.
func (s *shape) drawNumber() json.RawMessage {
	if s.least == nil && s.most == nil {
		return nil
	}
	lo, hi := s.span()
	n := new(big.Rat).Add(lo, new(big.Rat).Mul(new(big.Rat).Sub(hi, lo), big.NewRat(1, 4)))
	if s.is("integer") {
		n = floor(n)
	}
	if !s.within(n) {
		return nil
	}
	return spell(n)
}

// span gives the bounds, one of them made up where it is missing.
func (s *shape) span() (lo, hi *big.Rat) {
	switch {
	case s.least != nil && s.most != nil:
		return s.least.at, s.most.at
	case s.least != nil:
		return s.least.at, new(big.Rat).Add(s.least.at, whole(4))
	case s.most != nil:
		return new(big.Rat).Sub(s.most.at, whole(4)), s.most.at
	}
	return whole(0), whole(4)
}

func floor(n *big.Rat) *big.Rat {
	q := new(big.Int)
	q.Div(n.Num(), n.Denom()) // Euclidean: rounds down, as the denominator is positive
	return new(big.Rat).SetInt(q)
}

func (s *shape) drawObject(depth int) json.RawMessage {
	out := []byte{'{'}
	for _, name := range s.required {
		m := s.members[name]
		if m == nil {
			return nil
		}
		v := m.value(depth + 1)
		if v == nil {
			return nil
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(name)...), ':'), v...)
	}
	return append(out, '}')
}

// formats gives a text of a format whose values mean nothing in particular;
// nil for others, identifiers among them: what they name has to exist.
func formats(format string) json.RawMessage {
	switch format {
	case "date-time":
		return json.RawMessage(`"2024-05-06T07:08:09Z"`)
	case "date":
		return json.RawMessage(`"2024-05-06"`)
	case "time":
		return json.RawMessage(`"07:08:09Z"`)
	case "email":
		return json.RawMessage(`"someone@example.org"`)
	case "uri", "url":
		return json.RawMessage(`"https://example.org/"`)
	case "hostname":
		return json.RawMessage(`"example.org"`)
	case "ipv4":
		return json.RawMessage(`"192.0.2.1"`)
	}
	return nil
}

// basis gives arguments that the documentation vouches for; reason says what it
// lacks.
func (r *reading) basis() (args arguments, reason string) {
	args = arguments{}
	for _, a := range r.args {
		if !a.required {
			continue
		}
		if _, ok := r.fixed[a.name]; ok {
			continue
		}
		v := r.value(a)
		if v == nil {
			return nil, "the documentation has no example, default, enum, format or bounds to draw " + a.pointer + " from"
		}
		args[a.name] = v
	}
	if !r.legal(args) {
		return nil, "the examples of the documentation break its own input schema"
	}
	return args, ""
}

// levels gives up to n distinct documented values of an argument, the one of
// the basis first.
func (r *reading) levels(a *argument, n int) []json.RawMessage {
	if r.waits(a) {
		return r.pauses(a)
	}
	out := append([]json.RawMessage(nil), a.examples...)
	switch {
	case len(a.values) > 0:
		out = append(out, a.values...)
	case a.is("boolean"):
		out = append(out, json.RawMessage("false"), json.RawMessage("true"))
	case a.number():
		out = append(out, a.numbers()...)
	case a.format == "date-time":
		out = append(out, quote("2024-05-06T07:08:09Z"), quote("2024-08-07T12:30:00Z"), quote("2025-01-02T23:59:58Z"))
	case a.format == "date":
		out = append(out, quote("2024-05-06"), quote("2024-08-07"), quote("2025-01-02"))
	}
	return distinct(out, n)
}

// numbers gives documented numbers of different size: the bounds, and what lies
// between.
func (s *shape) numbers() []json.RawMessage {
	var out []json.RawMessage
	put := func(n *big.Rat) {
		if s.is("integer") {
			n = floor(n)
		}
		if s.within(n) {
			out = append(out, spell(n))
		}
	}
	start := numberOf(s.value(0))
	if start == nil {
		return nil
	}
	for _, factor := range []*big.Rat{whole(1), whole(2), big.NewRat(1, 2), whole(3), big.NewRat(1, 3), whole(5)} {
		put(new(big.Rat).Mul(start, factor))
	}
	if s.most != nil {
		put(s.most.at)
	}
	if s.least != nil {
		put(s.least.at)
	}
	return out
}

// pauses gives up to three documented values that a tool can be asked to wait
// without keeping anybody: less than a second, or the one second that is the
// least it takes.
func (r *reading) pauses(a *argument) []json.RawMessage {
	per := a.second()
	if per == 0 {
		return nil
	}
	var out []json.RawMessage
	for _, wait := range []int64{100, 300, 900} { // thousandths of a second
		n := new(big.Rat).Mul(big.NewRat(wait, 1000), new(big.Rat).SetFloat64(per))
		if a.is("integer") && !n.IsInt() {
			continue
		}
		if a.within(n) {
			out = append(out, spell(n))
		}
	}
	if len(out) == 0 && a.least != nil && a.is("integer") && per == 1 && a.within(whole(1)) {
		out = append(out, json.RawMessage("1"))
	}
	return out
}

func distinct(values []json.RawMessage, n int) []json.RawMessage {
	var out []json.RawMessage
next:
	for _, v := range values {
		if len(v) == 0 || string(v) == "null" {
			continue
		}
		for _, had := range out {
			if rawjson.Equal(had, v) {
				continue next
			}
		}
		if out = append(out, v); len(out) == n {
			break
		}
	}
	return out
}

// stranger gives a well-formed value of an identifying argument that names
// nothing; nil where none can be made.
func (p *Prober) stranger(a *argument) json.RawMessage {
	switch {
	case a.format == "uuid":
		return quote(p.chance.uuid())
	case a.is("integer"):
		n := whole(int64(1_000_000_000 + p.chance.below(1_000_000_000)))
		if a.within(n) {
			return spell(n)
		}
		return nil
	}
	for _, example := range a.examples {
		if text, ok := rawjson.String(example); ok && text != "" {
			return quote(p.chance.like(text))
		}
	}
	if a.pattern != "" || a.format != "" {
		return nil
	}
	text := "q" + strconv.Itoa(100_000_000+p.chance.below(900_000_000)) + "x"
	if a.maxLength > 0 && len(text) > a.maxLength {
		return nil
	}
	return quote(text)
}

// outsider is a value that the documentation does not take.
type outsider struct {
	value json.RawMessage
	why   string
}

// outsiders gives values just outside the documentation of an argument, those
// of one side together, so that several can be tried of the side that gives.
func (a *argument) outsiders() [][]outsider {
	var out [][]outsider
	side := func(sign int64, b *bound, word string) {
		if b == nil {
			return
		}
		var these []outsider
		for _, step := range []int64{1, 2, 7} {
			n := new(big.Rat).Add(b.at, whole(sign*step))
			if b.open && step == 1 {
				n = b.at
			}
			these = append(these, outsider{spell(n), word})
		}
		out = append(out, these)
	}
	if a.number() {
		side(1, a.most, "above the documented maximum")
		side(-1, a.least, "below the documented minimum")
	}
	if len(a.values) > 0 && a.is("string") {
		out = append(out, words("outside the documented list", "zz-not-listed", "zz-nor-this", "zz-nor-that"))
	} else if text, ok := misformed[a.format]; ok && a.is("string") {
		out = append(out, words("not of the documented format "+a.format, text...))
	}
	return out
}

func words(why string, texts ...string) []outsider {
	var out []outsider
	for _, text := range texts {
		out = append(out, outsider{quote(text), why})
	}
	return out
}

// misformed gives texts that are not of a format.
var misformed = map[string][]string{
	"uuid":      {"not-a-uuid", "12345", "zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz"},
	"date-time": {"yesterday", "2024-13-45T99:99:99Z", "06/05/2024"},
	"date":      {"yesterday", "2024-13-45", "06/05/2024"},
	"email":     {"no-address", "@", "a b c"},
	"ipv4":      {"999.1.1.1", "here", "1.2"},
}

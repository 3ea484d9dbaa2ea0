// Package ucum reads units of the Unified Code for Units of Measure and
// converts between them. It knows terms, prefixes, exponents, annotations and
// the atoms that interfaces use; temperature scales convert by their offset.
//
// It promises that units convert exactly when their dimensions are the same,
// that factors are exact fractions (pi apart), and that "{}" annotations mean
// nothing. It refuses what it does not know instead of guessing, scales that
// are no multiple of a unit (pH, decibel) and texts over 64 bytes among it.
//
//	from, err := ucum.Parse("km/h")
//	to, err := ucum.Parse("m/s")
//	if from.Convertible(to) { v, err := from.Convert(big.NewRat(36, 1), to) }
//
// Source: the UCUM specification, table of units; figures are facts.
package ucum

import (
	"fmt"
	"math/big"
	"strings"
)

// The base dimensions, and one for units that are of no other's kind.
const (
	length = iota
	duration
	mass
	angle
	temperature
	charge
	luminosity
	arbitrary
	dimensions
)

// dimension holds the exponent of each base dimension.
type dimension [dimensions]int8

// Unit is a unit that was read. Its zero value is none.
type Unit struct {
	dim    dimension
	factor *big.Rat // of the base units
	offset *big.Rat // added before the factor is taken; nil but for a scale
	kind   string   // of an arbitrary unit, which is of its own kind alone
}

// Known reports that the unit was read.
func (u Unit) Known() bool { return u.factor != nil }

// Convertible reports whether values of one unit can be given in the other.
func (u Unit) Convertible(to Unit) bool {
	return u.Known() && to.Known() && u.dim == to.dim && u.kind == to.kind
}

// Convert gives a value of one unit in another.
func (u Unit) Convert(value *big.Rat, to Unit) (*big.Rat, error) {
	if !u.Convertible(to) {
		return nil, fmt.Errorf("ucum: the units are not of one kind")
	}
	v := new(big.Rat).Set(value)
	if u.offset != nil {
		v.Add(v, u.offset)
	}
	v.Mul(v, u.factor)
	v.Quo(v, to.factor)
	if to.offset != nil {
		v.Sub(v, to.offset)
	}
	return v, nil
}

// Convertible reports whether values in the one unit can be given in the other.
// Equal texts can, whatever they mean.
func Convertible(from, to string) bool {
	if from == to {
		return true
	}
	a, err := Parse(from)
	if err != nil {
		return false
	}
	b, err := Parse(to)
	return err == nil && a.Convertible(b)
}

// maxText bounds a unit's text, maxExponent what a unit may be raised to,
// maxNesting its brackets.
const (
	maxText     = 64
	maxExponent = 24
	maxNesting  = 8
)

// Parse reads a unit. The error says where the text is not one.
func Parse(text string) (Unit, error) {
	if text == "" || len(text) > maxText {
		return Unit{}, fmt.Errorf("ucum: a unit has 1 to %d bytes", maxText)
	}
	p := parser{text: text}
	u, err := p.term(0)
	if err == nil && p.at < len(text) {
		err = p.fail("nothing is expected")
	}
	if err != nil {
		return Unit{}, err
	}
	return u, nil
}

type parser struct {
	text string
	at   int
}

func (p *parser) fail(what string) error {
	return fmt.Errorf("ucum: %q, at byte %d: %s", p.text, p.at, what)
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// term is components joined by "." and "/".
func (p *parser) term(depth int) (Unit, error) {
	if depth > maxNesting {
		return Unit{}, p.fail("brackets are nested too deep")
	}
	all := one()
	divide := p.peek() == '/'
	if divide {
		p.at++
	}
	for {
		u, err := p.component(depth)
		if err != nil {
			return u, err
		}
		scale := u.offset != nil || all.offset != nil
		if divide {
			u = u.raised(-1)
		}
		joined := p.peek() == '.' || p.peek() == '/'
		if scale && (divide || joined || all.seen()) {
			return u, p.fail("a temperature scale stands alone")
		}
		if all, err = all.times(u); err != nil {
			return all, p.fail(err.Error())
		}
		if !joined {
			return all, nil
		}
		divide = p.peek() == '/'
		p.at++
	}
}

// seen reports whether anything was multiplied into a product yet.
func (u Unit) seen() bool { return u.dim != dimension{} || u.factor.Cmp(one().factor) != 0 }

func one() Unit { return Unit{factor: big.NewRat(1, 1)} }

// component is a unit with its exponent and annotation, a number, an annotation
// alone, or a term in brackets.
func (p *parser) component(depth int) (Unit, error) {
	if p.peek() == '(' {
		p.at++
		u, err := p.term(depth + 1)
		if err != nil {
			return u, err
		}
		if p.peek() != ')' {
			return u, p.fail("a closing bracket is expected")
		}
		p.at++
		return u, nil
	}
	if p.peek() == '{' {
		return one(), p.annotation()
	}
	u, err := p.simple()
	if err != nil {
		return u, err
	}
	if u, err = p.exponent(u); err != nil {
		return u, err
	}
	if p.peek() == '{' {
		err = p.annotation()
	}
	return u, err
}

func (p *parser) annotation() error {
	end := strings.IndexByte(p.text[p.at:], '}')
	if end < 0 {
		return p.fail("a closing brace is expected")
	}
	p.at += end + 1
	return nil
}

// simple is a number or an atom, with a prefix or without.
func (p *parser) simple() (Unit, error) {
	name := p.name()
	if name == "" {
		return Unit{}, p.fail("a unit is expected")
	}
	if n, ok := new(big.Int).SetString(name, 10); ok {
		if n.Sign() <= 0 || len(name) > 9 {
			return Unit{}, p.fail("a factor is a whole number of up to nine digits")
		}
		p.at += len(name)
		return Unit{factor: new(big.Rat).SetInt(n)}, nil
	}
	if u, ok := lookup(name); ok {
		p.at += len(name)
		return u, nil
	}
	return Unit{}, p.fail(fmt.Sprintf("%q is no unit that is known", name))
}

// name gives the longest text that could be an atom or a number: exponents,
// operators, annotations and brackets end it.
func (p *parser) name() string {
	rest := p.text[p.at:]
	for _, power := range []string{"10*", "10^"} {
		if strings.HasPrefix(rest, power) {
			return power
		}
	}
	if digits := len(rest) - len(strings.TrimLeft(rest, "0123456789")); digits > 0 {
		return rest[:digits]
	}
	square := false
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '[':
			square = true
		case c == ']':
			square = false
		case square:
		case strings.IndexByte("./(){}+-", c) >= 0, c >= '0' && c <= '9', c <= ' ', c > '~':
			return rest[:i]
		}
	}
	return rest
}

func (p *parser) exponent(u Unit) (Unit, error) {
	start := p.at
	if c := p.peek(); c == '+' || c == '-' {
		p.at++
	}
	n, digits := 0, 0
	for ; p.peek() >= '0' && p.peek() <= '9' && digits < 3; p.at++ {
		n = 10*n + int(p.peek()-'0')
		digits++
	}
	if digits == 0 {
		if p.at > start {
			return u, p.fail("an exponent is expected")
		}
		return u, nil
	}
	if n > maxExponent || u.offset != nil {
		return u, p.fail("the exponent is out of bounds, or stands on a scale")
	}
	if p.text[start] == '-' {
		n = -n
	}
	return u.raised(n), nil
}

// raised is a unit to a power.
func (u Unit) raised(n int) Unit {
	out := one()
	base := u.factor
	if n < 0 {
		base = new(big.Rat).Inv(base)
	}
	for range max(n, -n) {
		out.factor.Mul(out.factor, base)
	}
	for i, d := range u.dim {
		out.dim[i] = d * int8(n)
	}
	out.kind, out.offset = u.kind, u.offset
	return out
}

// times is the product of two units.
func (u Unit) times(o Unit) (Unit, error) {
	out := Unit{factor: new(big.Rat).Mul(u.factor, o.factor), offset: u.offset, kind: u.kind}
	if o.offset != nil {
		out.offset = o.offset
	}
	for i := range u.dim {
		sum := int(u.dim[i]) + int(o.dim[i])
		if sum > 100 || sum < -100 {
			return out, fmt.Errorf("the exponents are out of bounds")
		}
		out.dim[i] = int8(sum)
	}
	switch {
	case o.kind == "" || o.kind == u.kind:
	case u.kind == "":
		out.kind = o.kind
	default:
		out.kind = u.kind + "\x00" + o.kind
	}
	return out, nil
}

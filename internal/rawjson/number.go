package rawjson

import (
	"bytes"
	"strconv"
)

// maxExponent is the largest limit on exponents, so that sums of an exponent
// and a length never overflow.
const maxExponent = 1_000_000_000

// number reads the number at i by JSON's grammar and the limits.
func (c *checker) number(start int) (int, *fault) {
	i := start
	if c.text[i] == '-' {
		i++
	}
	digits := i
	if i = skipDigits(c.text, i); i == digits {
		return i, c.unexpected(i, "a digit")
	}
	if c.text[digits] == '0' && i > digits+1 {
		return i, c.fault(FaultSyntax, digits, "a number must not begin with a superfluous zero")
	}
	count := i - digits
	if peek(c.text, i) == '.' {
		fraction := i + 1
		if i = skipDigits(c.text, fraction); i == fraction {
			return i, c.unexpected(i, "a digit after the decimal point")
		}
		count += i - fraction
	}
	if count > c.limits.NumberDigits {
		return i, c.fault(FaultNumber, start, "the number has %d digits; at most %d are accepted", count, c.limits.NumberDigits)
	}
	if b := peek(c.text, i); b == 'e' || b == 'E' {
		return c.exponent(start, i+1)
	}
	return i, nil
}

func (c *checker) exponent(start, i int) (int, *fault) {
	if b := peek(c.text, i); b == '+' || b == '-' {
		i++
	}
	if !isDigit(peek(c.text, i)) {
		return i, c.unexpected(i, "a digit of the exponent")
	}
	size := 0
	for ; isDigit(peek(c.text, i)); i++ {
		size = min(size*10+int(c.text[i]-'0'), maxExponent+1)
	}
	if size > c.limits.Exponent {
		return i, c.fault(FaultNumber, start, "the exponent of the number is larger than %d", c.limits.Exponent)
	}
	return i, nil
}

func skipDigits(text []byte, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}

// decimal is the number digits × 10^exponent, where digits begin and end with
// something other than zero; no digits are the number zero.
type decimal struct {
	negative bool
	digits   []byte
	exponent int64
}

// decimalOf reads a number that passed Check, using room for its digits. It
// gives up, with false, on exponents that no Check lets pass.
func decimalOf(text, room []byte) (decimal, bool) {
	var d decimal
	mantissa, exponent := text, []byte("0")
	if at := bytes.IndexAny(text, "eE"); at >= 0 {
		mantissa, exponent = text[:at], text[at+1:]
	}
	power, err := strconv.ParseInt(string(exponent), 10, 64)
	if err != nil || power > maxExponent || power < -maxExponent {
		return d, false
	}
	mantissa, d.negative = bytes.CutPrefix(mantissa, []byte("-"))
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	digits := append(append(room, whole...), fraction...)
	d.digits = bytes.TrimRight(digits, "0")
	d.exponent = power - int64(len(fraction)) + int64(len(digits)-len(d.digits))
	d.digits = bytes.TrimLeft(d.digits, "0")
	return d, true
}

// equalNumbers compares by value: 1.0 is 1, 1e2 is 100 and -0 is 0.
func equalNumbers(a, b []byte) bool {
	var roomA, roomB [48]byte
	x, okX := decimalOf(a, roomA[:0])
	y, okY := decimalOf(b, roomB[:0])
	switch {
	case !okX || !okY:
		return false
	case len(x.digits) == 0 || len(y.digits) == 0:
		return len(x.digits) == len(y.digits)
	}
	return x.negative == y.negative && x.exponent == y.exponent && string(x.digits) == string(y.digits)
}

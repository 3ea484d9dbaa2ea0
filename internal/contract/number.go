package contract

import (
	"fmt"
	"strconv"
	"strings"
)

// maxExponent bounds the decimal exponent of a number that is hashed.
const maxExponent = 1_000_000_000

// decimal is a number as ±0.digits × 10^point: digits has no zero at either
// end and is empty for zero.
type decimal struct {
	negative bool
	digits   string
	point    int
}

// parseDecimal reads the JSON spelling of a number exactly.
func parseDecimal(spelling string) (decimal, error) {
	rest, negative := strings.CutPrefix(spelling, "-")
	mantissa, exponent := rest, 0
	huge := false
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa = rest[:i]
		n, err := strconv.Atoi(strings.TrimPrefix(rest[i+1:], "+"))
		exponent, huge = n, err != nil || n > maxExponent || n < -maxExponent
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	kept := strings.TrimLeft(all, "0")
	point := len(whole) - (len(all) - len(kept)) + exponent
	kept = strings.TrimRight(kept, "0")
	if kept == "" {
		return decimal{}, nil
	}
	if huge {
		return decimal{}, fmt.Errorf("number %.40s: exponent over %d", spelling, maxExponent)
	}
	return decimal{negative, kept, point}, nil
}

// String lays the number out as RFC 8785 lays out a double, over all of its
// digits instead of the few that a double needs. Where a double's shortest
// form has the value of the text both are the same; where it does not
// (9007199254740993, 1e400, 2^63) this is the exact decimal. One value has one
// form, and two values never share one.
func (d decimal) String() string {
	if d.digits == "" {
		return "0"
	}
	var b strings.Builder
	if d.negative {
		b.WriteByte('-')
	}
	count := len(d.digits)
	switch {
	case count <= d.point && d.point <= 21:
		b.WriteString(d.digits)
		b.WriteString(strings.Repeat("0", d.point-count))
	case 0 < d.point && d.point <= 21:
		b.WriteString(d.digits[:d.point] + "." + d.digits[d.point:])
	case -6 < d.point && d.point <= 0:
		b.WriteString("0." + strings.Repeat("0", -d.point) + d.digits)
	default:
		b.WriteByte(d.digits[0])
		if count > 1 {
			b.WriteString("." + d.digits[1:])
		}
		fmt.Fprintf(&b, "e%+d", d.point-1)
	}
	return b.String()
}

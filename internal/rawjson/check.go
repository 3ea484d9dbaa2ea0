package rawjson

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Limits bound what Check accepts. A field that is zero or less takes its
// default.
type Limits struct {
	Bytes        int // length of the text; default 10 MiB
	Depth        int // objects and arrays within each other; default 64, never over MaxDepth
	NumberDigits int // digits of a number before its exponent; default 1000
	Exponent     int // magnitude of a number's exponent; default 10000, never over 10^9
}

func (l Limits) withDefaults() Limits {
	for _, field := range []struct {
		value *int
		def   int
	}{
		{&l.Bytes, 10 << 20}, {&l.Depth, 64}, {&l.NumberDigits, 1000}, {&l.Exponent, 10_000},
	} {
		if *field.value <= 0 {
			*field.value = field.def
		}
	}
	l.Depth = min(l.Depth, MaxDepth)
	l.Exponent = min(l.Exponent, maxExponent)
	return l
}

// Check reports whether text is exactly one JSON value, by the rules in the
// package comment and inside the limits. Its error is an [*Error]. It reads
// the text once and allocates nothing for ordinary objects.
func Check(text []byte, limits Limits) error {
	limits = limits.withDefaults()
	c := checker{text: text, limits: limits}
	if f := c.document(); f != nil {
		return f.asError()
	}
	return nil
}

type checker struct {
	text   []byte
	limits Limits
	names  names
}

func (c *checker) document() *fault {
	if len(c.text) > c.limits.Bytes {
		return c.fault(FaultSize, c.limits.Bytes, "the text has %d bytes; at most %d are accepted", len(c.text), c.limits.Bytes)
	}
	end, f := c.value(skipSpace(c.text, 0), 1)
	if f != nil {
		return f
	}
	if end = skipSpace(c.text, end); end < len(c.text) {
		return c.unexpected(end, "the end, since the value is complete")
	}
	return nil
}

// value reads the value at i; depth is what it would have as a container.
func (c *checker) value(i, depth int) (int, *fault) {
	if i == len(c.text) {
		return i, c.unexpected(i, "a value")
	}
	switch b := c.text[i]; {
	case b == '"':
		end, _, f := c.str(i)
		return end, f
	case b == '{' || b == '[':
		if depth > c.limits.Depth {
			return i, c.fault(FaultDepth, i, "nested deeper than %d", c.limits.Depth)
		}
		if b == '{' {
			return c.object(i, depth)
		}
		return c.array(i, depth)
	case b == '-' || isDigit(b):
		return c.number(i)
	case b == 't':
		return c.literal(i, "true")
	case b == 'f':
		return c.literal(i, "false")
	case b == 'n':
		return c.literal(i, "null")
	}
	return i, c.unexpected(i, "a value")
}

func (c *checker) literal(i int, word string) (int, *fault) {
	for k := range len(word) {
		if peek(c.text, i+k) != word[k] {
			return i, c.unexpected(min(i+k, len(c.text)), "the literal "+word)
		}
	}
	return i + len(word), nil
}

func (c *checker) array(i, depth int) (int, *fault) {
	i = skipSpace(c.text, i+1)
	if peek(c.text, i) == ']' {
		return i + 1, nil
	}
	for n := 0; ; n++ {
		end, f := c.value(i, depth+1)
		if f != nil {
			return i, f.within(strconv.Itoa(n))
		}
		i = skipSpace(c.text, end)
		switch peek(c.text, i) {
		case ',':
			i = skipSpace(c.text, i+1)
		case ']':
			return i + 1, nil
		default:
			return i, c.unexpected(i, `"," or "]"`)
		}
	}
}

func (c *checker) object(i, depth int) (int, *fault) {
	i = skipSpace(c.text, i+1)
	if peek(c.text, i) == '}' {
		return i + 1, nil
	}
	members := members{base: c.names.count}
	for {
		end, f := c.member(i, depth, &members)
		if f != nil {
			return i, f
		}
		i = skipSpace(c.text, end)
		switch peek(c.text, i) {
		case ',':
			i = skipSpace(c.text, i+1)
		case '}':
			c.names.cut(members.base)
			return i + 1, nil
		default:
			return i, c.unexpected(i, `"," or "}"`)
		}
	}
}

// member reads a name, the colon and the value.
func (c *checker) member(i, depth int, members *members) (int, *fault) {
	if peek(c.text, i) != '"' {
		return i, c.unexpected(i, "a member name in quotes")
	}
	end, escaped, f := c.str(i)
	if f != nil {
		return i, f
	}
	name := c.text[i+1 : end-1]
	if escaped {
		name, _ = unescape(nil, name)
	}
	if !c.names.add(members, name) {
		return i, c.fault(FaultDuplicate, i, "the member name stands in this object already").within(string(name))
	}
	colon := skipSpace(c.text, end)
	if peek(c.text, colon) != ':' {
		return i, c.unexpected(colon, `":"`).within(string(name))
	}
	end, f = c.value(skipSpace(c.text, colon+1), depth+1)
	if f != nil {
		return i, f.within(string(name))
	}
	return end, nil
}

// str reads the string whose opening quote is at i.
func (c *checker) str(i int) (end int, escaped bool, f *fault) {
	for i++; ; {
		i = skipPlain(c.text, i)
		switch b := peek(c.text, i); {
		case b == '"':
			return i + 1, escaped, nil
		case b == '\\':
			escaped = true
			if i, f = c.escape(i); f != nil {
				return i, true, f
			}
		case b >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(c.text[i:])
			if r == utf8.RuneError && size == 1 {
				return i, escaped, c.fault(FaultUTF8, i, "the byte 0x%02x is no UTF-8", b)
			}
			i += size
		case i == len(c.text):
			return i, escaped, c.unexpected(i, "the closing quote of a string")
		default:
			return i, escaped, c.fault(FaultSyntax, i, "the control character 0x%02x must be escaped in a string", b)
		}
	}
}

// escape reads one escape sequence, or both halves of a surrogate pair.
func (c *checker) escape(i int) (int, *fault) {
	switch peek(c.text, i+1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil
	case 'u':
		if _, ok := hex4(c.text, i+2); !ok {
			return i, c.fault(FaultSyntax, i, `\u must be followed by four hexadecimal digits`)
		}
		_, size, ok := unicodeEscape(c.text, i)
		if !ok {
			return i, c.fault(FaultUTF8, i, "half a surrogate pair stands alone")
		}
		return i + size, nil
	}
	return i, c.fault(FaultSyntax, i, `a backslash must be followed by one of " \ / b f n r t u`)
}

func (c *checker) fault(kind Fault, offset int, format string, args ...any) *fault {
	return &fault{kind: kind, offset: offset, message: fmt.Sprintf(format, args...)}
}

func (c *checker) unexpected(i int, want string) *fault {
	if i == len(c.text) {
		return c.fault(FaultSyntax, i, "the text ends where %s was expected", want)
	}
	return c.fault(FaultSyntax, i, "expected %s, found %q", want, c.text[i])
}

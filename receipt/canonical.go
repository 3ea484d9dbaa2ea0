package receipt

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gowebpki/jcs"

	"github.com/seed-ae386458/interlock"
)

// MaxBody is the most bytes a body may have.
const MaxBody = 1 << 20

// maxInteger is the greatest whole number that every JSON reader takes exactly.
const maxInteger = "9007199254740991"

// Canonical gives the RFC 8785 form of a body: an object of strings, integers
// within ±(2^53-1), decimals of at most 15 digits, booleans, and arrays and
// objects of those. Anything else has no one spelling that every reader agrees
// on, and is refused.
func Canonical(body any) (json.RawMessage, error) {
	if d, ok := body.(direct); ok {
		if text, done := d.appendCanonical(make([]byte, 0, 1024)); done {
			return text, nil
		}
	}
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		return nil, bodyError(err.Error())
	}
	text := bytes.TrimRight(buffer.Bytes(), "\n")
	if len(text) > MaxBody {
		return nil, bodyError(fmt.Sprintf("it has %d bytes, more than %d", len(text), MaxBody))
	}
	if len(text) == 0 || text[0] != '{' {
		return nil, bodyError("it is no JSON object")
	}
	if err := checkPlain(text); err != nil {
		return nil, err
	}
	canonical, err := jcs.Transform(text)
	if err != nil {
		return nil, bodyError(err.Error())
	}
	return canonical, nil
}

func bodyError(what string) error {
	return &interlock.Error{Code: interlock.CodeInternal, Reason: interlock.ReasonInternal, Stage: stage,
		Err: fmt.Errorf("the body of a log entry is refused: %s", what)}
}

// checkPlain looks through valid JSON text for null and for numbers that not
// every reader takes exactly.
func checkPlain(text []byte) error {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i = endOfString(text, i)
		case c == 'n':
			return bodyError(fmt.Sprintf("it holds null at byte %d; leave the member out", i))
		case c == '-' || c >= '0' && c <= '9':
			end := endOfNumber(text, i)
			if !plainInteger(text[i:end]) && !plainDecimal(text[i:end]) {
				return bodyError(fmt.Sprintf("it holds the number %s at byte %d; write it as a string", text[i:end], i))
			}
			i = end
		default:
			i++
		}
	}
	return nil
}

// endOfString gives the place after the string that begins at i.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func endOfNumber(text []byte, i int) int {
	for i < len(text) && bytes.IndexByte([]byte("+-.eE0123456789"), text[i]) >= 0 {
		i++
	}
	return i
}

// plainInteger reports whether a JSON number is an integer within
// ±(2^53-1) in its only spelling.
func plainInteger(number []byte) bool {
	if bytes.ContainsAny(number, ".eE") || string(number) == "-0" {
		return false
	}
	digits := bytes.TrimPrefix(number, []byte("-"))
	return len(digits) < len(maxInteger) || len(digits) == len(maxInteger) && string(digits) <= maxInteger
}

// plainDecimal reports whether a JSON number is a decimal fraction that a double
// holds to the last digit and writes in this spelling alone: 15 digits at most,
// none of them a zero at the end, and no smaller than 10^-6.
func plainDecimal(number []byte) bool {
	whole, fraction, ok := bytes.Cut(bytes.TrimPrefix(number, []byte("-")), []byte("."))
	if !ok || bytes.ContainsAny(fraction, ".eE+-") || len(fraction) == 0 || fraction[len(fraction)-1] == '0' {
		return false
	}
	if string(whole) == "0" {
		digits := bytes.TrimLeft(fraction, "0")
		return len(fraction)-len(digits) < 6 && len(digits) <= 15
	}
	return len(whole)+len(fraction) <= 15
}

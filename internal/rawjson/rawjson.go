// Package rawjson handles JSON text byte for byte, so that numbers and
// strings keep the spelling their author gave them: 9007199254740993, 1e400,
// -0 and 1.10 go in and come out unchanged.
//
// It promises that [Check] accepts exactly the texts that are one JSON value
// in valid UTF-8, without unpaired surrogate escapes, without a member name
// given twice, and inside the limits; that [Project] and [Compact] copy every
// token they keep as it was spelled, in the order of the source; and that
// [Equal] compares by exact value. No number ever becomes a float.
//
// It refuses to repair: what Check does not accept is an [*Error] that points
// at the place. All other functions expect text that passed Check; on
// anything else they never panic and never read past its end, and what they
// answer says nothing. Slices that they return are parts of the text they
// were given, not copies.
//
//	if err := rawjson.Check(text, rawjson.Limits{}); err != nil { … }
//	city, ok := rawjson.At(text, "/address/city")
package rawjson

// MaxDepth is the deepest nesting that any function here follows, whatever
// limit is asked for.
const MaxDepth = 10_000

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of value. KindInvalid is what no JSON value starts as.
const (
	KindInvalid Kind = iota
	KindNull
	KindFalse
	KindTrue
	KindNumber
	KindString
	KindArray
	KindObject
)

// String names the kind as JSON Schema would, and the three literals as JSON
// spells them.
func (k Kind) String() string {
	switch k {
	case KindNull:
		return "null"
	case KindFalse:
		return "false"
	case KindTrue:
		return "true"
	case KindNumber:
		return "number"
	case KindString:
		return "string"
	case KindArray:
		return "array"
	case KindObject:
		return "object"
	}
	return "invalid"
}

// KindOf tells the kind of the value that text holds by its first byte.
func KindOf(text []byte) Kind {
	i := skipSpace(text, 0)
	if i == len(text) {
		return KindInvalid
	}
	switch c := text[i]; {
	case c == '{':
		return KindObject
	case c == '[':
		return KindArray
	case c == '"':
		return KindString
	case c == '-' || isDigit(c):
		return KindNumber
	case c == 't':
		return KindTrue
	case c == 'f':
		return KindFalse
	case c == 'n':
		return KindNull
	}
	return KindInvalid
}

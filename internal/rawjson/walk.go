package rawjson

import (
	"iter"
	"strconv"
)

// Member is the value of the member so named, where text is an object that
// has it.
func Member(text []byte, name string) (raw []byte, ok bool) {
	eachMember(text, func(quoted, value []byte) bool {
		if ok = nameIs(quoted, name); ok {
			raw = value
		}
		return !ok
	})
	return raw, ok
}

// Members goes through the members of an object in the order of the text,
// names unescaped. Anything else has none.
func Members(text []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		eachMember(text, func(quoted, value []byte) bool {
			return yield(nameOf(quoted), value)
		})
	}
}

// Spelled goes through the members of an object with their names as they are
// spelled, quotes and all. Anything else has none.
func Spelled(text []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(quoted, value []byte) bool) { eachMember(text, yield) }
}

// Elements goes through the elements of an array with their positions.
// Anything else has none.
func Elements(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		i := skipSpace(text, 0)
		if peek(text, i) != '[' {
			return
		}
		i = skipSpace(text, i+1)
		for n := 0; i < len(text) && text[i] != ']'; n++ {
			end := skipValue(text, i)
			if end == i || !yield(n, text[i:end:end]) {
				return
			}
			i = skipComma(text, end)
		}
	}
}

// At is the value that an RFC 6901 pointer leads to. The empty pointer leads
// to the whole value.
func At(text []byte, pointer string) ([]byte, bool) {
	names, ok := Split(pointer)
	if !ok {
		return nil, false
	}
	text = trimmed(text)
	for _, name := range names {
		switch peek(text, 0) {
		case '{':
			text, ok = Member(text, name)
		case '[':
			text, ok = element(text, name)
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
	}
	return text, len(text) > 0
}

// element is the array element at a position, spelled without superfluous
// zeros.
func element(text []byte, position string) ([]byte, bool) {
	want, err := strconv.Atoi(position)
	if err != nil || strconv.Itoa(want) != position {
		return nil, false
	}
	for n, value := range Elements(text) {
		if n == want {
			return value, true
		}
	}
	return nil, false
}

// eachMember calls visit with each name, in its quotes, and value of an
// object, until visit has enough.
func eachMember(text []byte, visit func(quoted, value []byte) bool) {
	i := skipSpace(text, 0)
	if peek(text, i) != '{' {
		return
	}
	i = skipSpace(text, i+1)
	for peek(text, i) == '"' {
		name, value := memberAt(text, i)
		end := skipValue(text, value)
		if name == nil || end == value || !visit(name, text[value:end:end]) {
			return
		}
		i = skipComma(text, end)
	}
}

// memberAt reads the name at i, with its quotes, and finds its value. The name
// is nil where none is.
func memberAt(text []byte, i int) (quoted []byte, value int) {
	end := skipString(text, i)
	colon := skipSpace(text, end)
	if end-i < 2 || text[end-1] != '"' || peek(text, colon) != ':' {
		return nil, len(text)
	}
	return text[i:end:end], skipSpace(text, colon+1)
}

// skipComma steps from the end of one value to the next, or to whatever else
// follows.
func skipComma(text []byte, i int) int {
	i = skipSpace(text, i)
	if peek(text, i) == ',' {
		i = skipSpace(text, i+1)
	}
	return i
}

package rawjson

// Filter appends to dst the text without the elements that keep refuses, of
// every list that the way leads to; "*" stands for every element of a list and
// every member of an object. What stands there and is no list is refused as a
// whole: a member is left out, and anything else becomes null. Every token kept
// is spelled and ordered as in the source. It gives how many were left out.
func Filter(dst, text []byte, way []string, keep func(element []byte) bool) (out []byte, left int) {
	f := filter{keep: keep}
	out, ok := f.value(dst, trimmed(text), way)
	if !ok {
		out = append(dst, "null"...)
	}
	return out, f.left
}

type filter struct {
	keep func(element []byte) bool
	left int
}

// value appends a value; false where nothing of it stays.
func (f *filter) value(dst, text []byte, way []string) ([]byte, bool) {
	switch kind := KindOf(text); {
	case len(way) == 0 && kind == KindArray:
		return f.list(dst, text), true
	case len(way) == 0:
		f.left++
		return dst, false
	case kind == KindObject:
		return f.object(dst, text, way), true
	case kind == KindArray && way[0] == "*":
		return f.elements(dst, text, way[1:]), true
	}
	return append(dst, text...), true
}

// list appends the elements that are kept.
func (f *filter) list(dst, text []byte) []byte {
	separator := byte('[')
	for _, element := range Elements(text) {
		if !f.keep(element) {
			f.left++
			continue
		}
		dst = append(append(dst, separator), element...)
		separator = ','
	}
	if separator == '[' {
		dst = append(dst, '[')
	}
	return append(dst, ']')
}

// elements goes on in every element.
func (f *filter) elements(dst, text []byte, way []string) []byte {
	dst = append(dst, '[')
	for i, element := range Elements(text) {
		if i > 0 {
			dst = append(dst, ',')
		}
		var ok bool
		if dst, ok = f.value(dst, element, way); !ok {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, ']')
}

// object goes on in the member that the way names, or in all.
func (f *filter) object(dst, text []byte, way []string) []byte {
	separator := byte('{')
	for quoted, value := range Spelled(text) {
		at := len(dst)
		dst = append(append(append(dst, separator), quoted...), ':')
		ok := true
		if way[0] == "*" || nameIs(quoted, way[0]) {
			dst, ok = f.value(dst, value, way[1:])
		} else {
			dst = append(dst, value...)
		}
		if !ok {
			dst = dst[:at]
			continue
		}
		separator = ','
	}
	if separator == '{' {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

// Put gives an object with one more member, spelled before the others, which
// it must not have yet.
func Put(object []byte, name, value []byte) []byte {
	inner := trimmed(object)[1:]
	out := append(append(append([]byte{'{'}, name...), ':'), value...)
	if peek(inner, skipSpace(inner, 0)) != '}' {
		out = append(out, ',')
	}
	return append(out, inner...)
}

package rawjson

// Equal reports whether two texts hold the same value: numbers by their exact
// decimal value, strings by what they spell, objects without regard to the
// order of members. Invalid text, or text nested deeper than MaxDepth, equals
// nothing.
func Equal(a, b []byte) bool {
	e := equality{a: a, b: b}
	_, _, same := e.values(skipSpace(a, 0), skipSpace(b, 0), 0)
	return same
}

// equality walks two texts side by side. Its methods take positions in both
// and give those after what they compared, which count only when it was the
// same.
type equality struct{ a, b []byte }

func (e equality) values(i, j, depth int) (endA, endB int, same bool) {
	first := peek(e.a, i)
	switch {
	case depth > MaxDepth:
		return i, j, false
	case first == '[' && peek(e.b, j) == '[':
		return e.arrays(i, j, depth)
	case first == '{' && peek(e.b, j) == '{':
		return e.objects(i, j, depth)
	case first == '[' || first == '{':
		return i, j, false
	}
	endA, endB = skipValue(e.a, i), skipValue(e.b, j)
	return endA, endB, equalScalars(e.a[i:endA], e.b[j:endB])
}

func equalScalars(a, b []byte) bool {
	kind := KindOf(a)
	switch {
	case kind != KindOf(b) || kind == KindInvalid:
		return false
	case string(a) == string(b):
		return true
	case kind == KindNumber:
		return equalNumbers(a, b)
	case kind == KindString:
		return equalStrings(a, b)
	}
	return false
}

func equalStrings(a, b []byte) bool {
	if string(a) == string(b) {
		return true
	}
	x, okX := String(a)
	y, okY := String(b)
	return okX && okY && x == y
}

func (e equality) arrays(i, j, depth int) (endA, endB int, same bool) {
	i, j = skipSpace(e.a, i+1), skipSpace(e.b, j+1)
	for i < len(e.a) && j < len(e.b) && e.a[i] != ']' && e.b[j] != ']' {
		if endA, endB, same = e.values(i, j, depth+1); !same {
			return i, j, false
		}
		i, j = skipComma(e.a, endA), skipComma(e.b, endB)
	}
	return i + 1, j + 1, peek(e.a, i) == ']' && peek(e.b, j) == ']'
}

// objects goes side by side as long as the names do.
func (e equality) objects(i, j, depth int) (endA, endB int, same bool) {
	i, j = skipSpace(e.a, i+1), skipSpace(e.b, j+1)
	for peek(e.a, i) == '"' && peek(e.b, j) == '"' {
		nameA, valueA := memberAt(e.a, i)
		nameB, valueB := memberAt(e.b, j)
		if nameA == nil || nameB == nil {
			return i, j, false
		}
		if !equalStrings(nameA, nameB) {
			return e.unordered(i, j, depth)
		}
		if endA, endB, same = e.values(valueA, valueB, depth+1); !same {
			return i, j, false
		}
		i, j = skipComma(e.a, endA), skipComma(e.b, endB)
	}
	return i + 1, j + 1, peek(e.a, i) == '}' && peek(e.b, j) == '}'
}

// unordered compares the members from i and from j on.
func (e equality) unordered(i, j, depth int) (endA, endB int, same bool) {
	wanted := map[string]int{} // where the value of each name of b begins
	for peek(e.b, j) == '"' {
		name, value := memberAt(e.b, j)
		if name == nil {
			return i, j, false
		}
		wanted[nameOf(name)] = value
		j = skipComma(e.b, skipValue(e.b, value))
	}
	for peek(e.a, i) == '"' {
		quoted, value := memberAt(e.a, i)
		if quoted == nil {
			return i, j, false
		}
		name := nameOf(quoted)
		other, ok := wanted[name]
		if !ok {
			return i, j, false
		}
		if endA, _, same = e.values(value, other, depth+1); !same {
			return i, j, false
		}
		delete(wanted, name)
		i = skipComma(e.a, endA)
	}
	return i + 1, j + 1, len(wanted) == 0 && peek(e.a, i) == '}' && peek(e.b, j) == '}'
}

package rawjson

import (
	"iter"
	"strconv"
	"unicode/utf8"
)

// Rewrite copies a text with the inside of each string as change gives it.
// Whatever change gives back as it got it, and the names of members, keep their
// spelling. The text is taken to be well formed; at gives the pointer to the
// string.
func Rewrite(text []byte, change func(at func() string, inner []byte) []byte) []byte {
	w := rewriter{text: text, change: change}
	w.value(skipSpace(text, 0))
	return append(w.out, text[w.kept:]...)
}

type rewriter struct {
	text   []byte
	out    []byte // of the text up to kept
	kept   int
	path   []string
	change func(at func() string, inner []byte) []byte
}

// value steps over the value at i.
func (w *rewriter) value(i int) int {
	switch peek(w.text, i) {
	case '"':
		return w.quoted(i)
	case '{':
		return w.members(skipSpace(w.text, i+1))
	case '[':
		return w.elements(skipSpace(w.text, i+1))
	}
	return skipValue(w.text, i)
}

func (w *rewriter) quoted(i int) int {
	end := skipString(w.text, i)
	if end-i < 2 {
		return end
	}
	inner := w.text[i+1 : end-1 : end-1]
	now := w.change(func() string { return Join("", w.path...) }, inner)
	if string(now) != string(inner) {
		w.out = append(append(w.out, w.text[w.kept:i+1]...), now...)
		w.kept = end - 1
	}
	return end
}

func (w *rewriter) members(i int) int {
	for peek(w.text, i) == '"' {
		quoted, at := memberAt(w.text, i)
		if quoted == nil {
			return len(w.text)
		}
		w.path = append(w.path, nameOf(quoted))
		i = skipComma(w.text, w.value(at))
		w.path = w.path[:len(w.path)-1]
	}
	return min(i+1, len(w.text))
}

func (w *rewriter) elements(i int) int {
	for n := 0; i < len(w.text) && w.text[i] != ']'; n++ {
		w.path = append(w.path, strconv.Itoa(n))
		end := w.value(i)
		w.path = w.path[:len(w.path)-1]
		if end == i {
			return len(w.text)
		}
		i = skipComma(w.text, end)
	}
	return min(i+1, len(w.text))
}

// Runes goes through the characters of the inside of a string, each with its
// spelling. What spells none (half a surrogate pair, bytes that are no UTF-8) is
// utf8.RuneError.
func Runes(inner []byte) iter.Seq2[rune, []byte] {
	return func(yield func(rune, []byte) bool) {
		for i := 0; i < len(inner); {
			r, size := utf8.DecodeRune(inner[i:])
			if inner[i] == '\\' {
				var ok bool
				if r, size, ok = escaped(inner, i); !ok {
					r, size = utf8.RuneError, 2
					if peek(inner, i+1) == 'u' {
						size = 6
					}
				}
			}
			end := min(i+size, len(inner))
			if !yield(r, inner[i:end:end]) {
				return
			}
			i = end
		}
	}
}

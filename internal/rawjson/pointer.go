package rawjson

import "strings"

// EscapeToken spells a member name as a reference token of RFC 6901.
func EscapeToken(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// UnescapeToken gives the member name that a reference token spells, and
// false for a "~" that is followed by neither 0 nor 1.
func UnescapeToken(token string) (string, bool) {
	if !strings.Contains(token, "~") {
		return token, true
	}
	for i := range len(token) {
		if token[i] == '~' && !strings.HasPrefix(token[i+1:], "0") && !strings.HasPrefix(token[i+1:], "1") {
			return "", false
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"), true
}

// Join is the pointer that goes on from pointer by the names, which it
// escapes. The pointer to the whole text is empty.
func Join(pointer string, names ...string) string {
	if len(names) == 0 {
		return pointer
	}
	var b strings.Builder
	b.WriteString(pointer)
	for _, name := range names {
		b.WriteByte('/')
		b.WriteString(EscapeToken(name))
	}
	return b.String()
}

// Split gives the names that a pointer goes by, and false for text that is no
// pointer.
func Split(pointer string) ([]string, bool) {
	if pointer == "" {
		return nil, true
	}
	if pointer[0] != '/' {
		return nil, false
	}
	names := strings.Split(pointer[1:], "/")
	for i, token := range names {
		name, ok := UnescapeToken(token)
		if !ok {
			return nil, false
		}
		names[i] = name
	}
	return names, true
}

package httpcall

import "strings"

// Headers that no argument sets: they frame the message, carry credentials,
// name the caller, or change which operation runs.
const protected = " accept accept-encoding authorization connection content-encoding content-length content-type cookie" +
	" expect forwarded host keep-alive set-cookie te trailer transfer-encoding upgrade via x-real-ip" +
	" x-http-method x-http-method-override x-method-override "

// Headers that not even the operator sets: they belong to the connection.
const connectionOwn = " accept-encoding connection content-encoding content-length expect host keep-alive te trailer" +
	" transfer-encoding upgrade "

func listed(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }

// ProtectedHeader reports whether a header is never set from arguments,
// whatever an operation declares.
func ProtectedHeader(name string) bool {
	name = strings.ToLower(name)
	return listed(protected, name) || strings.HasPrefix(name, "proxy-") || strings.HasPrefix(name, "x-forwarded-") || strings.HasPrefix(name, "sec-")
}

// isToken reports whether text is a token of RFC 9110.
func isToken(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return text != ""
}

// headerSafe reports whether text can stand in a header: no control characters
// and no white space at its ends.
func headerSafe(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return strings.Trim(text, " \t") == text
}

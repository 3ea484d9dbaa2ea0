package httpcall

import "strings"

const upperHex = "0123456789ABCDEF"

// escape percent-encodes every byte outside the unreserved set of RFC 3986.
func escape(text string) string { return escapeBut(text, "") }

// escapeReserved leaves the reserved characters that cannot end a query, a
// parameter or its name.
func escapeReserved(text string) string { return escapeBut(text, ":/?@!$'()*,;") }

func escapeBut(text, keep string) string {
	clean := true
	for i := range len(text) {
		clean = clean && (isUnreserved(text[i]) || strings.IndexByte(keep, text[i]) >= 0)
	}
	if clean {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if isUnreserved(c) || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(upperHex[c>>4])
		b.WriteByte(upperHex[c&15])
	}
	return b.String()
}

func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

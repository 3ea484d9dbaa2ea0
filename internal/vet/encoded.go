package vet

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	minEncoded = 20  // characters below which an encoding says nothing
	longBlob   = 400 // characters from which a block is worth a look
)

// encoded reports instructions in an encoding that a model undoes without being
// asked, and blocks that nobody can read.
func encoded(pointer, s string) []Flag {
	var flags []Flag
	for _, plain := range decodings(s) {
		if bad := spoken(plain); bad {
			return []Flag{flag(ruleEncoded, pointer, quote(plain), Quarantine)}
		}
	}
	if f := dataURL(pointer, s); f != nil {
		flags = append(flags, *f)
	}
	return flags
}

// spoken reports whether a decoded text instructs.
func spoken(s string) bool {
	f := fold(s)
	for _, found := range append(instructions("", f), obfuscated("", s, f)...) {
		if found.quarantines() {
			return true
		}
	}
	return false
}

// decodings gives what a text spells in the encodings that occur in it.
func decodings(s string) []string {
	if len(s) < minEncoded {
		return nil
	}
	var out []string
	if strings.Contains(s, "&#") || strings.Contains(s, "&lt;") {
		out = append(out, html.UnescapeString(s))
	}
	if strings.Count(s, "%") >= 4 {
		if plain, err := url.PathUnescape(s); err == nil && plain != s {
			out = append(out, plain)
		}
	}
	if strings.Contains(s, `\u`) || strings.Contains(s, `\x`) {
		out = append(out, unescape(s))
	}
	for _, block := range blocks(s) {
		if plain, ok := decodeBlock(block); ok {
			out = append(out, plain)
		}
	}
	return out
}

var escapes = regexp.MustCompile(`\\(?:u\{?[0-9a-fA-F]{4,6}\}?|x[0-9a-fA-F]{2})`)

// unescape undoes the escapes of programming languages.
func unescape(s string) string {
	return escapes.ReplaceAllStringFunc(s, func(esc string) string {
		n, err := strconv.ParseUint(strings.Trim(esc[2:], "{}"), 16, 32)
		if err != nil || n > utf8.MaxRune {
			return esc
		}
		return string(rune(n))
	})
}

// blocks gives the runs of characters that base64 and hexadecimal use.
func blocks(s string) []string {
	var out []string
	for start, i := -1, 0; i <= len(s); i++ {
		if i < len(s) && inBlock(s[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && i-start >= minEncoded {
			out = append(out, s[start:i])
		}
		start = -1
	}
	return out
}

func inBlock(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

// decodeBlock gives the readable text that a block spells.
func decodeBlock(block string) (string, bool) {
	block = strings.TrimRight(block, "=")
	if raw, err := hex.DecodeString(strings.TrimPrefix(block, "0x")); err == nil && readable(raw) {
		return string(raw), true
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if raw, err := enc.DecodeString(block); err == nil && readable(raw) {
			return string(raw), true
		}
	}
	return "", false
}

// readable reports text: valid, and hardly anything in it unprintable.
func readable(raw []byte) bool {
	if !utf8.Valid(raw) {
		return false
	}
	for _, c := range raw {
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' || c == 0x7F {
			return false
		}
	}
	return len(raw) > 0
}

// dataURL reports an address that is itself a page or a script, or that holds a
// long block.
func dataURL(pointer, s string) *Flag {
	low := strings.ToLower(s)
	for i := strings.Index(low, "data:"); i >= 0; {
		rest := low[i+len("data:"):]
		for _, active := range []string{"text/html", "text/javascript", "application/javascript", "application/xhtml", "image/svg+xml", "text/xml"} {
			if tail, ok := strings.CutPrefix(rest, active); ok && strings.Contains(tail[:min(len(tail), 40)], ",") && len(tail) > minEncoded {
				f := flag(ruleDataURL, pointer, quote(s[i:]), Review)
				return &f
			}
		}
		next := strings.Index(rest, "data:")
		if next < 0 {
			break
		}
		i += len("data:") + next
	}
	for _, b := range blocks(s) {
		if len(b) >= longBlob && mixed(b) {
			f := flag(ruleBlob, pointer, strconv.Itoa(len(b))+" characters", Review)
			return &f
		}
	}
	return nil
}

// mixed reports letters of both sizes and digits, which words do not have.
func mixed(b string) bool {
	return strings.ContainsAny(b, "0123456789") && strings.ToLower(b) != b && strings.ToUpper(b) != b
}

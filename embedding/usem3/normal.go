package usem3

import (
	"bytes"
	"unicode/utf8"
)

// normaliser rewrites text the way the model's vocabulary was made: the
// longest matching replacement of a compiled map (Unicode NFKC with a few more
// rules) at each place, runs of spaces as one ▁, one ▁ in front.
//
// The map is a double-array trie over UTF-8 bytes. In each 32-bit unit: bits
// 0–7 and 31 the label, bit 8 "a value follows", bits 10–30 the offset, bit 9
// "offset counts in 256s". A value is a place in texts, NUL-terminated.
type normaliser struct {
	trie  []byte // u32 each
	texts []byte
}

const (
	// maxText is how many bytes of a text are looked at.
	maxText = 64 << 10
	// maxNormal is after how many bytes of normal form reading stops. The first
	// MaxTokens tokens end well before it in any written language.
	maxNormal = 8 << 10

	boundary    = "\u2581" // ▁, the mark of a word's start
	replacement = "\ufffd"
)

// normalise appends the normal form of text to dst, which stays empty for a
// text of spaces.
func (n *normaliser) normalise(dst []byte, text string) []byte {
	text = cut(text, maxText)
	space := true
	for len(text) > 0 && len(dst) < maxNormal {
		size, mapped := n.longest(text)
		if size > 0 {
			dst, space = appendWord(dst, mapped, space)
			text = text[size:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		piece := text[:size]
		if r == utf8.RuneError && size == 1 {
			piece = replacement
		}
		dst, space = appendWord(dst, piece, space)
		text = text[size:]
	}
	return dst
}

// cut shortens text to limit bytes, at the start of a character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for back := 0; back < utf8.UTFMax && !utf8.RuneStart(text[limit]); back++ {
		limit--
	}
	return text[:limit]
}

// appendWord appends piece to dst, each run of spaces as one mark before the
// next other byte; space tells whether such a run is open.
func appendWord[T string | []byte](dst []byte, piece T, space bool) ([]byte, bool) {
	for i := range len(piece) {
		if piece[i] == ' ' {
			space = true
			continue
		}
		if space {
			dst = append(dst, boundary...)
			space = false
		}
		dst = append(dst, piece[i])
	}
	return dst, space
}

// longest returns the replacement of the longest start of text that the map
// knows, and the length of that start, 0 if there is none.
func (n *normaliser) longest(text string) (size int, mapped []byte) {
	var node uint32
	unit, ok := n.unit(node)
	if !ok {
		return 0, nil
	}
	node ^= offset(unit)
	for i := range len(text) {
		node ^= uint32(text[i])
		if unit, ok = n.unit(node); !ok || unit&(1<<31|0xff) != uint32(text[i]) {
			break
		}
		node ^= offset(unit)
		if unit&(1<<8) == 0 {
			continue
		}
		value, ok := n.unit(node)
		if at := int(value & (1<<31 - 1)); ok && at < len(n.texts) {
			size, mapped = i+1, n.texts[at:]
		}
	}
	if end := bytes.IndexByte(mapped, 0); end >= 0 {
		mapped = mapped[:end]
	}
	return size, mapped[:min(len(mapped), maxNormal)]
}

func (n *normaliser) unit(node uint32) (uint32, bool) {
	if uint64(node) >= uint64(len(n.trie)/4) {
		return 0, false
	}
	return wordAt(n.trie, int(node)), true
}

func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

package vet

import "unicode"

// latinOf is the Latin letter that another one is drawn like; itself where
// there is none. Letters come folded: small and without accents.
func latinOf(r rune) rune {
	if r < 0x0250 {
		return r
	}
	for i, c := range lookLike {
		if c.from == r {
			return lookLike[i].to
		}
	}
	return r
}

// lookLike holds letters of other alphabets, and small capitals, that are drawn
// like Latin ones.
var lookLike = pairs(
	"а a", "в b", "е e", "з 3", "і i", "ї i", "ј j", "к k", "м m", "н h", "о o", "р p", "с c", "т t", "у y", "х x", "ѕ s", "ԁ d", "һ h", "ӏ l", "ԛ q", "ԝ w", "ѵ v", "ь b", "г r", "п n", "ц u", "ґ r", "ҽ e", "ɡ g",
	"α a", "β b", "γ y", "ε e", "η n", "ι i", "κ k", "ν v", "ο o", "ρ p", "σ o", "τ t", "υ u", "χ x", "ω w", "ϲ c", "ϳ j", "μ u", "ς c",
	"օ o", "ո n", "ս u", "ց g", "հ h", "զ q", "յ j", "ք p", "ա w", "ե t", "ւ l",
	"ᴀ a", "ʙ b", "ᴄ c", "ᴅ d", "ᴇ e", "ꜰ f", "ɢ g", "ʜ h", "ɪ i", "ᴊ j", "ᴋ k", "ʟ l", "ᴍ m", "ɴ n", "ᴏ o", "ᴘ p", "ʀ r", "ꜱ s", "ᴛ t", "ᴜ u", "ᴠ v", "ᴡ w", "ʏ y", "ᴢ z", "ɑ a", "ı i", "ɩ i", "ʋ v", "ǃ l", "ꞁ l",
	"ꭺ a", "ꭼ e", "ꮪ s", "ꮯ c", "ꭵ i",
)

type likeness struct{ from, to rune }

func pairs(texts ...string) []likeness {
	out := make([]likeness, 0, len(texts))
	for _, t := range texts {
		runes := []rune(t)
		out = append(out, likeness{runes[0], runes[2]})
	}
	return out
}

// skeleton is what a name looks like: two names that a hurried reader takes for
// one have the same.
func skeleton(name string) string {
	var out []rune
	for _, r := range fold(name) {
		switch r = latinOf(r); r {
		case '0':
			r = 'o'
		case '1', '|', 'i': // a capital i is drawn like a small l
			r = 'l'
		}
		if n := len(out); n > 0 {
			switch string(out[n-1]) + string(r) {
			case "rn":
				out[n-1] = 'm'
				continue
			case "vv":
				out[n-1] = 'w'
				continue
			}
		}
		out = append(out, r)
	}
	return string(out)
}

// mixesScripts reports a word that holds Latin letters and letters of another
// alphabet that are drawn like Latin ones.
func mixesScripts(name string) bool {
	latin, like := false, false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r):
			if latin && like {
				return true
			}
			latin, like = false, false
		case r < 0x0250:
			latin = true
		case latinOf(unicode.ToLower(r)) != unicode.ToLower(r) && unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee):
			like = true
		}
	}
	return latin && like
}

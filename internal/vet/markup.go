package vet

import (
	"regexp"
	"slices"
	"strings"
)

var (
	comments = regexp.MustCompile(`(?s)<!--(.*?)(?:-->|$)|\[//\]:\s*#\s*["'(](.*?)["')]|\[comment\]:\s*<>\s*\((.*?)\)`)
	unshown  = regexp.MustCompile(`(?is)<(?:span|div|p|font|details)\b[^>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0|color\s*:\s*(?:white|#fff|transparent)|\shidden\b)[^>]*>(.*?)(?:</|$)`)
	leaking  = regexp.MustCompile(`(?i)!\[[^\]]*\]\(\s*https?://[^)\s]*[?&/=][^)\s]*[{<$\[](?:data|secret|conversation|chat|context|prompt|history|token|key|summary|user)`)
)

// markup reports instructions where a viewer hides them and a model reads them,
// in comments and in text without size or colour, and pictures whose address
// carries something away.
func markup(pointer, s string) []Flag {
	if !strings.ContainsAny(s, "<[") {
		return nil
	}
	var flags []Flag
	for _, m := range append(comments.FindAllStringSubmatch(s, -1), unshown.FindAllStringSubmatch(s, -1)...) {
		inside := strings.TrimSpace(strings.Join(m[1:], ""))
		if directs(inside) {
			flags = append(flags, flag(ruleComment, pointer, quote(inside), Quarantine))
		}
	}
	if at := leaking.FindStringIndex(s); at != nil {
		flags = append(flags, flag(ruleExfiltrate, pointer, quote(s[at[0]:]), Quarantine))
	}
	return flags
}

// directs reports whether a hidden text tells somebody to do something: there a
// single sign is enough.
func directs(inside string) bool {
	f := fold(inside)
	if len(instructions("", f)) > 0 {
		return true
	}
	hits := scan(f)
	if score, _ := weigh(f, hits); score > 0 {
		return true
	}
	return slices.ContainsFunc(hits, func(h hit) bool { return h.class == secret || h.class == inmost })
}

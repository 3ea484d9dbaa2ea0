package auth

import "strings"

// glob is a pattern over "source/name" in which * stands for any text, slashes
// included; everything else stands for itself.
type glob struct {
	parts []string // the text between the stars; one part: no star
}

// compile reads a pattern. Every text is one.
func compile(pattern string) glob { return glob{strings.Split(pattern, "*")} }

// match reports whether the pattern covers the whole of name. Taking each part
// at its first place leaves the most for the rest, so no way back is needed.
func (g glob) match(name string) bool {
	first, last := g.parts[0], g.parts[len(g.parts)-1]
	if len(g.parts) == 1 {
		return name == first
	}
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, part := range g.parts[1 : len(g.parts)-1] {
		at := strings.Index(name, part)
		if at < 0 {
			return false
		}
		name = name[at+len(part):]
	}
	return true
}

// globs is a list of patterns.
type globs []glob

// compileAll reads a list of patterns.
func compileAll(patterns []string) globs {
	out := make(globs, len(patterns))
	for i, p := range patterns {
		out[i] = compile(p)
	}
	return out
}

// match reports whether any pattern covers name.
func (gs globs) match(name string) bool {
	for _, g := range gs {
		if g.match(name) {
			return true
		}
	}
	return false
}

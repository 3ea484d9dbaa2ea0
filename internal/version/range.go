package version

import (
	"slices"
	"strings"
)

// Range admits some versions. The zero Range admits none.
type Range struct {
	text string
	sets []set // admitted = the union over sets
}

// set is one alternative: comparators that must all admit. It is never empty
// inside a Range that was parsed.
type set []comparator

// Match reports whether r admits v.
func (r Range) Match(v Version) bool {
	return slices.ContainsFunc(r.sets, func(s set) bool { return s.match(v) })
}

func (s set) match(v Version) bool {
	if len(s) == 0 || !v.ok {
		return false
	}
	invited := v.pre == ""
	for _, c := range s {
		if !c.admits(v) {
			return false
		}
		invited = invited || c.invites(v)
	}
	return invited
}

// Text is the range as it was written.
func (r Range) Text() string { return r.text }

// String spells r as plain comparators: alternatives joined by "||", each
// bound written out, so ranges of one meaning often read alike. Parsing it
// gives the same range again.
func (r Range) String() string {
	if len(r.sets) == 0 {
		return nothing().String()
	}
	alternatives := make([]string, len(r.sets))
	for i, s := range r.sets {
		words := make([]string, len(s))
		for j, c := range s {
			words[j] = c.String()
		}
		alternatives[i] = strings.Join(words, " ")
	}
	return strings.Join(alternatives, "||")
}

// MarshalText writes the range as it was written.
func (r Range) MarshalText() ([]byte, error) {
	if len(r.sets) == 0 {
		return []byte(r.String()), nil
	}
	return []byte(r.text), nil
}

// UnmarshalText reads what MarshalText wrote.
func (r *Range) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRange(string(text))
	return err
}

// normal drops what a set does not need: comparators that admit everything
// or stand there twice, and all others where one admits nothing.
func (s set) normal() set {
	var kept set
	for _, c := range s {
		switch {
		case c == nothing():
			return set{c}
		case c == comparator{} || c == atLeast(Version{ok: true}): // a release is at least 0.0.0
		case !slices.Contains(kept, c):
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return set{{}}
	}
	return kept
}

// simplify drops alternatives that admit nothing. As in npm, an alternative
// that admits every release swallows the others, pre-releases that those name
// included.
func simplify(sets []set) []set {
	null, all := set{nothing()}, set{{}}
	kept := slices.DeleteFunc(slices.Clone(sets), func(s set) bool { return slices.Equal(s, null) })
	switch {
	case len(kept) == 0:
		return []set{null}
	case slices.ContainsFunc(kept, func(s set) bool { return slices.Equal(s, all) }):
		return []set{all}
	}
	return kept
}

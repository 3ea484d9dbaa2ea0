package rule

// Match pairs the alternatives of two schemas: first those that say the same,
// wherever they stand, then those that are likest. It gives the pairs, and what
// of the second list is left.
func Match(a *Schema, as []Found, b *Schema, bs []Found) (pairs [][2]Found, rest []Found) {
	usedA, usedB := make([]bool, len(as)), make([]bool, len(bs))
	for _, least := range [...]int{sameText, sameName, sameKind} {
		for i := range as {
			for j := range bs {
				if usedA[i] || usedB[j] || likeness(a.Sub(as[i]), b.Sub(bs[j])) < least {
					continue
				}
				usedA[i], usedB[j] = true, true
				pairs = append(pairs, [2]Found{as[i], bs[j]})
			}
		}
	}
	for j := range bs {
		if !usedB[j] {
			rest = append(rest, bs[j])
		}
	}
	return pairs, rest
}

// How alike two alternatives are.
const (
	sameKind = iota + 1 // the same types, and members in common where they are objects
	sameName            // one component, or one tag
	sameText            // the same words
)

func likeness(a, b *Schema) int {
	if own(a) == own(b) {
		return sameText
	}
	if ref(a) != "" && ref(a) == ref(b) || tag(a) != "" && tag(a) == tag(b) {
		return sameName
	}
	if a.Types() != b.Types() || tag(a) != tag(b) || ref(a) != "" && ref(b) != "" {
		return 0
	}
	if a.Types()&Object == 0 || a.Types() == AnyTypes {
		return sameKind
	}
	ours, theirs := a.Properties(), b.Properties()
	common := 0
	for name := range ours {
		if theirs[name] != nil {
			common++
		}
	}
	if 2*common >= max(len(ours), len(theirs)) {
		return sameKind
	}
	return 0
}

// own writes a schema with what its first reference leads to.
func own(s *Schema) string {
	v := s.Value
	if r := ref(s); r != "" {
		if target, _, ok := s.doc.Resolve(r); ok {
			v = target
		}
	}
	return Canonical(v)
}

func ref(s *Schema) string {
	keys, _ := s.Value.(map[string]any)
	text, _ := keys["$ref"].(string)
	return text
}

// tag is the constant that tells an object from its siblings.
func tag(s *Schema) string {
	members := s.Properties()
	for _, name := range Names(members) {
		if values, ok := members[name].Enum(); ok && len(values) == 1 {
			return name + "=" + Canonical(values[0])
		}
	}
	return ""
}

// Twin reports whether an alternative has a sibling of the same words behind
// another reference.
func Twin(s *Schema, one Found, all []Found) bool {
	mine := s.Sub(one)
	for _, f := range all {
		other := s.Sub(f)
		if f.At != one.At && ref(mine) != "" && ref(other) != "" && ref(mine) != ref(other) && own(mine) == own(other) {
			return true
		}
	}
	return false
}

// Component is the reference that an alternative is, empty for one that is
// written out.
func Component(s *Schema, f Found) string { return ref(s.Sub(f)) }

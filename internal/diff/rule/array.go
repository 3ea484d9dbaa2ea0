package rule

import "strconv"

// Tuple gives the schemas of the first elements, by position.
func (s *Schema) Tuple() []Found {
	for _, k := range [...]string{"prefixItems", "items"} {
		for _, f := range s.All(k) {
			if items := list(f.Value); items != nil {
				out := make([]Found, len(items))
				for i, v := range items {
					out[i] = Found{v, join(f.At, strconv.Itoa(i))}
				}
				return out
			}
		}
	}
	return nil
}

// Items gives the schema of the elements after the tuple, false where none is
// stated.
func (s *Schema) Items() (Found, bool) {
	for _, k := range [...]string{"items", "additionalItems", "unevaluatedItems"} {
		for _, f := range s.All(k) {
			if _, tuple := f.Value.([]any); tuple {
				continue
			}
			if k == "additionalItems" && len(s.Tuple()) == 0 {
				continue
			}
			return f, true
		}
	}
	return Found{}, false
}

// Branches gives the schemas of anyOf or oneOf.
func (s *Schema) Branches(keyword string) []Found {
	var out []Found
	for _, f := range s.All(keyword) {
		for i, v := range list(f.Value) {
			out = append(out, Found{v, join(f.At, strconv.Itoa(i))})
		}
	}
	return out
}

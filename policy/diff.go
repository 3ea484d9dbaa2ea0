package policy

// Diff gives the policies, as Cedar text, that one set has and another has not.
// Their order, the files that they stand in and the ids that those give them
// decide nothing and are no difference.
func Diff(old, new *Set) (gone, came []string) {
	gone, came = []string{}, []string{}
	count := map[string]int{}
	for _, text := range new.texts() {
		count[text]++
	}
	for _, text := range old.texts() {
		if count[text]--; count[text] < 0 {
			gone = append(gone, text)
		}
	}
	had := map[string]int{}
	for _, text := range old.texts() {
		had[text]++
	}
	for _, text := range new.texts() {
		if had[text]--; had[text] < 0 {
			came = append(came, text)
		}
	}
	return gone, came
}

// texts gives each policy as Cedar text.
func (s *Set) texts() []string {
	var out []string
	for _, list := range [...][]rule{s.rules, s.narrow} {
		for i := range list {
			out = append(out, string(list[i].policy.MarshalCedar()))
		}
	}
	return out
}

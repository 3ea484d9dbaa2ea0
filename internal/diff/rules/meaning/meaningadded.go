package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// meaningAdded: a field that nobody described has a declared meaning now.
func meaningAdded() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "meaning-added", Subject: "meaning",
		When:   "A field that nobody described has a declared meaning now.",
		Remedy: rule.RemedyNothing,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			var out []rule.Hit
			known := byPlace(old)
			for _, f := range new.Fields {
				if empty(known[f.At]) && !empty(f) {
					out = append(out, hit(old, new, f.At, f.At+" has a declared meaning now"))
				}
			}
			return out
		},
	})
}

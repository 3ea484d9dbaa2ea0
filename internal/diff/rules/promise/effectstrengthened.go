package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// effectStrengthened: the tool may do more to the world than before.
func effectStrengthened() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "effect-strengthened", Subject: "promise",
		When:   "The tool may do more to the world than before.",
		HarmIn: "A caller that was allowed the old effect causes the new one.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if effect(old).Within(effect(new)) && !effect(new).Within(effect(old)) {
				return one("/effect", "the effect went from "+string(effect(old))+" to "+string(effect(new)))
			}
			return nil
		},
	})
}

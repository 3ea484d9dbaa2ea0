package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// effectWeakened: the tool does less to the world than before.
func effectWeakened() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "effect-weakened", Subject: "promise",
		When:   "The tool does less to the world than before.",
		Remedy: rule.RemedyNothing,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if effect(new).Within(effect(old)) && !effect(old).Within(effect(new)) {
				return one("/effect", "the effect went from "+string(effect(old))+" to "+string(effect(new)))
			}
			return nil
		},
	})
}

package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// streamTyped: the items of a stream have a schema now.
func streamTyped() rule.Rule {
	return rule.Rule{
		ID: "stream-typed", Subject: "web",
		When: "The items of a stream have a schema now.",
		In:   rule.Same(rule.Break), Out: rule.Same(rule.OK),
		HarmIn: "A caller that sends other items is refused.",
		Remedy: rule.RemedyInput,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return streams(new, old, "the items have a schema now")
		},
	}
}

package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// errorRemoved: a documented failure is documented no more.
func errorRemoved() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "error-removed", Subject: "promise",
		When:   "A documented failure is documented no more.",
		HarmIn: "A caller that branches on the failure waits for what never comes, or meets one that it does not know.",
		Remedy: "Keep it documented as long as it can happen; else publish a new major version.",
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return errorsBeyond(old, new, old, new, "is documented no more")
		},
	})
}

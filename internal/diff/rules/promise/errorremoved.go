package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// errorRemoved: a documented failure is documented no more.
func errorRemoved() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "error-removed", Subject: "promise",
		When:   "A documented failure is documented no more.",
		Remedy: "If it can still happen, document it.",
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return errorsBeyond(old, new, "is documented no more")
		},
	})
}

package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// scopeRemoved: a scope is required no more.
func scopeRemoved() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "scope-removed", Subject: "promise",
		When:   "A scope is required no more.",
		Remedy: rule.RemedyNothing,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return scopes(old, new, "is required no more")
		},
	})
}

package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// scopeAdded: a scope is required that was not.
func scopeAdded() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "scope-added", Subject: "promise",
		When:   "A scope is required that was not.",
		HarmIn: "A caller whose credential lacks the scope is refused.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return scopes(new, old, "is required now")
		},
	})
}

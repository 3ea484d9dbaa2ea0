package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// errorAdded: a failure is documented that was not.
func errorAdded() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "error-added", Subject: "promise",
		When:   "A failure is documented that was not.",
		Remedy: "Callers that branch on failures should learn of it.",
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return errorsBeyond(new, old, old, new, "is documented now")
		},
	})
}

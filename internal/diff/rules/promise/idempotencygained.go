package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// idempotencyGained: the same call may be made twice now.
func idempotencyGained() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "idempotency-gained", Subject: "promise",
		When:   "The same call may be made twice now.",
		Remedy: rule.RemedyNothing,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if !truth(old.Idempotent) && truth(new.Idempotent) {
				return one("/idempotent", "calls are idempotent now")
			}
			return nil
		},
	})
}

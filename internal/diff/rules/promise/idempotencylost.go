package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// idempotencyLost: the same call may not be made twice any more.
func idempotencyLost() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "idempotency-lost", Subject: "promise",
		When:   "The same call may not be made twice any more.",
		HarmIn: "A caller that repeats a call after a lost answer does it twice.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if truth(old.Idempotent) && !truth(new.Idempotent) {
				return one("/idempotent", "calls are idempotent no more")
			}
			return nil
		},
	})
}

package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// answerStatusAdded: a further status of success is documented.
func answerStatusAdded() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "answer-status-added", Subject: "web",
		When:   "A further status of success is documented.",
		Remedy: rule.RemedyNothing,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if old.Web == nil || new.Web == nil {
				return nil
			}
			var out []rule.Hit
			for _, a := range new.Web.Answers {
				if answer(old, a.Status) == nil {
					out = append(out, rule.Hit{Old: old.Web.Pointer, New: a.Pointer, What: "success " + a.Status + " is documented now", Direction: rule.Output})
				}
			}
			return out
		},
	})
}

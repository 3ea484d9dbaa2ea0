package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// answerMediaAdded: an answer comes in a further media type.
func answerMediaAdded() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "answer-media-added", Subject: "web",
		When:   "An answer comes in a further media type.",
		Remedy: rule.RemedyNothing,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return answerMedia(new, old, old, new, "is answered now")
		},
	})
}

package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// bodyMediaAdded: a body is taken in a further media type.
func bodyMediaAdded() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "body-media-added", Subject: "web",
		When:   "A body is taken in a further media type.",
		Remedy: rule.RemedyNothing,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return bodyMedia(new, old, old, new, "is taken now")
		},
	})
}

package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// bodyMediaRemoved: a body is taken in a media type no more.
func bodyMediaRemoved() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "body-media-removed", Subject: "web",
		When:   "A body is taken in a media type no more.",
		HarmIn: "A caller that sends the media type is refused.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return bodyMedia(old, new, old, new, "is taken no more")
		},
	})
}

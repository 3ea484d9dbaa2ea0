package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// answerMediaRemoved: an answer comes in a media type no more.
func answerMediaRemoved() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "answer-media-removed", Subject: "web",
		When:   "An answer comes in a media type no more.",
		HarmIn: "A caller that asks for the media type or parses it is given another one.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return answerMedia(old, new, old, new, "is answered no more")
		},
	})
}

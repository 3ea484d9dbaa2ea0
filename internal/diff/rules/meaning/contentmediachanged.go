package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// contentMediaChanged: the media type inside text was changed.
func contentMediaChanged() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "content-media-changed", Subject: "meaning",
		When:   "The media type inside text was changed.",
		HarmIn: "What one side writes the other misreads.",
		Remedy: rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			return content(p, "contentMediaType", "the media type of the content")
		},
	})
}

package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// contentEncodingChanged: the encoding inside text was changed.
func contentEncodingChanged() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "content-encoding-changed", Subject: "meaning",
		When:   "The encoding inside text was changed.",
		HarmIn: "What one side writes the other misreads.",
		Remedy: rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			return content(p, "contentEncoding", "the encoding of the content")
		},
	})
}

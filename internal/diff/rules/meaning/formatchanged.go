package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// formatChanged: the format became another one.
func formatChanged() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "format-changed", Subject: "meaning",
		When:   "The format became another one.",
		HarmIn: "What one side writes the other misreads.",
		Remedy: rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := formats(p)
			if was == "" || is == "" || was == is || within(was, is) || within(is, was) {
				return nil
			}
			return p.One("the format went from "+was+" to "+is, "format")
		},
	})
}

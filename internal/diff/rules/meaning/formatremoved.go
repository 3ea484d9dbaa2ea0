package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// formatRemoved: text or a number has no format any more.
func formatRemoved() rule.Rule {
	return rule.Rule{
		ID: "format-removed", Subject: "meaning",
		When: "Text or a number has no format any more.",
		In:   rule.Same(rule.OK), Out: rule.Same(rule.Break),
		HarmOut: "A caller that parses the format may be given another form.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := formats(p)
			if was == "" || is != "" {
				return nil
			}
			return p.One("the format is "+was+" no more", "format")
		},
	}
}

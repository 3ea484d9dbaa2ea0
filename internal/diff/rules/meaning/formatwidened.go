package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// formatWidened: a number may be larger or more precise than its old format.
func formatWidened() rule.Rule {
	return rule.Rule{
		ID: "format-widened", Subject: "meaning",
		When: "A number may be larger or more precise than its old format.",
		In:   rule.Same(rule.OK), Out: rule.Same(rule.Break),
		HarmOut: "A caller that keeps the number in the old size loses it.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := formats(p)
			if !within(was, is) {
				return nil
			}
			return p.One("the format went from "+was+" to "+is, "format")
		},
	}
}

package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// formatNarrowed: a number has to fit a smaller format.
func formatNarrowed() rule.Rule {
	return rule.Rule{
		ID: "format-narrowed", Subject: "meaning",
		When: "A number has to fit a smaller format.",
		In:   rule.Same(rule.Break), Out: rule.Same(rule.OK),
		HarmIn: "A caller that sends a number of the old size is refused or misread.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := formats(p)
			if !within(is, was) {
				return nil
			}
			return p.One("the format went from "+was+" to "+is, "format")
		},
	}
}

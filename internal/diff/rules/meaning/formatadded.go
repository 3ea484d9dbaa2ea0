package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// formatAdded: text or a number has a format now.
func formatAdded() rule.Rule {
	return rule.Rule{
		ID: "format-added", Subject: "meaning",
		When: "Text or a number has a format now.",
		In:   rule.Same(rule.Break), Out: rule.Same(rule.OK),
		HarmIn: "A caller that sends another form is refused or misread.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := formats(p)
			if was != "" || is == "" {
				return nil
			}
			return p.One("the format is "+is+" now", "format")
		},
	}
}

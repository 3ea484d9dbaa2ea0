package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// choiceRemoved: a value need fit no alternative any more.
func choiceRemoved() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "choice-removed", Subject: "choice",
		When:    "A value need fit no alternative any more.",
		HarmOut: "A caller may be given what fits no alternative that it knows.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return keyworded(p, p.New, p.Old, "a choice of alternatives was removed", "anyOf", "oneOf")
		},
	})
}

package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// choiceAdded: a value has to fit one of several alternatives now.
func choiceAdded() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "choice-added", Subject: "choice",
		When:   "A value has to fit one of several alternatives now.",
		HarmIn: "A caller whose value fits none is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return keyworded(p, p.Old, p.New, "a choice of alternatives was added", "anyOf", "oneOf")
		},
	})
}

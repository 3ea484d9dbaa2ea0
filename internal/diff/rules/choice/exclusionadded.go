package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// exclusionAdded: values of a kind are excluded.
func exclusionAdded() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "exclusion-added", Subject: "choice",
		When:   "Values of a kind are excluded.",
		HarmIn: "A caller that sends such a value is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return keyworded(p, p.Old, p.New, "values were excluded", "not")
		},
	})
}

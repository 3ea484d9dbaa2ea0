package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// exclusionRemoved: values of a kind are excluded no more.
func exclusionRemoved() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "exclusion-removed", Subject: "choice",
		When:    "Values of a kind are excluded no more.",
		HarmOut: "A caller may be given such a value.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return keyworded(p, p.New, p.Old, "values are excluded no more", "not")
		},
	})
}

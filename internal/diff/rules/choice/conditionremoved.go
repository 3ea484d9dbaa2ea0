package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// conditionRemoved: a condition was removed.
func conditionRemoved() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "condition-removed", Subject: "choice",
		When:    "A condition was removed.",
		HarmOut: "A caller may be given what the condition kept out.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			for _, k := range [...]string{"if", "then", "else"} {
				out = append(out, conditions(p.Old, k, keyworded(p, p.New, p.Old, "a condition was removed: "+k, k))...)
			}
			return out
		},
	})
}

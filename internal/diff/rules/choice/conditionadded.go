package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// conditionAdded: a condition was added.
func conditionAdded() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "condition-added", Subject: "choice",
		When:   "A condition was added.",
		HarmIn: "A caller whose value meets the condition and not its consequence is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			for _, k := range [...]string{"if", "then", "else"} {
				out = append(out, conditions(p.New, k, keyworded(p, p.Old, p.New, "a condition was added: "+k, k))...)
			}
			return out
		},
	})
}

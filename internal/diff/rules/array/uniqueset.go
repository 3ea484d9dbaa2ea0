package array

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// uniqueSet: the elements of a list have to differ.
func uniqueSet() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "unique-set", Subject: "array",
		When:   "The elements of a list have to differ.",
		HarmIn: "A caller that sends an element twice is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if p.Old.Flag("uniqueItems") || !p.New.Flag("uniqueItems") {
				return nil
			}
			return p.One("elements have to differ now", "uniqueItems")
		},
	})
}

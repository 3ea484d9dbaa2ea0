package array

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// itemsConstrained: elements have to fit a schema now, or are refused.
func itemsConstrained() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "items-constrained", Subject: "array",
		When:   "Elements have to fit a schema now, or are refused.",
		HarmIn: "A caller that sends other elements is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			_, was := p.Old.Items()
			is, stated := p.New.Items()
			if was || !stated || is.Value == true {
				return nil
			}
			return p.One("further elements are limited now", "items", "additionalItems", "unevaluatedItems")
		},
	})
}

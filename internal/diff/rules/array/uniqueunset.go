package array

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// uniqueUnset: the elements of a list need not differ any more.
func uniqueUnset() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "unique-unset", Subject: "array",
		When:    "The elements of a list need not differ any more.",
		HarmOut: "A caller may be given an element twice.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if !p.Old.Flag("uniqueItems") || p.New.Flag("uniqueItems") {
				return nil
			}
			return p.One("elements need not differ any more", "uniqueItems")
		},
	})
}

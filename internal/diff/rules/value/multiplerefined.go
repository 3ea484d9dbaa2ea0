package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// multipleRefined: numbers may be multiples of something finer, or of nothing.
func multipleRefined() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "multiple-refined", Subject: "value",
		When:    "Numbers may be multiples of something finer, or of nothing.",
		HarmOut: "A caller may be given numbers between those promised.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := p.Old.Divisors(), p.New.Divisors()
			if !implies(was, is) || implies(is, was) {
				return nil
			}
			return p.One("multipleOf went from "+divisors(was)+" to "+divisors(is), "multipleOf")
		},
	})
}

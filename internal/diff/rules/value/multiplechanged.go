package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// multipleChanged: numbers have to be multiples of something else.
func multipleChanged() rule.Rule {
	return rule.Replacing(rule.Rule{
		ID: "multiple-changed", Subject: "value",
		When:    "Numbers have to be multiples of something else.",
		HarmIn:  "A caller that sends multiples of the old number is refused.",
		HarmOut: "A caller is given numbers that it was not promised.",
		Remedy:  rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := p.Old.Divisors(), p.New.Divisors()
			if implies(was, is) || implies(is, was) {
				return nil
			}
			return p.One("multipleOf went from "+divisors(was)+" to "+divisors(is), "multipleOf")
		},
	})
}

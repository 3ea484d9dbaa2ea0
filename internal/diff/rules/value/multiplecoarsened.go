package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// multipleCoarsened: numbers have to be multiples of something coarser, or of anything at all.
func multipleCoarsened() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "multiple-coarsened", Subject: "value",
		When:   "Numbers have to be multiples of something coarser, or of anything at all.",
		HarmIn: "A caller that sends the numbers between is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := p.Old.Divisors(), p.New.Divisors()
			if !implies(is, was) || implies(was, is) {
				return nil
			}
			return p.One("multipleOf went from "+divisors(was)+" to "+divisors(is), "multipleOf")
		},
	})
}

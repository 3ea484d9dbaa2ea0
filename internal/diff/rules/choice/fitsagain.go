package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// fitsAgain: something fits that never did.
func fitsAgain() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "fits-again", Subject: "choice",
		When:    "Something fits that never did.",
		HarmOut: "A caller may be given a value where it was promised none.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if p.Old.Never && !p.New.Never {
				return p.One("values are let through now")
			}
			return nil
		},
	})
}

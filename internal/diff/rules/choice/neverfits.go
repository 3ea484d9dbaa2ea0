package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// neverFits: nothing fits any more.
func neverFits() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "never-fits", Subject: "choice",
		When:   "Nothing fits any more.",
		HarmIn: "Whatever a caller sends is refused.",
		Remedy: rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			if !p.Old.Never && p.New.Never {
				return p.One("no value is let through now")
			}
			return nil
		},
	})
}

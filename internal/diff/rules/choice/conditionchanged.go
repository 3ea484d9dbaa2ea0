package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// conditionChanged: a condition was changed.
func conditionChanged() rule.Rule {
	return rule.Replacing(rule.Rule{
		ID: "condition-changed", Subject: "choice",
		When:    "A condition was changed.",
		HarmIn:  "A caller whose value meets the new condition and not its consequence is refused.",
		HarmOut: "A caller may be given what the old condition kept out.",
		Remedy:  rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			for _, k := range [...]string{"if", "then", "else"} {
				was, one := p.Old.First(k)
				is, two := p.New.First(k)
				if one && two && rule.Canonical(was.Value) != rule.Canonical(is.Value) {
					out = append(out, p.Hit("the condition was changed: "+k, k))
				}
			}
			return out
		},
	})
}

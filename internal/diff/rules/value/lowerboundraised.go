package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// lowerBoundRaised: a lower bound was raised or added.
func lowerBoundRaised() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "lower-bound-raised", Subject: "value",
		When:   "A lower bound was raised or added.",
		HarmIn: "A caller that goes down to the old bound is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return append(bounds(p, lower(), func(was, is rule.Limit) bool { return is.TighterLower(was) }), flags(p.Old, p.New, p, "exclusiveMinimum")...)
		},
	})
}

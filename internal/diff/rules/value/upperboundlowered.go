package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// upperBoundLowered: an upper bound was lowered or added.
func upperBoundLowered() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "upper-bound-lowered", Subject: "value",
		When:   "An upper bound was lowered or added.",
		HarmIn: "A caller that goes up to the old bound is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return append(bounds(p, upper(), func(was, is rule.Limit) bool { return is.TighterUpper(was) }), flags(p.Old, p.New, p, "exclusiveMaximum")...)
		},
	})
}

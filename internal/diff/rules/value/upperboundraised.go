package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// upperBoundRaised: an upper bound was raised or dropped.
func upperBoundRaised() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "upper-bound-raised", Subject: "value",
		When:    "An upper bound was raised or dropped.",
		HarmOut: "A caller may be given more than it was promised.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return append(bounds(p, upper(), func(was, is rule.Limit) bool { return was.TighterUpper(is) }), flags(p.New, p.Old, p, "exclusiveMaximum")...)
		},
	})
}

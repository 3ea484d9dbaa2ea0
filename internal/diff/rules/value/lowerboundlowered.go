package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// lowerBoundLowered: a lower bound was lowered or dropped.
func lowerBoundLowered() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "lower-bound-lowered", Subject: "value",
		When:    "A lower bound was lowered or dropped.",
		HarmOut: "A caller may be given less than it was promised.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return append(bounds(p, lower(), func(was, is rule.Limit) bool { return was.TighterLower(is) }), flags(p.New, p.Old, p, "exclusiveMinimum")...)
		},
	})
}

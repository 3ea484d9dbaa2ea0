package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// restFreed: undeclared members need fit no schema any more.
func restFreed() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "rest-freed", Subject: "object",
		When:    "Undeclared members need fit no schema any more.",
		SafeOut: rule.Projected,
		HarmOut: "A caller that reads undeclared members may find values of another kind.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if len(p.Old.Rest()) == 0 || len(p.New.Rest()) > 0 || p.New.Closed() {
				return nil
			}
			return rest(p.Hit("undeclared members need fit no schema any more", "additionalProperties", "unevaluatedProperties"))
		},
	})
}

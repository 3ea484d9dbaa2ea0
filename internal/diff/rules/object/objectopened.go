package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// objectOpened: members that are not declared are let through now.
func objectOpened() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "object-opened", Subject: "object",
		When:    "Members that are not declared are let through now.",
		SafeOut: rule.Projected,
		HarmOut: "A caller that refuses unknown members may be given some.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if !p.Old.Closed() || p.New.Closed() {
				return nil
			}
			return rest(p.Hit("undeclared members are let through now", "additionalProperties", "unevaluatedProperties"))
		},
	})
}

package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// objectClosed: members that are not declared are refused now.
func objectClosed() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "object-closed", Subject: "object",
		When:   "Members that are not declared are refused now.",
		SafeIn: rule.UndeclaredRefused,
		HarmIn: "A caller that sends members beyond those declared is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if p.Old.Closed() || !p.New.Closed() {
				return nil
			}
			return rest(p.Hit("undeclared members are refused now", "additionalProperties", "unevaluatedProperties"))
		},
	})
}

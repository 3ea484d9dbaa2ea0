package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// restConstrained: undeclared members have to fit a schema now.
func restConstrained() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "rest-constrained", Subject: "object",
		When:   "Undeclared members have to fit a schema now.",
		SafeIn: rule.UndeclaredRefused,
		HarmIn: "A caller that sends other undeclared members is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if p.Old.Closed() || len(p.Old.Rest()) > 0 || len(p.New.Rest()) == 0 {
				return nil
			}
			return rest(p.Hit("undeclared members have to fit a schema now", "additionalProperties", "unevaluatedProperties"))
		},
	})
}

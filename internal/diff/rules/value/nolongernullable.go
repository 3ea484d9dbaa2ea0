package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// noLongerNullable: null is refused.
func noLongerNullable() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "no-longer-nullable", Subject: "value",
		When:   "Null is refused.",
		HarmIn: "A caller that sends null is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if !bounded(p) || p.Old.Types()&rule.Null == 0 || p.New.Types()&rule.Null != 0 {
				return nil
			}
			return p.One("null is refused now", "type", "enum", "anyOf", "oneOf")
		},
	})
}

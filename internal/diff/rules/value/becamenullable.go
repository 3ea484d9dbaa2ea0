package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// becameNullable: null is let through.
func becameNullable() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "became-nullable", Subject: "value",
		When:    "Null is let through.",
		HarmOut: "A caller may be given null, which it does not expect.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if !bounded(p) || p.Old.Types()&rule.Null != 0 || p.New.Types()&rule.Null == 0 {
				return nil
			}
			return p.One("null is let through now", "type", "enum", "anyOf", "oneOf")
		},
	})
}

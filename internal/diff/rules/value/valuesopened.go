package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// valuesOpened: a closed set was dropped.
func valuesOpened() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "values-opened", Subject: "value",
		When:    "A closed set was dropped.",
		HarmOut: "A caller may be given a value that it does not know.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			set, was := p.Old.Enum()
			_, is := p.New.Enum()
			if !was || is {
				return nil
			}
			return p.One("values beyond "+rule.Text(set)+" are let through now", "enum", "const")
		},
	})
}

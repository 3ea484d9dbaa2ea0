package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// valuesClosed: a free value was limited to a closed set.
func valuesClosed() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "values-closed", Subject: "value",
		When:   "A free value was limited to a closed set.",
		HarmIn: "A caller that sends any other value is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			_, was := p.Old.Enum()
			set, is := p.New.Enum()
			if was || !is {
				return nil
			}
			return p.One("only "+rule.Text(set)+" are let through now", "enum", "const")
		},
	})
}

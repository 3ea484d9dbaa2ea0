package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// namesConstrained: the names of members are limited now, or more than before.
func namesConstrained() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "names-constrained", Subject: "object",
		When:   "The names of members are limited now, or more than before.",
		SafeIn: rule.UndeclaredRefused,
		HarmIn: "A caller that sends other names is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if !p.New.Has("propertyNames") || said(p.Old, "propertyNames") == said(p.New, "propertyNames") {
				return nil
			}
			return p.One("the names of members are limited", "propertyNames")
		},
	})
}

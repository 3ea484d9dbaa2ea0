package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// namesFreed: the names of members are limited no more, or less than before.
func namesFreed() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "names-freed", Subject: "object",
		When:    "The names of members are limited no more, or less than before.",
		SafeOut: rule.Projected,
		HarmOut: "A caller may be given members of other names.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if !p.Old.Has("propertyNames") || said(p.Old, "propertyNames") == said(p.New, "propertyNames") {
				return nil
			}
			return p.One("the names of members are limited less", "propertyNames")
		},
	})
}

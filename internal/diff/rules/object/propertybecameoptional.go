package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// propertyBecameOptional: a required property became optional.
func propertyBecameOptional() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "property-became-optional", Subject: "object",
		When:    "A required property became optional.",
		HarmOut: "A caller that relies on it may find nothing.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			for _, name := range rule.Names(p.Old.Required()) {
				if p.New.Required()[name] || p.New.Properties()[name] == nil && p.Old.Properties()[name] != nil {
					continue
				}
				hit := at(p, name, "property "+name+" became optional")
				hit.Old = p.Old.Place("required")
				hit.Focus.Presence = true
				hit.Inert = p.Old.Types()&p.New.Types()&rule.Object == 0
				out = append(out, hit)
			}
			return out
		},
	})
}

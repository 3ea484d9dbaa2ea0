package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// propertyBecameRequired: an optional property became required.
func propertyBecameRequired() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "property-became-required", Subject: "object",
		When:   "An optional property became required.",
		HarmIn: "A caller that leaves it out is refused.",
		Remedy: "Leave it optional, or give it a default.",
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			for _, name := range rule.Names(p.New.Required()) {
				if p.Old.Required()[name] || !either(p, name) || hasDefault(p, name) {
					continue
				}
				hit := at(p, name, "property "+name+" became required")
				hit.New = p.New.Place("required")
				hit.Focus.Presence = true
				hit.Inert = p.Old.Types()&p.New.Types()&rule.Object == 0
				out = append(out, hit)
			}
			return out
		},
	})
}

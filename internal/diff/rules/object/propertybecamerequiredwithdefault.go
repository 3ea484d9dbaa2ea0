package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// propertyBecameRequiredWithDefault: an optional property with a default became required.
func propertyBecameRequiredWithDefault() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "property-became-required-with-default", Subject: "object",
		When:   "An optional property with a default became required.",
		SafeIn: rule.DefaultFilled,
		HarmIn: "A caller that leaves it out is refused, where nobody fills the default.",
		Remedy: "Leave it optional: a default already says what its absence means.",
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			for _, name := range rule.Names(p.New.Required()) {
				if p.Old.Required()[name] || !either(p, name) || !hasDefault(p, name) {
					continue
				}
				hit := at(p, name, "property "+name+" became required and has a default")
				hit.New = p.New.Place("required")
				hit.Focus.Presence = true
				hit.Inert = p.Old.Types()&p.New.Types()&rule.Object == 0
				out = append(out, hit)
			}
			return out
		},
	})
}

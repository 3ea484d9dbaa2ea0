package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// propertyAddedWithDefault: a required property with a default was added.
func propertyAddedWithDefault() rule.Rule {
	return rule.Rule{
		ID: "property-added-with-default", Subject: "object",
		When: "A required property with a default was added.",
		In:   rule.Same(rule.Proof), Out: rule.Same(rule.Proof),
		SafeIn:  rule.DefaultFilled,
		SafeOut: rule.Projected,
		HarmIn:  "A caller built against the old contract does not send it and is refused, where nobody fills the default.",
		HarmOut: "A caller that refuses unknown members is given one.",
		Remedy:  "Make it optional: a default already says what its absence means.",
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			for _, name := range added(p) {
				if p.New.Required()[name] && p.New.Properties()[name].Has("default") {
					out = append(out, at(p, name, "required property "+name+" with a default was added"))
				}
			}
			return out
		},
	}
}

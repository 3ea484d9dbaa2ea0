package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// propertyAddedRequired: a required property without a default was added.
func propertyAddedRequired() rule.Rule {
	return rule.Rule{
		ID: "property-added-required", Subject: "object",
		When: "A required property without a default was added.",
		In:   rule.Same(rule.Proof), Out: rule.Same(rule.Proof),
		SafeOut: rule.Projected,
		HarmIn:  "A caller built against the old contract does not send it and is refused.",
		HarmOut: "A caller that refuses unknown members is given one.",
		Remedy:  "Make it optional, or give it a default.",
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			for _, name := range added(p) {
				if p.New.Required()[name] && !p.New.Properties()[name].Has("default") {
					out = append(out, at(p, name, "required property "+name+" was added"))
				}
			}
			return out
		},
	}
}

package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// propertyAdded: an optional property was added.
func propertyAdded() rule.Rule {
	return rule.Rule{
		ID: "property-added", Subject: "object",
		When: "An optional property was added.",
		In:   rule.Same(rule.Proof), Out: rule.Same(rule.Proof),
		SafeIn:  rule.UndeclaredRefused,
		SafeOut: rule.Projected,
		HarmIn:  "A caller that already sent something else under this name is refused.",
		HarmOut: "A caller that refuses unknown members is given one.",
		Remedy:  "Publish it as a new major version where the object is open to members that are not declared; closed objects may grow.",
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			for _, name := range added(p) {
				if !p.New.Required()[name] {
					out = append(out, at(p, name, "optional property "+name+" was added"))
				}
			}
			return out
		},
	}
}

package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// propertyRemoved: a property was removed.
func propertyRemoved() rule.Rule {
	return rule.Rule{
		ID: "property-removed", Subject: "object",
		When: "A property was removed.",
		In:   rule.Modes{Strict: rule.Proof, Tool: rule.Break}, Out: rule.Same(rule.Proof),
		HarmIn:  "What a caller sends under this name is refused or silently ignored.",
		HarmOut: "A caller that reads it finds nothing, or a value of any kind.",
		Remedy:  "Keep it, marked deprecated, until its callers have moved.",
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			renamed := renames(p)
			for _, name := range removed(p) {
				if _, moved := renamed[name]; !moved {
					out = append(out, at(p, name, "property "+name+" was removed"))
				}
			}
			return out
		},
	}
}

package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// propertyRenamed: a property was removed and one with the same schema was added under a near name.
func propertyRenamed() rule.Rule {
	return rule.Rule{
		ID: "property-renamed", Subject: "object",
		When: "A property was removed and one with the same schema was added under a near name.",
		In:   rule.Modes{Strict: rule.Proof, Tool: rule.Break}, Out: rule.Modes{Strict: rule.Proof, Tool: rule.Break},
		HarmIn:  "A caller sends the old name, which is refused or silently ignored.",
		HarmOut: "A caller that reads the old name finds nothing.",
		Remedy:  "Keep the old name beside the new one, marked deprecated.",
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			renamed := renames(p)
			for _, name := range rule.Names(renamed) {
				hit := at(p, name, "property "+name+" seems to be called "+renamed[name]+" now")
				hit.Renamed = renamed[name]
				hit.New = p.New.Properties()[renamed[name]].At
				out = append(out, hit)
			}
			return out
		},
	}
}

package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// dependencyRemoved: a member asks for others no more, or for fewer of them.
func dependencyRemoved() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "dependency-removed", Subject: "object",
		When:    "A member asks for others no more, or for fewer of them.",
		HarmOut: "A caller that relies on the others may find nothing.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return dependencies(p, p.New, p.Old, "is no longer asked for by", "asks for less now")
		},
	})
}

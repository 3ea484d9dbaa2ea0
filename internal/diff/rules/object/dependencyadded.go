package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// dependencyAdded: a member that is sent asks for others, or for more of them.
func dependencyAdded() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "dependency-added", Subject: "object",
		When:   "A member that is sent asks for others, or for more of them.",
		HarmIn: "A caller that sends the one without the others is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return dependencies(p, p.Old, p.New, "is asked for by", "asks for more now")
		},
	})
}

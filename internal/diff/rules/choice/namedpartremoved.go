package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// namedPartRemoved: a member of allOf that only its name tells from another one
// was removed.
func namedPartRemoved() rule.Rule {
	return rule.Rule{
		ID: "named-part-removed", Subject: "meaning",
		When:    "A member of allOf that differs from another one by its component's name alone was removed.",
		In:      rule.Same(rule.OK),
		Out:     rule.Same(rule.Break),
		HarmOut: "A caller may be given what is not of the kind that it was promised.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return twins(p, p.New, p.Old, "a part that only its name tells apart was removed", "allOf")
		},
	}
}

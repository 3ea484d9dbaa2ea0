package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// namedPartAdded: a member of allOf that only its name tells from another one
// was added.
func namedPartAdded() rule.Rule {
	return rule.Rule{
		ID: "named-part-added", Subject: "meaning",
		When:   "A member of allOf that differs from another one by its component's name alone was added.",
		In:     rule.Same(rule.Break),
		Out:    rule.Same(rule.OK),
		HarmIn: "A caller is asked to be of a kind that nothing in its value shows.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return twins(p, p.Old, p.New, "a part that only its name tells apart was added", "allOf")
		},
	}
}

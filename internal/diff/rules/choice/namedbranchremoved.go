package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// namedBranchRemoved: an alternative that only its name told from another one was
// removed.
func namedBranchRemoved() rule.Rule {
	return rule.Rule{
		ID: "named-branch-removed", Subject: "meaning",
		When:   "An alternative that differs from another one by its component's name alone was removed.",
		In:     rule.Same(rule.Break),
		Out:    rule.Same(rule.OK),
		HarmIn: "A caller that means the alternative by its name is taken to mean another one.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return twins(p, p.New, p.Old, "an alternative that only its name tells apart was removed", "anyOf", "oneOf")
		},
	}
}

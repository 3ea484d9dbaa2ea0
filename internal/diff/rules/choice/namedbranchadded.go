package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// namedBranchAdded: an alternative that only its name told from another one was
// added.
func namedBranchAdded() rule.Rule {
	return rule.Rule{
		ID: "named-branch-added", Subject: "meaning",
		When:    "An alternative that differs from another one by its component's name alone was added.",
		In:      rule.Same(rule.OK),
		Out:     rule.Same(rule.Break),
		HarmOut: "A caller takes the alternative for another one, because nothing in the value tells them apart.",
		Remedy:  "Give the alternatives a member that tells them apart, or publish a new major version.",
		Schema: func(p *rule.Pair) []rule.Hit {
			return twins(p, p.Old, p.New, "an alternative that only its name tells apart was added", "anyOf", "oneOf")
		},
	}
}

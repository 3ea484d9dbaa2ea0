package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// branchRemoved: an alternative was removed.
func branchRemoved() rule.Rule {
	return rule.Rule{
		ID: "branch-removed", Subject: "choice",
		When: "An alternative was removed.",
		In:   rule.Same(rule.Proof), Out: rule.Same(rule.Proof),
		HarmIn:  "A caller that uses the alternative is refused.",
		HarmOut: "A caller may be given what only the alternative kept out.",
		Remedy:  rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return branches(p, p.New, p.Old, "an alternative was removed: ")
		},
	}
}

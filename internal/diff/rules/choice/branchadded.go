package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// branchAdded: an alternative was added.
func branchAdded() rule.Rule {
	return rule.Rule{
		ID: "branch-added", Subject: "choice",
		When: "An alternative was added.",
		In:   rule.Same(rule.Proof), Out: rule.Same(rule.Proof),
		HarmIn:  "A value that two alternatives of oneOf let through is refused.",
		HarmOut: "A caller may be given an alternative that it does not know.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			return branches(p, p.Old, p.New, "an alternative was added: ")
		},
	}
}

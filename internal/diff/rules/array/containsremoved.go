package array

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// containsRemoved: a list need not hold an element of a kind any more.
func containsRemoved() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "contains-removed", Subject: "array",
		When:    "A list need not hold an element of a kind any more.",
		HarmOut: "A caller that relies on such an element may find none.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if !p.Old.Has("contains") || p.New.Has("contains") {
				return nil
			}
			return p.One("the list need not hold an element that fits a schema any more", "contains")
		},
	})
}

package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// streamUntyped: the items of a stream have no schema any more.
func streamUntyped() rule.Rule {
	return rule.Rule{
		ID: "stream-untyped", Subject: "web",
		When: "The items of a stream have no schema any more.",
		In:   rule.Same(rule.OK), Out: rule.Same(rule.Break), HarmOut: "A caller may be given items of another form.",
		Remedy: rule.RemedyOutput,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return streams(old, new, "the items have no schema any more")
		},
	}
}

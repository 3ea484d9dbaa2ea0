package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// contentSchemaRemoved: the content inside text need not fit its schema any more.
func contentSchemaRemoved() rule.Rule {
	return rule.Rule{
		ID: "content-schema-removed", Subject: "meaning",
		When: "The content inside text need not fit its schema any more.",
		In:   rule.Same(rule.OK), Out: rule.Same(rule.Break),
		HarmOut: "A caller may be given content of another form.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if s := said(p.Old, "contentSchema"); s == "" || s == said(p.New, "contentSchema") {
				return nil
			}
			return p.One("the content need not fit its old schema any more", "contentSchema")
		},
	}
}

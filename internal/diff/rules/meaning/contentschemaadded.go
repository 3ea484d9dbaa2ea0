package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// contentSchemaAdded: the content inside text has to fit a schema now, or another one.
func contentSchemaAdded() rule.Rule {
	return rule.Rule{
		ID: "content-schema-added", Subject: "meaning",
		When: "The content inside text has to fit a schema now, or another one.",
		In:   rule.Same(rule.Break), Out: rule.Same(rule.OK),
		HarmIn: "A caller whose content does not fit is refused or misread.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if s := said(p.New, "contentSchema"); s == "" || s == said(p.Old, "contentSchema") {
				return nil
			}
			return p.One("the content has to fit another schema", "contentSchema")
		},
	}
}

package meaning

import (
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// semanticIDChanged: what a field is was declared to be something else.
func semanticIDChanged() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "semantic-id-changed", Subject: "meaning",
		When:   "What a field is was declared to be something else.",
		HarmIn: "A caller takes the field for what it was.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return fields(old, new, "what it is", func(f interlock.FieldMeaning) string { return f.SemanticID })
		},
	})
}

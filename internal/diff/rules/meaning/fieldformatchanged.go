package meaning

import (
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// fieldFormatChanged: the declared format of a field was changed.
func fieldFormatChanged() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "field-format-changed", Subject: "meaning",
		When:   "The declared format of a field was changed.",
		HarmIn: "What one side writes the other misreads.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return fields(old, new, "the format", func(f interlock.FieldMeaning) string { return f.Format })
		},
	})
}

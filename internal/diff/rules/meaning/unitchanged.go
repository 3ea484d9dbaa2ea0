package meaning

import (
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// unitChanged: the declared unit of a field was changed.
func unitChanged() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "unit-changed", Subject: "meaning",
		When:   "The declared unit of a field was changed.",
		HarmIn: "A caller reads or writes numbers that are wrong by the factor between the units.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return fields(old, new, "the unit", func(f interlock.FieldMeaning) string { return f.Unit })
		},
	})
}

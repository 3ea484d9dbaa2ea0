package meaning

import (
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// qualifierChanged: a declared qualifier of a field was changed.
func qualifierChanged() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "qualifier-changed", Subject: "meaning",
		When:   "A declared qualifier of a field was changed.",
		HarmIn: "A caller takes the field for a quantity that it is not.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return fields(old, new, "a qualifier", func(f interlock.FieldMeaning) string { return qualifiers(f, false) })
		},
	})
}

package meaning

import (
	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// pagingChanged: a promise about paging, order or completeness was changed or dropped.
func pagingChanged() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "paging-changed", Subject: "meaning",
		When:   "A promise about paging, order or completeness was changed or dropped.",
		HarmIn: "A caller that stops where the old promise let it stop misses results.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			return fields(old, new, "the paging promise", func(f interlock.FieldMeaning) string { return qualifiers(f, true) })
		},
	})
}

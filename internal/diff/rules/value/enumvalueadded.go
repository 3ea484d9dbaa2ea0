package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// enumValueAdded: a value was added to a closed set.
func enumValueAdded() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "enum-value-added", Subject: "value",
		When:    "A value was added to a closed set.",
		HarmOut: "A caller may be given a value that it does not know.",
		Remedy:  "Add values only to sets that callers were told may grow; else publish a new major version.",
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is, ok := enums(p)
			if !ok {
				return nil
			}
			return values(p, beyond(is, was), "was added")
		},
	})
}

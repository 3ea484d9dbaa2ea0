package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// inputSchemaRemoved: arguments need fit no schema any more.
func inputSchemaRemoved() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "input-schema-removed", Subject: "promise",
		When:   "Arguments need fit no schema any more.",
		Remedy: rule.RemedyNothing,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if stated(old.InputSchema) && !stated(new.InputSchema) {
				return []rule.Hit{{Old: "/input_schema", New: "/input_schema", What: "the input schema was removed", Direction: rule.Input}}
			}
			return nil
		},
	})
}

package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// inputSchemaAdded: arguments have to fit a schema now.
func inputSchemaAdded() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "input-schema-added", Subject: "promise",
		When:   "Arguments have to fit a schema now.",
		HarmIn: "A caller whose arguments do not fit is refused.",
		Remedy: rule.RemedyInput,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if !stated(old.InputSchema) && stated(new.InputSchema) {
				return []rule.Hit{{Old: "/input_schema", New: "/input_schema", What: "an input schema was added", Direction: rule.Input}}
			}
			return nil
		},
	})
}

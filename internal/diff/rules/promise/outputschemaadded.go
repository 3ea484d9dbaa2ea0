package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// outputSchemaAdded: results have a schema now.
func outputSchemaAdded() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "output-schema-added", Subject: "promise",
		When:   "Results have a schema now.",
		Remedy: rule.RemedyNothing,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if !stated(old.OutputSchema) && stated(new.OutputSchema) {
				return []rule.Hit{{Old: "/output_schema", New: "/output_schema", What: "an output schema was added", Direction: rule.Output}}
			}
			return nil
		},
	})
}

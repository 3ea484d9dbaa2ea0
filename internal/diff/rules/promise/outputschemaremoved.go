package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// outputSchemaRemoved: results have no schema any more.
func outputSchemaRemoved() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "output-schema-removed", Subject: "promise",
		When:   "Results have no schema any more.",
		HarmIn: "A caller may be given anything.",
		Remedy: "Keep the schema, or publish a new major version.",
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if stated(old.OutputSchema) && !stated(new.OutputSchema) {
				return []rule.Hit{{Old: "/output_schema", New: "/output_schema", What: "the output schema was removed", Direction: rule.Output}}
			}
			return nil
		},
	})
}

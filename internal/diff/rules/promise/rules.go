package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// Rules lists the rules of this folder.
func Rules() []rule.Rule {
	return []rule.Rule{
		effectStrengthened(),
		effectWeakened(),
		idempotencyLost(),
		idempotencyGained(),
		errorRemoved(),
		errorAdded(),
		errorMeaningChanged(),
		scopeAdded(),
		scopeRemoved(),
		outputSchemaRemoved(),
		outputSchemaAdded(),
		inputSchemaAdded(),
		inputSchemaRemoved(),
	}
}

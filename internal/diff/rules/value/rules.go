package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// Rules lists the rules of this folder.
func Rules() []rule.Rule {
	return []rule.Rule{
		typeNarrowed(),
		typeWidened(),
		typeReplaced(),
		becameNullable(),
		noLongerNullable(),
		enumValueAdded(),
		enumValueRemoved(),
		valuesClosed(),
		valuesOpened(),
		constantChanged(),
		upperBoundLowered(),
		upperBoundRaised(),
		lowerBoundRaised(),
		lowerBoundLowered(),
		multipleCoarsened(),
		multipleRefined(),
		multipleChanged(),
		patternAdded(),
		patternRemoved(),
		patternChanged(),
	}
}

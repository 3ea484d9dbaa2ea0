package array

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// Rules lists the rules of this folder.
func Rules() []rule.Rule {
	return []rule.Rule{
		uniqueSet(),
		uniqueUnset(),
		tupleExtended(),
		tupleCut(),
		itemsConstrained(),
		itemsFreed(),
		containsAdded(),
		containsRemoved(),
	}
}

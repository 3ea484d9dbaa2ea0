package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// Rules lists the rules of this folder.
func Rules() []rule.Rule {
	return []rule.Rule{
		propertyAdded(),
		propertyAddedRequired(),
		propertyAddedWithDefault(),
		propertyRemoved(),
		propertyRenamed(),
		propertyBecameRequired(),
		propertyBecameRequiredWithDefault(),
		propertyBecameOptional(),
		objectClosed(),
		objectOpened(),
		restConstrained(),
		restFreed(),
		memberPatternAdded(),
		memberPatternRemoved(),
		namesConstrained(),
		namesFreed(),
		dependencyAdded(),
		dependencyRemoved(),
	}
}

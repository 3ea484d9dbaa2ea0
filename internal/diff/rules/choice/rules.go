package choice

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// Rules lists the rules of this folder.
func Rules() []rule.Rule {
	return []rule.Rule{
		namedBranchAdded(),
		namedBranchRemoved(),
		namedPartAdded(),
		namedPartRemoved(),
		branchAdded(),
		branchRemoved(),
		choiceAdded(),
		choiceRemoved(),
		exclusionAdded(),
		exclusionRemoved(),
		conditionAdded(),
		conditionRemoved(),
		conditionChanged(),
		neverFits(),
		fitsAgain(),
	}
}

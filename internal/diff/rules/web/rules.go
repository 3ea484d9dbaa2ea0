package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// Rules lists the rules of this folder.
func Rules() []rule.Rule {
	return []rule.Rule{
		answerStatusRemoved(),
		answerStatusAdded(),
		answerMediaRemoved(),
		answerMediaAdded(),
		bodyMediaRemoved(),
		bodyMediaAdded(),
		streamTyped(),
		streamUntyped(),
		headerChanged(),
		securityTightened(),
		securityLoosened(),
	}
}

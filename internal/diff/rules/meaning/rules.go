package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// Rules lists the rules of this folder.
func Rules() []rule.Rule {
	return []rule.Rule{
		formatAdded(),
		textAmbiguous(),
		formatRemoved(),
		formatWidened(),
		formatNarrowed(),
		formatChanged(),
		contentEncodingChanged(),
		contentMediaChanged(),
		contentSchemaAdded(),
		contentSchemaRemoved(),
		defaultChanged(),
		defaultAdded(),
		defaultRemoved(),
		semanticIDChanged(),
		unitChanged(),
		qualifierChanged(),
		fieldFormatChanged(),
		pagingChanged(),
		meaningAdded(),
	}
}

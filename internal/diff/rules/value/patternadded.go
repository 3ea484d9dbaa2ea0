package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// patternAdded: text has to match a pattern now.
func patternAdded() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "pattern-added", Subject: "value",
		When:   "Text has to match a pattern now.",
		HarmIn: "A caller whose text does not match is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := patterns(p)
			if len(beyond(was, is)) > 0 {
				return nil
			}
			return values(p, beyond(is, was), "is the pattern of text now")
		},
	})
}

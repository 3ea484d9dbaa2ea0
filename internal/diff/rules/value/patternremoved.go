package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// patternRemoved: text need not match a pattern any more.
func patternRemoved() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "pattern-removed", Subject: "value",
		When:    "Text need not match a pattern any more.",
		HarmOut: "A caller may be given text of another form.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := patterns(p)
			if len(beyond(is, was)) > 0 {
				return nil
			}
			return values(p, beyond(was, is), "is the pattern of text no more")
		},
	})
}

package value

import (
	"fmt"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// patternChanged: text has to match another pattern.
func patternChanged() rule.Rule {
	return rule.Replacing(rule.Rule{
		ID: "pattern-changed", Subject: "value",
		When:    "Text has to match another pattern.",
		HarmIn:  "A caller whose text matches the old pattern alone is refused.",
		HarmOut: "A caller may be given text of another form.",
		Remedy:  rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := patterns(p)
			if len(beyond(was, is)) == 0 || len(beyond(is, was)) == 0 {
				return nil
			}
			return p.One(fmt.Sprintf("the pattern went from %s to %s", rule.Text(was[0]), rule.Text(is[0])), "pattern")
		},
	})
}

package array

import (
	"fmt"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// tupleExtended: more positions of a list have a schema of their own.
func tupleExtended() rule.Rule {
	return rule.Replacing(rule.Rule{
		ID: "tuple-extended", Subject: "array",
		When:    "More positions of a list have a schema of their own.",
		HarmIn:  "A caller that sends something else there is refused.",
		HarmOut: "A caller may be given more elements than it knows.",
		Remedy:  rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			if was, is := len(p.Old.Tuple()), len(p.New.Tuple()); was < is {
				return p.One(fmt.Sprintf("the positions described went from %d to %d", was, is), "prefixItems", "items")
			}
			return nil
		},
	})
}

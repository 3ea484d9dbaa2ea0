package array

import (
	"fmt"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// tupleCut: fewer positions of a list have a schema of their own.
func tupleCut() rule.Rule {
	return rule.Replacing(rule.Rule{
		ID: "tuple-cut", Subject: "array",
		When:    "Fewer positions of a list have a schema of their own.",
		HarmIn:  "A caller that sends something there may be refused.",
		HarmOut: "A caller may be given something else there.",
		Remedy:  rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			if was, is := len(p.Old.Tuple()), len(p.New.Tuple()); was > is {
				return p.One(fmt.Sprintf("the positions described went from %d to %d", was, is), "prefixItems", "items")
			}
			return nil
		},
	})
}

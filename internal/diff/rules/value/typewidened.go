package value

import (
	"fmt"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// typeWidened: more types are let through.
func typeWidened() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "type-widened", Subject: "value",
		When:    "More types are let through.",
		HarmOut: "A caller may be given a type that it does not know.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := kinds(p)
			if was == is || was&^is != 0 {
				return nil
			}
			return p.One(fmt.Sprintf("the type went from %s to %s", p.Old.Types(), p.New.Types()), "type", "enum", "const")
		},
	})
}

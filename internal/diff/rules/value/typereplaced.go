package value

import (
	"fmt"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// typeReplaced: another type is let through in place of the old one.
func typeReplaced() rule.Rule {
	return rule.Replacing(rule.Rule{
		ID: "type-replaced", Subject: "value",
		When:    "Another type is let through in place of the old one.",
		HarmIn:  "What a caller sends is refused.",
		HarmOut: "A caller is given a type that it does not know.",
		Remedy:  rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := kinds(p)
			if was&^is == 0 || is&^was == 0 {
				return nil
			}
			return p.One(fmt.Sprintf("the type went from %s to %s", p.Old.Types(), p.New.Types()), "type", "enum", "const")
		},
	})
}

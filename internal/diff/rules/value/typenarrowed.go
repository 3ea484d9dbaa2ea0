package value

import (
	"fmt"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// typeNarrowed: fewer types are let through.
func typeNarrowed() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "type-narrowed", Subject: "value",
		When:   "Fewer types are let through.",
		HarmIn: "A caller that sends one of the types left out is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is := kinds(p)
			if was == is || is&^was != 0 {
				return nil
			}
			return p.One(fmt.Sprintf("the type went from %s to %s", p.Old.Types(), p.New.Types()), "type", "enum", "const")
		},
	})
}

package value

import (
	"fmt"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// constantChanged: the only value that is let through became another one.
func constantChanged() rule.Rule {
	return rule.Replacing(rule.Rule{
		ID: "constant-changed", Subject: "value",
		When:    "The only value that is let through became another one.",
		HarmIn:  "What a caller sends is refused.",
		HarmOut: "A caller is given a value that it does not know.",
		Remedy:  rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, _ := p.Old.Enum()
			is, _ := p.New.Enum()
			if len(was) != 1 || len(is) != 1 || rule.Canonical(was) == rule.Canonical(is) {
				return nil
			}
			return p.One(fmt.Sprintf("the only value went from %s to %s", rule.Text(was[0]), rule.Text(is[0])), "const", "enum")
		},
	})
}

package value

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// enumValueRemoved: a value was removed from a closed set.
func enumValueRemoved() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "enum-value-removed", Subject: "value",
		When:   "A value was removed from a closed set.",
		HarmIn: "A caller that sends the value is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, is, ok := enums(p)
			if !ok {
				return nil
			}
			return values(p, beyond(was, is), "was removed")
		},
	})
}

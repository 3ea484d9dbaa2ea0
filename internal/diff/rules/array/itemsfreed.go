package array

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// itemsFreed: elements need fit no schema any more.
func itemsFreed() rule.Rule {
	return rule.Widening(rule.Rule{
		ID: "items-freed", Subject: "array",
		When:    "Elements need fit no schema any more.",
		HarmOut: "A caller may be given elements of another kind.",
		Remedy:  rule.RemedyOutput,
		Schema: func(p *rule.Pair) []rule.Hit {
			was, stated := p.Old.Items()
			_, is := p.New.Items()
			if is || !stated || was.Value == true {
				return nil
			}
			return p.One("further elements are limited no more", "items", "additionalItems", "unevaluatedItems")
		},
	})
}

package array

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// containsAdded: a list has to hold an element of a kind.
func containsAdded() rule.Rule {
	return rule.Narrowing(rule.Rule{
		ID: "contains-added", Subject: "array",
		When:   "A list has to hold an element of a kind.",
		HarmIn: "A caller whose list holds none is refused.",
		Remedy: rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			if p.Old.Has("contains") || !p.New.Has("contains") {
				return nil
			}
			return p.One("the list has to hold an element that fits a schema now", "contains")
		},
	})
}

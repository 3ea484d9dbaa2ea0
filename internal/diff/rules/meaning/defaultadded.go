package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// defaultAdded: a default is stated now.
func defaultAdded() rule.Rule {
	return rule.Rule{
		ID: "default-added", Subject: "meaning",
		When: "A default is stated now.",
		In:   rule.Same(rule.OK), Out: rule.Same(rule.OK),
		Remedy: rule.RemedyNothing,
		Schema: func(p *rule.Pair) []rule.Hit {
			is, two := p.New.First("default")
			if p.Old.Has("default") || !two {
				return nil
			}
			return p.One("the default is "+rule.Text(is.Value)+" now", "default")
		},
	}
}

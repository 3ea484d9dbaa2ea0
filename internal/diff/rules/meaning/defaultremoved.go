package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// defaultRemoved: a default is stated no more.
func defaultRemoved() rule.Rule {
	return rule.Rule{
		ID: "default-removed", Subject: "meaning",
		When: "A default is stated no more.",
		In:   rule.Modes{Strict: rule.OK, Tool: rule.Break}, Out: rule.Same(rule.OK),
		HarmIn: "A caller that leaves the argument out no longer knows what it gets.",
		Remedy: "Keep the default, or publish a new major version.",
		Schema: func(p *rule.Pair) []rule.Hit {
			was, one := p.Old.First("default")
			if !one || p.New.Has("default") {
				return nil
			}
			return p.One("the default "+rule.Text(was.Value)+" is stated no more", "default")
		},
	}
}

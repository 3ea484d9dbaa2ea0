package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// defaultChanged: the default became another value.
func defaultChanged() rule.Rule {
	return rule.Rule{
		ID: "default-changed", Subject: "meaning",
		When: "The default became another value.",
		In:   rule.Modes{Strict: rule.OK, Tool: rule.Break}, Out: rule.Same(rule.OK),
		HarmIn: "A caller that leaves the argument out gets another meaning for the same call.",
		Remedy: "Keep the default, or publish a new major version.",
		Schema: func(p *rule.Pair) []rule.Hit {
			was, one := p.Old.First("default")
			is, two := p.New.First("default")
			if !one || !two || rule.Canonical(was.Value) == rule.Canonical(is.Value) {
				return nil
			}
			return p.One("the default went from "+rule.Text(was.Value)+" to "+rule.Text(is.Value), "default")
		},
	}
}

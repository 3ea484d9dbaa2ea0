package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// memberPatternAdded: a schema for members by pattern was added.
func memberPatternAdded() rule.Rule {
	return rule.Rule{
		ID: "member-pattern-added", Subject: "object",
		When: "A schema for members by pattern was added.",
		In:   rule.Same(rule.Proof), Out: rule.Same(rule.Proof),
		SafeIn:  rule.UndeclaredRefused,
		SafeOut: rule.Projected,
		HarmIn:  "A caller whose members match the pattern and do not fit is refused.",
		HarmOut: "A caller that refuses unknown members may be given some.",
		Remedy:  rule.RemedyInput,
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			old := p.Old.Map("patternProperties")
			for _, name := range rule.Names(p.New.Map("patternProperties")) {
				if _, known := old[name]; !known {
					out = append(out, p.Hit("members that match "+name+" have a schema now", "patternProperties"))
				}
			}
			return out
		},
	}
}

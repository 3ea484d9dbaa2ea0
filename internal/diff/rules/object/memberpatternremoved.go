package object

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// memberPatternRemoved: a schema for members by pattern was removed.
func memberPatternRemoved() rule.Rule {
	return rule.Rule{
		ID: "member-pattern-removed", Subject: "object",
		When: "A schema for members by pattern was removed.",
		In:   rule.Same(rule.Proof), Out: rule.Same(rule.Proof),
		SafeIn:  rule.UndeclaredRefused,
		SafeOut: rule.Projected,
		HarmIn:  "A caller whose members match the pattern may be refused.",
		HarmOut: "A caller that reads such members may find values of another kind.",
		Remedy:  rule.RemedyMajor,
		Schema: func(p *rule.Pair) []rule.Hit {
			var out []rule.Hit
			now := p.New.Map("patternProperties")
			for _, name := range rule.Names(p.Old.Map("patternProperties")) {
				if _, known := now[name]; !known {
					out = append(out, p.Hit("members that match "+name+" have no schema any more", "patternProperties"))
				}
			}
			return out
		},
	}
}

package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// securityLoosened: a way to prove who calls was added, or asks for less.
func securityLoosened() rule.Rule {
	return rule.Promise(rule.OK, rule.Rule{
		ID: "security-loosened", Subject: "web",
		When:   "A way to prove who calls was added, or asks for less.",
		Remedy: rule.RemedyNothing,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if old.Web == nil || new.Web == nil {
				return nil
			}
			var out []rule.Hit
			for _, way := range ways(new) {
				if !served(way, ways(old)) {
					out = append(out, rule.Hit{Old: old.Web.Pointer, New: new.Web.Pointer, What: "a call with " + spell(way) + " is enough now", Direction: rule.Promises})
				}
			}
			return out
		},
	})
}

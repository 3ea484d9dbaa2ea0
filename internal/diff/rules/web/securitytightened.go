package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// securityTightened: a way to prove who calls was removed, or asks for more.
func securityTightened() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "security-tightened", Subject: "web",
		When:   "A way to prove who calls was removed, or asks for more.",
		HarmIn: "A caller whose credential was enough is refused.",
		Remedy: "Keep the old way until its callers have moved.",
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if old.Web == nil || new.Web == nil {
				return nil
			}
			var out []rule.Hit
			for _, way := range ways(old) {
				if !served(way, ways(new)) {
					out = append(out, rule.Hit{Old: old.Web.Pointer, New: new.Web.Pointer, What: "a call with " + spell(way) + " is not enough any more", Direction: rule.Promises})
				}
			}
			return out
		},
	})
}

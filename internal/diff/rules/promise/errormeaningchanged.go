package promise

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// errorMeaningChanged: a documented failure means something else under the same code.
func errorMeaningChanged() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "error-meaning-changed", Subject: "promise",
		When:   "A documented failure means something else under the same code.",
		HarmIn: "A caller that branches on the code does the wrong thing.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			var out []rule.Hit
			now := errorsByCode(new)
			was := errorsByCode(old)
			for _, code := range rule.Names(was) {
				if is := now[code]; is != "" && is != was[code] {
					out = append(out, rule.Hit{What: "failure " + code + " meant " + was[code] + " and means " + is + " now", Direction: rule.Promises, Old: errorAt(old, code), New: errorAt(new, code)})
				}
			}
			return out
		},
	})
}

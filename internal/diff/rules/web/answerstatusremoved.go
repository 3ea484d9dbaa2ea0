package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// answerStatusRemoved: a success is answered with another status.
func answerStatusRemoved() rule.Rule {
	return rule.Promise(rule.Break, rule.Rule{
		ID: "answer-status-removed", Subject: "web",
		When:   "A success is answered with another status.",
		HarmIn: "A caller that waits for the old status takes the answer for a failure.",
		Remedy: rule.RemedyMajor,
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if old.Web == nil || new.Web == nil {
				return nil
			}
			var out []rule.Hit
			for _, a := range old.Web.Answers {
				if answer(new, a.Status) == nil {
					out = append(out, rule.Hit{Old: a.Pointer, New: new.Web.Pointer, What: "success " + a.Status + " is documented no more", Direction: rule.Output})
				}
			}
			return out
		},
	})
}

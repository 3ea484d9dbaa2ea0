package web

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// headerChanged: a header of an answer was changed or removed.
func headerChanged() rule.Rule {
	return rule.Rule{
		ID: "header-changed", Subject: "web",
		When: "A header of an answer was changed or removed.",
		In:   rule.Same(rule.OK), Out: rule.Modes{Strict: rule.Break, Tool: rule.OK}, HarmOut: "A program that reads the header itself is given another one.",
		SafeOut: rule.Projected,
		HarmIn:  "A program that reads the header itself is given another one.",
		Remedy:  "Programs that call the service themselves should be told.",
		Contract: func(old, new *rule.Contract) []rule.Hit {
			if old.Web == nil || new.Web == nil {
				return nil
			}
			var out []rule.Hit
			for _, h := range old.Web.Headers {
				if a := answer(new, h.Status); a == nil {
					continue
				}
				now := header(new, h)
				if now == nil {
					out = append(out, rule.Hit{Old: h.Pointer, New: new.Web.Pointer, What: "header " + h.Name + " was removed", Direction: rule.Output})
				} else if now.Text != h.Text {
					out = append(out, rule.Hit{Old: h.Pointer, New: now.Pointer, What: "header " + h.Name + " was changed", Direction: rule.Output})
				}
			}
			return out
		},
	}
}

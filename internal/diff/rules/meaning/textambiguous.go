package meaning

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// textAmbiguous: a value that is written as text may be read as more than
// text now.
func textAmbiguous() rule.Rule {
	return rule.Rule{
		ID: "text-ambiguous", Subject: "meaning",
		When:   "A parameter that was text may be a number or a truth value as well, and nothing in a request tells them apart.",
		In:     rule.Same(rule.Break),
		Out:    rule.Same(rule.OK),
		HarmIn: "A caller that sends the text 5 may be taken to send the number.",
		Remedy: "Add a second parameter for the other type.",
		Schema: func(p *rule.Pair) []rule.Hit {
			scalar := rule.Number | rule.Boolean
			was, is := p.Old.Types(), p.New.Types()
			if !p.Text || was&rule.String == 0 || was&scalar != 0 || is&scalar == 0 || is&rule.String == 0 {
				return nil
			}
			return p.One("the parameter may be "+is.String()+" now", "type", "anyOf", "oneOf")
		},
	}
}

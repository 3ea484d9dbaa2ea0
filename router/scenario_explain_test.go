package router_test

import (
	"fmt"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// printExplanation prints what does not change with the weights of evidence:
// what was heard, the stages, the kinds of evidence and what would change.
func (w *world) printExplanation(x interlock.Explanation) {
	h := x.Heard
	w.printf("heard %s acts=%v objects=%v values=%v unknown=%v", h.Language, h.Acts, h.Objects, h.Values, h.Unknown)
	s := x.Stages
	w.printf("stages view=%d compatible=%d denied=%d incompatible=%d scored=%d confident=%d fit=%d unfit=%v required=%d further=%d shown=%d left=%d", s.View,
		s.Eligible.Compatible, s.Eligible.Denied, s.Eligible.Incompatible, s.Discover.Scored, s.Discover.Confident, s.Fit.Fit, s.Fit.Unfit,
		s.Dispose.Required, s.Dispose.Further, s.Disclose.Shown, s.Disclose.LeftOut)
	for _, c := range x.Candidates {
		var kinds []string
		for _, e := range c.Evidence {
			kind := strings.ReplaceAll(e.Kind, " ", "-")
			for _, word := range e.Words {
				kind += ":" + word.Word
			}
			kinds = append(kinds, kind)
		}
		w.printf("  %s %s %v by %s", c.Part, c.Tool, c.Reasons, strings.Join(kinds, " "))
	}
	for _, c := range x.Changes {
		w.printf("would change: %s", strings.TrimSpace(fmt.Sprintf("%s %s", c.Text, join(c.Member, string(c.Value)))))
	}
}

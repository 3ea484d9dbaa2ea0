package registry

import (
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff"
)

// refuted tells of declared edges that name a version which nobody publishes,
// and of those that a proof contradicts. They stay on record and carry nobody:
// the first until that version is there, the second unless they are forced.
func (p *plan) refuted(put []interlock.ToolRecord) {
	known := map[string]interlock.ToolRecord{}
	for _, t := range p.before.apply(interlock.Change{PutTools: put}).Tools {
		known[place(t.Family, t.Version)] = t
	}
	for i, e := range p.cat.Edges {
		if e.Force || e.Compat == interlock.None {
			continue
		}
		from, okFrom := known[place(e.Family, e.From)]
		to, okTo := known[place(e.Family, e.To)]
		if !okFrom || !okTo || from.Contract == to.Contract {
			continue
		}
		if report := p.contrast(from, to); report.Verdict == diff.None {
			p.findings = append(p.findings, interlock.Finding{Pointer: fmt.Sprintf("/edges/%d", i),
				Reason: fmt.Sprintf("declared %s from %s to %s, and a proof says that callers break (%s); it carries nobody unless it says force", e.Compat, e.From, e.To, breaks(report))})
		}
	}
}

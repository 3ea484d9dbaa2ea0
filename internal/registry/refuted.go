package registry

import (
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff"
)

// refuted tells of declared edges that name a version which nobody publishes,
// and of those that a proof contradicts. They stay on record and carry nobody:
// the first until that version is there, the second unless they are forced.
func (p *plan) refuted(put []interlock.ToolRecord) {
	if len(p.cat.Edges) == 0 {
		return
	}
	after := p.before.apply(interlock.Change{PutTools: put}).places()
	known := func(family, version string) *interlock.ToolRecord {
		all := after.at(placeOf(family, version))
		if len(all) == 0 {
			return nil
		}
		return all[len(all)-1]
	}
	for i, e := range p.cat.Edges {
		p.absent(i, e, put)
		if e.Force || e.Compat == interlock.None {
			continue
		}
		from, to := known(e.Family, e.From), known(e.Family, e.To)
		if from == nil || to == nil || from.Contract == to.Contract {
			continue
		}
		if report := p.contrast(*from, *to); report.Verdict == diff.None {
			p.findings = append(p.findings, interlock.Finding{Pointer: fmt.Sprintf("/edges/%d", i),
				Reason: fmt.Sprintf("declared %s from %s to %s, and a proof says that callers break (%s); it carries nobody unless it says force", e.Compat, e.From, e.To, breaks(report))})
		}
	}
}

// absent tells of the versions that an edge names and nobody publishes, or ever
// did.
func (p *plan) absent(i int, e interlock.Edge, put []interlock.ToolRecord) {
	for _, end := range [...]struct{ member, version string }{{"from", e.From}, {"to", e.To}} {
		if !p.published(e.Family, end.version, put) {
			p.findings = append(p.findings, interlock.Finding{Pointer: fmt.Sprintf("/edges/%d/%s", i, end.member),
				Reason: fmt.Sprintf("nobody publishes %s %s; the edge says nothing until somebody does", e.Family, end.version)})
		}
	}
}

// published reports whether some tool has a version of a family, or had it.
func (p *plan) published(family, version string, put []interlock.ToolRecord) bool {
	at := placeOf(family, version)
	has := func(t *interlock.ToolRecord) bool {
		return recordPlace(t) == at ||
			t.Family == family && slices.ContainsFunc(t.Past, func(c interlock.Contracted) bool { return placeOf(family, c.Version) == at })
	}
	return slices.ContainsFunc(put, func(t interlock.ToolRecord) bool { return has(&t) }) || slices.ContainsFunc(p.before.Tools, has)
}

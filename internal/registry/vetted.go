package registry

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/vet"
)

// unnamed keeps out a tool whose very name must not be shown: there is nothing
// to list it by. It gives the finding; nil where the name may stand.
func unnamed(at string, flags []vet.Flag) *interlock.Finding {
	for _, f := range flags {
		if f.Severity == vet.Quarantine && (f.Pointer == "/name" || f.Pointer == "/id") {
			return &interlock.Finding{Pointer: at + f.Pointer, Reason: f.Sentence(), Dropped: true}
		}
	}
	return nil
}

// note adds a finding for each flag and gives the first that quarantines; nil
// where none does.
func (p *plan) note(at string, flags []vet.Flag) *vet.Flag {
	var worst *vet.Flag
	for _, f := range flags {
		p.findings = append(p.findings, interlock.Finding{Pointer: at + f.Pointer, Reason: f.Sentence()})
		if worst == nil && f.Severity == vet.Quarantine {
			worst = &f
		}
	}
	return worst
}

// keep notes a tool that is quarantined, and the rules that its definition breaks.
func (p *plan) keep(id string, flags []vet.Flag) {
	if len(p.kept) == interlock.MaxQuarantined {
		return
	}
	kept := interlock.Quarantined{Tool: vet.Spelled(clipped(id))}
	for _, f := range flags {
		if f.Severity == vet.Quarantine && !slices.Contains(kept.Rules, f.Rule) {
			kept.Rules = append(kept.Rules, f.Rule)
		}
	}
	p.kept = append(p.kept, kept)
}

// clipped bounds a name that a source made up.
func clipped(name string) string {
	if len(name) <= 256 {
		return name
	}
	return strings.ToValidUTF8(name[:256], "") + "…"
}

// quarantined gives the record of a tool whose definition is kept away. What
// was accepted of it stays; of a tool that is new there is a name and no more,
// and it takes no place in the family it claims. The definition waits, and
// nothing shows it.
func (p *plan) quarantined(id string, op interlock.Operation, f vet.Flag) (interlock.ToolRecord, error) {
	why := fmt.Sprintf("its definition is kept away: %s (%s)", f.Reason, f.Rule)
	had := p.before.Tool(id)
	if had != nil && had.State == interlock.StateQuarantined && (p.rejected(*had, op) || had.Why == why && reflect.DeepEqual(had.Waiting, &op)) {
		return *had, nil
	}
	var rec interlock.ToolRecord
	if had != nil && accepted(*had) {
		rec = moved(*had, *had)
	} else {
		rec = interlock.ToolRecord{ID: id, Source: p.cfg.Name, Tenant: p.tenant, Operation: interlock.Operation{Name: op.Name, ID: op.ID, Effect: op.Effect}}
		if err := describe(&rec, nil); err != nil {
			return rec, err
		}
		rec.Pin = ""
		if had != nil {
			rec.Past, rec.Reviewed, rec.Rejected = had.Past, had.Reviewed, had.Rejected
			rec = moved(*had, rec)
		}
	}
	rec.Changed, rec.State, rec.Why, rec.Waiting = p.next, interlock.StateQuarantined, why, &op
	return rec, nil
}

// accepted reports whether any definition of a tool has been accepted: one that
// was quarantined at first sight has no wording, so no pin.
func accepted(rec interlock.ToolRecord) bool { return rec.Pin != "" }

// held reports a state in which a tool's accepted definition is not what its
// source serves.
func held(s interlock.State) bool {
	return s == interlock.StateChanged || s == interlock.StateQuarantined
}

// resumed is a tool whose source serves the accepted call again under another
// wording: it can be called, and the wording waits.
func resumed(had, now interlock.ToolRecord) interlock.ToolRecord {
	waiting := now.Operation
	out := moved(had, had)
	out.Changed, out.State, out.Why, out.Waiting = now.Changed, now.State, "", &waiting
	return out
}

// compare flags what a definition looks like beside the other tools. That is
// for review alone.
func (p *plan) compare(id string, op interlock.Operation) []vet.Flag {
	if p.beside == nil {
		p.beside = vet.Among(p.cfg.Name, p.others())
	}
	return p.beside.Check(id, op, p.before.Tool(id) == nil)
}

// others are the tools of the other sources, those of this publication, and
// those of this source that it leaves out.
func (p *plan) others() []vet.Other {
	all := make([]vet.Other, 0, len(p.cat.Operations)+len(p.before.Tools))
	here := make(map[string][]int, len(p.cat.Operations))
	for i, op := range p.cat.Operations {
		id := p.idOf(op)
		here[id] = append(here[id], i)
		all = append(all, vet.Other{Tool: id, Source: p.cfg.Name, Operation: op})
	}
	for _, t := range p.before.Tools {
		own := t.Source == p.cfg.Name
		now, stays := here[t.ID]
		differs := func(i int) bool { return !reflect.DeepEqual(p.cat.Operations[i], t.Operation) }
		if own && stays && !slices.ContainsFunc(now, differs) {
			continue
		}
		all = append(all, vet.Other{Tool: t.ID, Source: t.Source, Operation: t.Operation, Gone: own})
	}
	return all
}

// clean leaves out overlays whose own text would quarantine a tool: what one
// source says of another's tool takes nothing from it.
func (p *plan) clean(overlays []interlock.Overlay) []interlock.Overlay {
	var out []interlock.Overlay
	for i, o := range overlays {
		said := interlock.Operation{Family: o.Family, Version: o.Version, Aliases: o.Aliases, Tags: o.Tags, Fields: o.Fields}
		bad := slices.DeleteFunc(vet.Check(said), func(f vet.Flag) bool { return f.Severity != vet.Quarantine })
		if len(bad) == 0 {
			out = append(out, o)
			continue
		}
		p.findings = append(p.findings, interlock.Finding{Pointer: fmt.Sprintf("/overlay/%d%s", i, bad[0].Pointer), Reason: bad[0].Sentence(), Dropped: true})
	}
	return out
}

func (p *plan) idOf(op interlock.Operation) string {
	return cmp.Or(op.ID, strings.Join([]string{p.cfg.Name, op.Name}, "/"))
}

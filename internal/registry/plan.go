package registry

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/parallel"
	"github.com/seed-ae386458/interlock/internal/version"
	"github.com/seed-ae386458/interlock/internal/vet"
)

// maxEarlier bounds the earlier definitions kept of one tool; an offer made for
// an older one is told as invalid instead of changed.
const maxEarlier = 64

// plan is one publication in the making. It does no I/O.
type plan struct {
	before    *State
	next      uint64 // the generation that the change will have
	cfg       interlock.SourceConfig
	cat       interlock.Catalogue
	manner    Manner
	tenant    string
	overlays  []interlock.Overlay // those of every source, this one's new ones included
	findings  []interlock.Finding
	kept      []interlock.Quarantined // definitions that are kept away
	seen      map[string]bool
	served    served          // of the other sources, and of what is accepted so far
	looks     map[string]look // what the last publication of the source found, by tool
	looked    map[string]look // and what this one does
	faultless *shown          // one for all that show nothing
	beside    *vet.Beside     // the other tools, prepared when they are first needed
}

func newPlan(before *State, cfg interlock.SourceConfig, cat interlock.Catalogue, manner Manner) *plan {
	p := &plan{before: before, next: before.Generation + 1, cfg: cfg, cat: cat, manner: manner, seen: map[string]bool{}}
	p.tenant = cmp.Or(cfg.Tenant, cat.Tenant, interlock.SharedTenant)
	p.findings = slices.Clone(cat.Findings)
	p.cat.Overlays = p.clean(cat.Overlays)
	p.overlays = append(before.overlays(cfg.Name), p.cat.Overlays...)
	p.served = served{standing: before.places(), without: func(t *interlock.ToolRecord) bool { return t.Source == cfg.Name }}
	p.looked, p.faultless = make(map[string]look, len(cat.Operations)), &shown{}
	return p
}

// run gives the change and what to report of it.
func (p *plan) run() (interlock.Change, interlock.AddReport) {
	var change interlock.Change
	report := interlock.AddReport{Source: p.cfg.Name, Kind: p.cfg.Kind, Operations: p.cat.Total, Lacking: p.cat.Lacking}
	for i, shown := range p.look() {
		rec, finding := p.tool(i, p.cat.Operations[i], shown)
		if finding != nil {
			p.findings = append(p.findings, *finding)
			continue
		}
		p.seen[rec.ID] = true
		report.Tools++
		if rec.Effect == interlock.EffectUnknown {
			report.Unstated++
		}
		if rec.Waiting != nil || rec.Unread {
			report.Waiting++
		}
		if had := p.before.Tool(rec.ID); had == nil || !reflect.DeepEqual(had, &rec) {
			change.PutTools = append(change.PutTools, rec)
		}
	}
	for _, t := range p.before.of(p.cfg.Name) {
		if !p.seen[t.ID] {
			change.DropTools = append(change.DropTools, t.ID)
		}
	}
	p.refuted(change.PutTools)
	report.Findings, report.Quarantined = p.findings, p.kept
	source := p.record()
	change.PutSources = []interlock.SourceRecord{source}
	if had := p.before.Source(p.cfg.Name); len(p.cat.Overlays) > 0 || had != nil && len(had.Overlays) > 0 {
		change.PutTools = append(change.PutTools, rederive(p.before, p.before.apply(change), p.cfg.Name)...)
	}
	return change, report
}

// spent refuses to exchange tools that work for none: a document of which every
// operation is bad is as unreadable as one that does not parse, and leaves the
// source as it was. Where definitions are kept away for what they say, what they
// replace goes with them.
func (p *plan) spent(r interlock.AddReport) error {
	if r.Tools > 0 || r.Operations == 0 || len(r.Quarantined) > 0 || len(p.before.of(p.cfg.Name)) == 0 {
		return nil
	}
	text := fmt.Sprintf("Of %s, none of %d operations can be used, so the source stays as it was.", p.cfg.Name, r.Operations)
	if i := slices.IndexFunc(r.Findings, func(f interlock.Finding) bool { return f.Dropped }); i >= 0 {
		text += fmt.Sprintf(" The first, at %s: %s.", r.Findings[i].Pointer, strings.TrimSuffix(r.Findings[i].Reason, "."))
	}
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest",
		Public: text + " Correct them and add it again, or take the source out."}
}

// empty reports whether a change leaves everything as it is.
func (p *plan) empty(c interlock.Change) bool {
	had := p.before.Source(p.cfg.Name)
	return len(c.PutTools)+len(c.DropTools) == 0 && had != nil && reflect.DeepEqual(*had, c.PutSources[0])
}

func (p *plan) record() interlock.SourceRecord {
	return interlock.SourceRecord{Config: p.cfg, Tenant: p.tenant, Identity: p.cat.Identity, Total: p.cat.Total,
		Findings: p.findings, Edges: p.cat.Edges, Overlays: p.cat.Overlays}
}

// tool turns one operation into a record, or into a finding that says why not.
func (p *plan) tool(i int, op interlock.Operation, seen look) (interlock.ToolRecord, *interlock.Finding) {
	at := fmt.Sprintf("/tools/%d", i)
	if len(p.cat.Places) == len(p.cat.Operations) {
		at = p.cat.Places[i]
	}
	id := p.idOf(op)
	p.looked[id] = seen
	if f := unnamed(at, seen.flags); f != nil {
		p.keep(id, seen.flags)
		return interlock.ToolRecord{}, f
	}
	if f := p.claim(at, id); f != nil {
		return interlock.ToolRecord{}, f
	}
	for _, f := range seen.schemas {
		f.Pointer = at + f.Pointer
		if f.Dropped {
			return interlock.ToolRecord{}, &f
		}
		p.findings = append(p.findings, f)
	}
	if f := p.barren(at, id, op); f != nil {
		if f.Dropped {
			return interlock.ToolRecord{}, f
		}
		p.findings = append(p.findings, *f)
	}
	for _, f := range seen.contradictions {
		f.Pointer = at + f.Pointer
		p.findings = append(p.findings, f)
	}
	rec, err := p.judged(at, id, op, seen.flags)
	if err != nil {
		return interlock.ToolRecord{}, &interlock.Finding{Pointer: at, Reason: err.Error(), Dropped: true}
	}
	return rec, nil
}

// look is what a definition shows by itself, whatever it stands beside.
type look struct {
	op *interlock.Operation // of the record, or of the catalogue it came with
	*shown
}

// shown is what is wrong with a definition; most share one that is empty.
type shown struct {
	flags          []vet.Flag
	schemas        []interlock.Finding // pointers start at the operation
	contradictions []interlock.Finding
}

// look gives what every definition shows, on all processors; of one that the
// last publication held as well, what it showed then.
func (p *plan) look() []look {
	const chunk = 16
	out := make([]look, len(p.cat.Operations))
	parallel.Each(len(out), chunk, func(from, to int) {
		for i := from; i < to; i++ {
			out[i] = p.lookAt(&p.cat.Operations[i])
		}
	})
	return out
}

func (p *plan) lookAt(op *interlock.Operation) look {
	id := p.idOf(*op)
	if l, ok := p.looks[id]; ok && reflect.DeepEqual(l.op, op) {
		return l
	}
	if had := p.before.Tool(id); had != nil && reflect.DeepEqual(&had.Operation, op) {
		op = &had.Operation // one copy is enough
	}
	s := shown{flags: vet.Check(*op), schemas: contract.Check(*op), contradictions: drift.Contradictions(*op)}
	if len(s.flags)+len(s.schemas)+len(s.contradictions) == 0 {
		return look{op, p.faultless}
	}
	return look{op, &s}
}

// lend points what was seen at the records that were made of it, so that the
// catalogue itself is let go.
func (p *plan) lend(now *State) {
	for id, l := range p.looked {
		if t := now.Tool(id); t != nil && l.op != &t.Operation && reflect.DeepEqual(&t.Operation, l.op) {
			l.op = &t.Operation
			p.looked[id] = l
		}
	}
}

// judged gives the record of an operation that can be a tool: quarantined for
// what it says, or the successor of what was there.
func (p *plan) judged(at, id string, op interlock.Operation, flags []vet.Flag) (interlock.ToolRecord, error) {
	if p.reviewed(id, op) {
		flags = nil // somebody has read it and let it stand
	}
	if bad := p.note(at, flags); bad != nil {
		p.keep(id, flags)
		return p.quarantined(id, op, *bad)
	}
	likeness := p.compare(id, op)
	p.note(at, likeness)
	rec, err := p.derive(id, op)
	if err != nil {
		return rec, err
	}
	had := p.before.Tool(id)
	switch why := p.unread(had, likeness); {
	case why != "" && !p.reviewed(id, op):
		return p.unreadOf(had, rec, why), nil
	case had != nil:
		rec = p.succeed(*had, rec)
	}
	rec = agree(rec, &p.served)
	p.served.add(&rec)
	return rec, nil
}

// claim refuses a whole name that is taken, by this source or another.
func (p *plan) claim(at, id string) *interlock.Finding {
	if p.seen[id] {
		return &interlock.Finding{Pointer: at, Reason: fmt.Sprintf("the name %q stands twice in this source; only the first counts", id), Dropped: true}
	}
	if had := p.before.Tool(id); had != nil && had.Source != p.cfg.Name {
		return &interlock.Finding{Pointer: at, Reason: fmt.Sprintf("the name %q belongs to a tool of another source", id), Dropped: true}
	}
	if of := spaceOf(id); of != p.cfg.Name && p.before.Source(of) != nil {
		return &interlock.Finding{Pointer: at, Reason: fmt.Sprintf("the name %q is one of the source %q; give the tool another, or leave it to that source", id, of), Dropped: true}
	}
	return nil
}

// derive computes a record from a definition alone.
func (p *plan) derive(id string, op interlock.Operation) (interlock.ToolRecord, error) {
	rec := interlock.ToolRecord{ID: id, Source: p.cfg.Name, Tenant: p.tenant, Operation: op, Changed: p.next}
	if err := describe(&rec, p.overlays); err != nil {
		return rec, err
	}
	var err error
	if len(op.Binding) > 0 {
		rec.Binding, err = contract.BindingFingerprint(p.cfg.Kind, op.Binding, p.cat.Identity)
	}
	return rec, err
}

// describe fills what follows from a record's operation and the overlays on it.
func describe(rec *interlock.ToolRecord, overlays []interlock.Overlay) error {
	op := Effective(rec.ID, rec.Operation, overlays)
	rec.Family = cmp.Or(op.Family, ownFamily(rec.Source, rec.ID))
	rec.Effect = op.Effect
	if rec.Effect == "" {
		rec.Effect = interlock.EffectUnknown
	}
	rec.State = op.State
	if rec.State == "" {
		rec.State = interlock.StateActive
	}
	rec.NoVersions = op.Version == ""
	rec.Version = cmp.Or(op.Version, "1.0.0")
	if _, err := version.Parse(rec.Version); err != nil {
		return fmt.Errorf("version %q: %w", rec.Version, err)
	}
	var err error
	if rec.Contract, err = contract.Hash(op); err != nil {
		return err
	}
	rec.Pin, err = contract.Pin(op)
	return err
}

// Effective is an operation with the meaning that overlays give it.
func Effective(id string, op interlock.Operation, overlays []interlock.Overlay) interlock.Operation {
	for _, o := range overlays {
		if o.Tool != id {
			continue
		}
		op.Family = cmp.Or(o.Family, op.Family)
		op.Version = cmp.Or(o.Version, op.Version)
		if o.Effect != "" {
			op.Effect = o.Effect
		}
		if o.State != "" {
			op.State = o.State
		}
		op.Aliases = append(slices.Clone(op.Aliases), o.Aliases...)
		op.Fields = append(slices.Clone(op.Fields), o.Fields...)
		if len(o.Tags) > 0 {
			tags := map[string]string{}
			for _, m := range []map[string]string{op.Tags, o.Tags} {
				for k, v := range m {
					tags[k] = v
				}
			}
			op.Tags = tags
		}
	}
	return op
}

// overlays gives those of every source but one.
func (s *State) overlays(but string) []interlock.Overlay {
	var out []interlock.Overlay
	for _, src := range s.Sources {
		if src.Config.Name != but {
			out = append(out, src.Overlays...)
		}
	}
	return out
}

// Overlays gives every overlay of the registry, in order of source.
func (s *State) Overlays() []interlock.Overlay { return s.overlays("") }

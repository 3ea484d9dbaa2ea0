package snapshot

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/policy"
)

// policed prepares a tool for policies, which read it when there are any.
func (t *Tool) policed() {
	t.masks, t.laws = &masks{}, &laws{}
}

// laws are a tool as policies read it, each part made when it is first asked for.
type laws struct {
	facts  atomic.Pointer[policy.Tool]
	fields atomic.Pointer[[]policy.Field] // every field, listed once
}

// Facts gives the tool as policies read it.
func (t *Tool) Facts() *policy.Tool {
	if had := t.laws.facts.Load(); had != nil {
		return had
	}
	whole := t.Whole()
	t.laws.facts.CompareAndSwap(nil, policy.NewTool(policy.Facts{ID: whole.ID, Tenant: whole.Tenant, Source: whole.Source, Family: whole.Family,
		Version: whole.Version.String(), Effect: whole.Effect, State: whole.State, Tags: whole.Op.Tags}))
	return t.laws.facts.Load()
}

func (t *Tool) fields() []policy.Field {
	t = t.Whole()
	if had := t.laws.fields.Load(); had != nil {
		return *had
	}
	meaning := map[string]string{}
	for _, f := range t.Op.Fields {
		meaning[f.At] = f.SemanticID
	}
	var out []policy.Field
	for _, at := range contract.Fields(*t.Op) {
		out = append(out, policy.Field{Tool: t.Facts(), At: at, SemanticID: meaning[at]})
	}
	t.laws.fields.CompareAndSwap(nil, &out)
	return *t.laws.fields.Load()
}

// named gives the places that policies name and the tool does not state.
func (t *Tool) named(set *policy.Set) (out []policy.Field) {
	for _, at := range set.Names(t.ID) {
		if !slices.ContainsFunc(t.fields(), func(f policy.Field) bool { return f.At == at }) {
			out = append(out, policy.Field{Tool: t.Facts(), At: at})
		}
	}
	return out
}

// maxMasks bounds the masked forms that are kept of one tool.
const maxMasks = 64

// masks are the masked forms of a tool, each compiled once for all views that
// mask the same.
type masks struct {
	mu    sync.Mutex // guards forms
	forms map[string]*Tool
}

// without gives the tool without what is cut of it; nil where nothing is left
// that could be called, or shown.
func (t *Tool) without(c cut) *Tool {
	key := c.key()
	t.masks.mu.Lock()
	defer t.masks.mu.Unlock()
	if form, ok := t.masks.forms[key]; ok {
		return form
	}
	if t.masks.forms == nil || len(t.masks.forms) >= maxMasks {
		t.masks.forms = map[string]*Tool{}
	}
	form := t.narrowed(c)
	t.masks.forms[key] = form
	return form
}

func (t *Tool) narrowed(c cut) *Tool {
	m, err := contract.Mask(*t.Op, c.masked, c.bound()...)
	if err != nil || m.Unusable { // what cannot be masked is not shown at all
		return nil
	}
	rec := *t.ToolRecord
	rec.Operation, rec.Waiting, rec.Contract, rec.Pin = m.Op, nil, m.Hash, m.Pin
	form := &Tool{ToolRecord: &rec, Op: &rec.Operation, State: t.State, Why: t.Why, Version: t.Version, Contract: m.Contract, Handle: t.Handle,
		whole: t, withheld: m.Output || len(c.rows) > 0, rows: c.rows, binds: c.binds, cut: c.key(), laws: t.laws, naming: t.naming, said: new(atomic.Pointer[Said])}
	for _, p := range t.Past {
		if p.Contract == t.ToolRecord.Contract { // the same contract, under an earlier number
			p.Contract = m.Hash
		}
		if p.Op != nil {
			old, err := contract.Mask(*p.Op, c.masked, c.bound()...)
			if err != nil || old.Unusable {
				p.Op = nil // what cannot be masked proves nothing
			} else {
				p.Op, p.Contract = &old.Op, old.Hash
			}
		}
		form.Past = append(form.Past, p)
	}
	form.docs = docsOf(0, form)
	form.behaves(t.overlays)
	form.sum = form.sumOf()
	return form
}

// moved gives the forms for the tool in another standing, or at another place.
func (m *masks) moved(t *Tool) *masks {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := &masks{forms: make(map[string]*Tool, len(m.forms))}
	for key, f := range m.forms {
		if f != nil {
			now, rec := *f, *f.ToolRecord
			rec.Drift = t.Drift
			now.ToolRecord, now.Op = &rec, &rec.Operation
			now.whole, now.State, now.Why, now.laws = t, t.State, t.Why, t.laws
			now.sum = now.sumOf()
			f = &now
		}
		next.forms[key] = f
	}
	return next
}

// overlay indexes the masked tools of a view anew: their texts are others, the
// vectors of their wordings are not.
func overlay(tools []*Tool, at []*index.Segment, glosser interlock.Glosser) *index.Segment {
	var docs []index.Doc
	for i, t := range tools {
		rows := at[i].Rows(t.whole.place)
		for j, d := range t.docs {
			d.Tool = i
			if j < len(rows) {
				d.Row = rows[j]
			}
			docs = append(docs, d)
		}
	}
	return index.Build(len(tools), docs, glosser, func(i int) []string { return exactKeys(tools[i]) })
}

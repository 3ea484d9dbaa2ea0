package diff

import (
	"cmp"
	"slices"

	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// Comparer compares contracts under one set of options. It remembers proofs,
// so that what many contracts share is decided once; it is safe for concurrent
// use.
type Comparer struct {
	opts   Options
	prover Prover
	table  *table
}

// New makes a comparer.
func New(opts Options) *Comparer {
	opts = opts.withDefaults()
	return &Comparer{opts: opts, prover: &remembering{prover: opts.Prover}, table: newTable()}
}

// Compare compares two contracts. Its error is an *interlock.Error about a
// schema that cannot be read.
func Compare(old, new Side, opts Options) (Report, error) { return New(opts).Compare(old, new) }

// Compare compares two contracts.
func (c *Comparer) Compare(old, new Side) (Report, error) {
	out := outcome{strict: Identical, tool: Identical}
	for i := range old.Sections {
		was := &old.Sections[i]
		is := new.section(was.Name)
		if is == nil {
			continue // a rule over contracts says what that means
		}
		one, err := c.section(was, is)
		if err != nil {
			return Report{}, err
		}
		c.refused(was, is, &one)
		out.strict, out.tool = Worse(out.strict, one.strict), Worse(out.tool, one.tool)
		out.changes = append(out.changes, one.changes...)
	}
	c.promises(&old, &new, &out)
	return c.report(out, sameContract(&old, &new)), nil
}

func (s *Side) section(name string) *Section {
	for i := range s.Sections {
		if s.Sections[i].Name == name {
			return &s.Sections[i]
		}
	}
	return nil
}

// sameContract reports whether two contracts have one hash; with HTTP beside
// them, the changes alone tell.
func sameContract(old, new *Side) bool {
	if old.Web != nil || new.Web != nil {
		return true
	}
	a, errA := contract.Hash(old.Operation)
	b, errB := contract.Hash(new.Operation)
	return errA == nil && errB == nil && a == b
}

// promises applies the rules over whole contracts.
func (c *Comparer) promises(old, new *Side, out *outcome) {
	for _, r := range c.table.contract {
		for _, hit := range r.Contract(&old.Contract, &new.Contract) {
			out.add(c.promised(r, hit, old, new))
		}
	}
}

func (c *Comparer) promised(r *rule.Rule, hit rule.Hit, old, new *Side) Change {
	d := hit.Direction
	ch := Change{Rule: r.ID, Pointer: hit.Old, PointerNew: hit.New, Direction: d, Message: hit.What, Remedy: r.Remedy}
	if r.Subject != "web" && r.Subject != "contract" {
		ch.Pointer, ch.PointerNew = old.At+hit.Old, new.At+hit.New
	}
	v := r.Verdicts(d)
	ch.Strict, ch.Tool = v.Strict, v.Tool
	c.settle(&ch, r)
	return ch
}

// report orders the changes, worst first, and draws the verdict.
func (c *Comparer) report(out outcome, same bool) Report {
	slices.SortStableFunc(out.changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(weight(a), weight(b)), cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Rule, b.Rule))
	})
	r := Report{Verdict: out.tool, Strict: out.strict, Mode: c.opts.Mode, Changes: out.changes}
	if c.opts.Mode == Strict {
		r.Verdict = out.strict
	}
	if len(r.Changes) > 0 || !same {
		r.Verdict = Worse(r.Verdict, Full)
		r.Strict = Worse(r.Strict, Full)
	}
	for _, ch := range r.Changes {
		if !noted(ch) {
			r.Verdict = Worse(r.Verdict, Backward)
			r.Strict = Worse(r.Strict, Backward)
		}
	}
	if r.Changes == nil {
		r.Changes = []Change{}
	}
	r.Bump = bump(r)
	return r
}

// noted reports whether a change adds or takes nothing on either side.
func noted(c Change) bool { return c.Rule == "default-added" }

func weight(c Change) int {
	switch {
	case c.Breaking:
		return 0
	case c.Strict == UndecidedChange || c.Tool == UndecidedChange:
		return 1
	case c.Enforcement != "":
		return 2
	}
	return 3
}

func bump(r Report) Bump {
	switch {
	case !r.Verdict.Serves():
		return Major
	case r.Verdict == Backward:
		return Minor
	}
	return Patch
}

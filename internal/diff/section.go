package diff

import (
	"bytes"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
	"github.com/seed-ae386458/interlock/internal/inclusion"
)

// outcome is what was found out about one section.
type outcome struct {
	strict, tool Verdict
	changes      []Change
}

// section compares two schemas of one direction.
func (c *Comparer) section(old, new *Section) (outcome, error) {
	same := bytes.Equal(old.Schema, new.Schema) || sameMeaning(old.Schema, new.Schema)
	if same && !flagged(old.Schema) && !flagged(new.Schema) {
		return outcome{strict: Identical, tool: Identical}, nil
	}
	was, err := rule.Parse(old.Schema, schemaLimits())
	if err != nil {
		return outcome{}, invalid("the old "+old.Name, err)
	}
	is, err := rule.Parse(new.Schema, schemaLimits())
	if err != nil {
		return outcome{}, invalid("the new "+new.Name, err)
	}
	j := &judge{Comparer: c, old: old, new: new, same: same}
	if !same {
		err = j.prove()
	}
	if err != nil {
		return outcome{}, err
	}
	return j.rule(c.table.walk(was.Root(), is.Root(), old.Direction, old.Text)), nil
}

// flagged reports whether a schema holds a flag that is no keyword any more and
// says something all the same.
func flagged(schema []byte) bool { return bytes.Contains(schema, []byte(`"x-exclusiveM`)) }

// sameMeaning reports whether two schemas state the same, prose and order
// apart.
func sameMeaning(a, b []byte) bool {
	x, errX := contract.Hash(interlock.Operation{InputSchema: a})
	y, errY := contract.Hash(interlock.Operation{InputSchema: b})
	return errX == nil && errY == nil && x == y
}

// judge holds the proofs about one section.
type judge struct {
	*Comparer
	old, new     *Section
	strict, tool Answer // does the change keep old callers?
	reverse      Answer // would the step back keep new callers?
	same         bool   // both state the same, prose and order apart
	filled       bool   // tool mode holds because defaults are filled
	locals       int
	wholes       int
	beside       int // steps of the proofs that explain
}

// prove asks for the proofs of the whole section.
func (j *judge) prove() (err error) {
	small, big := j.order(j.old.Schema, j.new.Schema)
	if j.strict, err = j.prover.Prove(small, big, Nothing); err != nil {
		return invalid(j.new.Name, err)
	}
	if j.tool = j.strict; !j.strict.holds() {
		if j.tool, err = j.prover.Prove(small, big, j.enforce(0)); err != nil {
			return invalid(j.new.Name, err)
		}
		if !j.tool.holds() && j.old.Direction == rule.Input {
			j.fill(small)
		}
	}
	if j.strict.holds() {
		j.reverse, err = j.prover.Prove(big, small, Nothing)
	}
	if err != nil {
		return invalid(j.new.Name, err)
	}
	return nil
}

// fill tries the proof with defaults filled in.
func (j *judge) fill(small []byte) {
	eased := j.Comparer.filled(j.new.Schema)
	if eased == nil {
		return
	}
	if a, err := j.prover.Prove(small, eased, j.enforce(0)); err == nil && (a.holds() || j.tool.Verdict == inclusion.Undecided) {
		j.tool, j.filled = a, a.holds()
	}
}

// order gives the smaller and the larger schema of the section's direction.
func (j *judge) order(old, new []byte) (small, big []byte) {
	if j.old.Direction == rule.Output {
		return new, old
	}
	return old, new
}

// enforce is what tool mode enforces at a depth of the section.
func (j *judge) enforce(depth int) Enforce {
	switch {
	case j.old.Direction == rule.Output:
		return Projection
	case depth == 0 && !j.old.Nested:
		return Refusal
	}
	return Nothing
}

// rule turns what the rules saw into changes, and adds what the proof saw and
// no rule.
func (j *judge) rule(found []sighting) outcome {
	out := outcome{strict: Identical, tool: Identical}
	if !j.same {
		out = outcome{strict: verdictOf(j.strict, j.reverse), tool: verdictOf(j.tool, j.reverse)}
	}
	equal := j.same || j.strict.holds() && j.reverse.holds()
	for _, s := range found {
		proved := s.rule.Verdicts(s.pair.Direction).Strict == rule.Proof
		if equal && s.rule.Subject != "meaning" && !s.hit.Inert && (j.same || !proved || !j.vacuous(s)) {
			continue // another spelling of the same
		}
		out.add(j.change(s))
	}
	if out.changes = dedupe(out.changes); j.same {
		return out
	}
	j.unexplained(&out)
	j.inhabited(&out)
	return out
}

func (o *outcome) add(c Change) {
	if c.Strict == rule.Break {
		o.strict = Worse(o.strict, None)
	}
	if c.Tool == rule.Break {
		o.tool = Worse(o.tool, None)
	}
	if o.strict == Full {
		o.strict = Backward
	}
	if o.tool == Full {
		o.tool = Backward
	}
	o.changes = append(o.changes, c)
}

func verdictOf(keeps, reverse Answer) Verdict {
	switch keeps.Verdict {
	case inclusion.Subset:
		if reverse.Verdict == inclusion.Subset {
			return Full
		}
		return Backward
	case inclusion.NotSubset:
		return None
	}
	return Undecided
}

// unexplained adds the proof's own words where it fails and no rule breaks.
func (j *judge) unexplained(out *outcome) {
	strict, tool := false, false
	for _, c := range out.changes {
		strict = strict || c.Strict == rule.Break
		tool = tool || c.Tool == rule.Break
	}
	saved := false
	for _, c := range out.changes {
		saved = saved || c.Enforcement != ""
	}
	switch {
	case j.tool.Verdict == inclusion.NotSubset && !tool:
		out.changes = append(out.changes, j.proofChange(ruleNotIncluded, j.tool))
	case j.strict.Verdict == inclusion.NotSubset && !strict, j.strict.Verdict == inclusion.NotSubset && j.tool.holds() && !saved:
		out.changes = append(out.changes, j.proofChange(ruleNotIncluded, j.strict))
	case j.tool.Verdict == inclusion.Undecided:
		out.changes = append(out.changes, j.proofChange(ruleUndecided, j.tool))
	case j.strict.Verdict == inclusion.Undecided:
		out.changes = append(out.changes, j.proofChange(ruleUndecided, j.strict))
	}
}

// proofChange words what the proof found.
func (j *judge) proofChange(id string, a Answer) Change {
	r := j.table.byID[id]
	c := j.fresh(r, rule.Hit{What: "a value that was let through is not any more"}, j.old.Direction)
	if j.old.Direction == rule.Output {
		c.Message = "a value may come that was not promised"
	}
	c.Witness, c.Stopped = a.Witness, a.Stopped
	c.Strict, c.Tool = effective(j.strict), effective(j.tool)
	if id == ruleUndecided {
		c.Message = "the proof was stopped by " + a.Stopped
	}
	at := &c.PointerNew // the larger schema of an input is the new one
	side := j.new
	if j.old.Direction == rule.Output {
		at, side = &c.Pointer, j.old
	}
	*at = side.place(a.Pointer)
	j.settle(&c, r)
	return c
}

func effective(a Answer) rule.Verdict {
	switch a.Verdict {
	case inclusion.Subset:
		return rule.OK
	case inclusion.NotSubset:
		return rule.Break
	}
	return UndecidedChange
}

// inhabited refuses an output that nothing fits any more.
func (j *judge) inhabited(out *outcome) {
	if j.old.Direction != rule.Output || j.strict.Verdict == inclusion.NotSubset {
		return // a witness is a value that fits
	}
	a, err := j.prover.Prove(j.new.Schema, []byte("false"), Nothing)
	if err != nil || !a.holds() {
		return
	}
	if was, err := j.prover.Prove(j.old.Schema, []byte("false"), Nothing); err == nil && was.holds() {
		return
	}
	r := j.table.byID[ruleUninhabited]
	c := j.fresh(r, rule.Hit{What: "no value fits the new output"}, rule.Output)
	c.Strict, c.Tool = rule.Break, rule.Break
	j.settle(&c, r)
	out.add(c)
	out.strict, out.tool = None, None
}

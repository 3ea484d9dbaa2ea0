package diff

import "github.com/seed-ae386458/interlock/internal/diff/rule"

// Gone reports an operation that only the old side has.
func (c *Comparer) Gone(pointer string) Report {
	return c.single(ruleOperationRemoved, rule.Hit{Old: pointer, What: "it was removed", Direction: rule.Promises})
}

// Come reports an operation that only the new side has.
func (c *Comparer) Come(pointer string) Report {
	return c.single(ruleOperationAdded, rule.Hit{New: pointer, What: "it was added", Direction: rule.Promises})
}

// Unread reports an operation that could be read once, and why it cannot now.
func (c *Comparer) Unread(old, new, why string) Report {
	return c.single(ruleOperationUnread, rule.Hit{Old: old, New: new, What: "it cannot be read: " + why, Direction: rule.Promises})
}

// single is a report of one rule over whole contracts.
func (c *Comparer) single(id string, hit rule.Hit) Report {
	out := outcome{strict: Full, tool: Full}
	out.add(c.promised(c.table.byID[id], hit, &Side{}, &Side{}))
	return c.report(out, true)
}

// Unknown reports an operation that cannot be read on either side.
func (c *Comparer) Unknown(old, new, why string) Report {
	r := c.table.byID[ruleUndecided]
	ch := Change{Rule: r.ID, Pointer: old, PointerNew: new, Direction: rule.Promises, Strict: UndecidedChange, Tool: UndecidedChange,
		Message: "it was changed, and the two cannot be compared: " + why, Stopped: why, Remedy: r.Remedy}
	c.settle(&ch, r)
	return c.report(outcome{strict: Undecided, tool: Undecided, changes: []Change{ch}}, true)
}

// Readable reports whether every schema of a side can be compared at all.
func (c *Comparer) Readable(s Side) bool {
	for i := range s.Sections {
		if _, err := c.prover.Prove(s.Sections[i].Schema, []byte("true"), Nothing); err != nil {
			return false
		}
	}
	return true
}

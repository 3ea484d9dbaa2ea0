package diff

import (
	"slices"

	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

// refused adds the arguments that the old contract declares and the new one
// does not: whatever the schemas let through, a call with one is refused,
// because undeclared arguments are.
func (c *Comparer) refused(old, new *Section, out *outcome) {
	if old.Direction != rule.Input || old.Nested || c.opts.Mode != Tool {
		return
	}
	for _, name := range contract.Undeclared(old.Schema, new.Schema) {
		at := old.place("/properties/" + name)
		known := slices.ContainsFunc(out.changes, func(ch Change) bool { return ch.Pointer == at && ch.Tool == rule.Break })
		if known {
			continue
		}
		out.add(Change{Rule: "property-removed", Pointer: at, PointerNew: new.place(""), Section: old.Name, Direction: rule.Input,
			Strict: rule.OK, Tool: rule.Break, Breaking: true, Message: "the argument " + name + " is no longer declared",
			Harm:   "A call that sends it is refused, because undeclared arguments are.",
			Remedy: "Keep it, marked deprecated, until its callers have moved."})
	}
}

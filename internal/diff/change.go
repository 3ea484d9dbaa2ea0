package diff

import (
	"strings"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
	"github.com/seed-ae386458/interlock/internal/inclusion"
)

// maxLocals bounds the proofs about single places of one section.
const maxLocals = 100

// change turns one sighting into a change with its verdicts.
func (j *judge) change(s sighting) Change {
	d := s.pair.Direction
	c := j.fresh(s.rule, s.hit, d)
	verdicts := s.rule.Verdicts(d)
	c.Strict, c.Tool = j.verdict(verdicts.Strict, j.strict), j.verdict(verdicts.Tool, j.tool)
	if verdicts.Strict == rule.Proof && c.Strict == rule.Break || verdicts.Tool == rule.Proof && c.Tool == rule.Break {
		j.local(&c, s, verdicts)
	}
	if verdicts.Tool == rule.Proof && s.rule.Enforcement(d) == rule.DefaultFilled && (j.filled || j.fillsAt(s)) {
		c.Tool = rule.OK
	}
	j.settle(&c, s.rule)
	return c
}

// verdict resolves one column against the proof of the whole section.
func (j *judge) verdict(v rule.Verdict, a Answer) rule.Verdict {
	if v == rule.Proof {
		return effective(a)
	}
	return v
}

// local looks at the place alone: a change that keeps every value of its own
// place does not break, whatever breaks elsewhere.
func (j *judge) local(c *Change, s sighting, v rule.Modes) {
	if s.pair.Depth == 0 {
		j.apply(c, v, j.strict, j.tool)
		return
	}
	if j.locals++; j.locals > maxLocals {
		return
	}
	was, one := s.pair.Old.Alone()
	is, two := s.pair.New.Alone()
	if !one || !two {
		return
	}
	small, big := was, is
	enforce := Nothing
	if s.pair.Direction == rule.Output {
		small, big = is, was
	}
	if j.old.Direction == rule.Output && s.pair.Direction == rule.Output {
		enforce = Projection
	}
	strict, err := j.prover.Prove(small, big, Nothing)
	if err != nil {
		return
	}
	tool := strict
	if enforce != Nothing && !strict.holds() {
		if tool, err = j.prover.Prove(small, big, enforce); err != nil {
			return
		}
	}
	j.apply(c, v, strict, tool)
}

// apply takes the answers about a place into its change.
func (j *judge) apply(c *Change, v rule.Modes, strict, tool Answer) {
	if v.Strict == rule.Proof && strict.holds() {
		c.Strict = rule.OK
	}
	if v.Tool == rule.Proof && tool.holds() {
		c.Tool = rule.OK
	}
	if c.Tool == rule.Break && tool.Verdict == inclusion.NotSubset {
		c.Witness = tool.Witness
	} else if c.Strict == rule.Break && strict.Verdict == inclusion.NotSubset {
		c.Witness = strict.Witness
	}
}

// fillsAt reports whether filling defaults in keeps the place's own values.
func (j *judge) fillsAt(s sighting) bool {
	if s.pair.Depth == 0 || j.old.Direction != rule.Input || s.pair.Direction != rule.Input {
		return false
	}
	was, one := s.pair.Old.Alone()
	is, two := s.pair.New.Alone()
	if !one || !two {
		return false
	}
	eased := j.comparer.filled(is)
	if eased == nil {
		return false
	}
	a, err := j.prover.Prove(was, eased, Nothing)
	return err == nil && a.holds()
}

// fresh makes a change of a rule and a hit, its verdicts still open.
func (j *judge) fresh(r *rule.Rule, hit rule.Hit, d rule.Direction) Change {
	return Change{Rule: r.ID, Pointer: j.old.place(hit.Old), PointerNew: j.new.place(hit.New), Section: j.old.Name,
		Direction: d, Message: hit.What, Renamed: hit.Renamed, Remedy: r.Remedy}
}

// settle fills what follows from the verdicts.
func (c *comparer) settle(ch *Change, r *rule.Rule) {
	if ch.Strict != rule.OK && ch.Tool == rule.OK {
		ch.Enforcement = r.Enforcement(ch.Direction)
	}
	verdict := ch.Tool
	if c.opts.Mode == Strict {
		verdict = ch.Strict
	}
	ch.Breaking = verdict == rule.Break
	if ch.Strict == rule.OK && ch.Tool == rule.OK {
		ch.Remedy = ""
	} else {
		ch.Harm = r.Harm(ch.Direction)
	}
	ch.Message = capital(ch.Message)
}

func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// dedupe keeps the first of changes that say the same at the same place.
func dedupe(changes []Change) []Change {
	type key struct{ rule, old, new, what string }
	seen := map[key]bool{}
	out := changes[:0]
	for _, c := range changes {
		k := key{c.Rule, c.Pointer, c.PointerNew, c.Message}
		if !seen[k] {
			seen[k] = true
			out = append(out, c)
		}
	}
	return out
}

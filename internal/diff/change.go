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
	if s.hit.Inert {
		verdicts = firm(verdicts)
		c.Message += ", where no value feels it: what is enforced is not what the schema says"
	}
	c.Strict, c.Tool = j.verdict(verdicts.Strict, j.strict), j.verdict(verdicts.Tool, j.tool)
	if verdicts.Strict == rule.Proof && c.Strict == rule.OK && !s.hit.Inert && j.vacuous(s) {
		verdicts = firm(verdicts)
		c.Strict, c.Tool = rule.Break, rule.Break
		c.Message += ", where nothing fits at all: the proof says nothing about it"
	}
	if verdicts.Strict == rule.Proof && c.Strict == rule.Break || verdicts.Tool == rule.Proof && c.Tool == rule.Break {
		j.local(&c, s, verdicts)
	}
	if verdicts.Tool == rule.Proof && s.rule.Enforcement(d) == rule.DefaultFilled && (j.filled || j.fillsAt(s)) {
		c.Tool = rule.OK
	}
	if c.Strict == rule.Break && c.Tool == rule.OK && s.rule.Enforcement(d) == "" && verdicts.Tool == rule.Proof {
		c.Tool = rule.Break // nothing that is enforced makes this kind of change safe
	}
	j.settle(&c, s.rule)
	return c
}

// firm makes of what a proof would decide a break: no proof sees it.
func firm(v rule.Modes) rule.Modes {
	if v.Strict == rule.Proof {
		v.Strict = rule.Break
	}
	if v.Tool == rule.Proof {
		v.Tool = rule.Break
	}
	return v
}

// verdict resolves one column against the proof of the whole section.
func (j *judge) verdict(v rule.Verdict, a Answer) rule.Verdict {
	if v == rule.Proof {
		return effective(a)
	}
	return v
}

// maxBeside bounds the steps of the proofs that explain one section: those
// about its places, beside those about the whole.
const maxBeside = 2 * inclusion.DefaultWork

// ask asks for a proof that explains, and counts what it took.
func (j *judge) ask(small, big []byte, enforce Enforce) (Answer, error) {
	a, err := j.prover.Prove(small, big, enforce)
	j.beside += a.Steps
	return a, err
}

// spent reports whether explaining has taken all that it may.
func (j *judge) spent() bool { return j.beside > maxBeside }

// local looks at the place alone: a change that keeps every value of its own
// place does not break, whatever breaks elsewhere.
func (j *judge) local(c *Change, s sighting, v rule.Modes) {
	if s.pair.Depth == 0 && s.hit.Focus.Whole() {
		j.apply(c, v, j.strict, j.tool)
		return
	}
	if j.locals++; j.locals > maxLocals || j.spent() {
		return
	}
	small, big, ok := s.texts()
	if !ok {
		return
	}
	strict, err := j.ask(small, big, Nothing)
	if err != nil {
		return
	}
	tool := strict
	if enforce := j.enforce(s.pair.Depth); enforce != Nothing && s.pair.Direction == j.old.Direction && !strict.holds() {
		if tool, err = j.ask(small, big, enforce); err != nil {
			return
		}
	}
	j.apply(c, v, strict, tool)
	j.truthful(c, s, big)
	j.whole(c, s)
}

// texts writes the two sides of the place alone, the smaller first.
func (s sighting) texts() (small, big []byte, ok bool) {
	write := (*rule.Schema).Alone
	if !s.hit.Focus.Whole() {
		write = func(side *rule.Schema) ([]byte, bool) { return side.Aspect(s.hit.Focus) }
	}
	was, one := write(s.pair.Old)
	is, two := write(s.pair.New)
	if s.pair.Direction == rule.Output {
		was, is = is, was
	}
	return was, is, one && two
}

// vacuous reports whether the smaller side of a place lets nothing through, so
// that its inclusion says nothing. What a contradiction was meant to let
// through nobody can know.
func (j *judge) vacuous(s sighting) bool {
	side := s.pair.Old
	if s.pair.Direction == rule.Output {
		side = s.pair.New
	}
	if j.locals++; j.locals > maxLocals || j.spent() {
		return false
	}
	text, ok := side.Alone()
	if !ok {
		return false
	}
	a, err := j.ask(text, []byte("false"), Nothing)
	return err == nil && a.holds()
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
	if j.old.Direction != rule.Input || s.pair.Direction != rule.Input || j.spent() {
		return false
	}
	was, is, ok := s.texts()
	if !ok {
		return false
	}
	eased := j.Comparer.filled(is)
	if eased == nil {
		return false
	}
	a, err := j.ask(was, eased, j.enforce(s.pair.Depth))
	return err == nil && a.holds()
}

// fresh makes a change of a rule and a hit, its verdicts still open.
func (j *judge) fresh(r *rule.Rule, hit rule.Hit, d rule.Direction) Change {
	return Change{Rule: r.ID, Pointer: j.old.place(hit.Old), PointerNew: j.new.place(hit.New), Section: j.old.Name,
		Direction: d, Message: hit.What, Renamed: hit.Renamed, Remedy: r.Remedy}
}

// settle fills what follows from the verdicts.
func (c *Comparer) settle(ch *Change, r *rule.Rule) {
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

package probe

import (
	"encoding/json"
	"fmt"

	"github.com/seed-ae386458/interlock/internal/drift"
)

// experiments lists what is asked, the cheapest and gravest first.
func experiments() []experiment {
	return []experiment{
		{"canaries", aptCanaries, canaries},
		{"example call", aptExample, example},
		{"negative control", aptStranger, negative},
		{"repeated read", needsBase, repeat},
		{"levels", aptLevels, levels},
		{"default", aptDefault, defaults},
		{"boundaries", aptBoundary, boundaries},
		{"filter", aptFilter, filters},
		{"order", aptOrder, order},
		{"prefix", aptPrefix, prefix},
		{"pages", aptPages, pages},
		{"range", aptRange, ranges},
		{"letter case", aptCase, letterCase},
		{"repeated write", aptRepeatedWrite, repeatedWrite},
		{"no credential", aptNobody, nobody},
	}
}

func aptExample(p *Prober) string {
	_, reason := p.tool.basis()
	return reason
}

// example makes one call inside the documentation; what others need to compare
// with comes of it.
func example(t *trial) {
	args, _ := t.p.tool.basis()
	if a, ok := t.ask(drift.ProbeWithin, args); ok && a.class == granted {
		t.p.base = &base{args, a}
	}
}

func needsBase(p *Prober) string {
	if p.base == nil {
		return "no call made of the documentation's examples succeeds"
	}
	return ""
}

func aptStranger(p *Prober) string {
	if p.tool.notFound == nil {
		return "the documentation promises no failure for what does not exist"
	}
	a := p.tool.naming()
	if a == nil {
		return "no argument names one thing of many"
	}
	if p.stranger(a) == nil {
		return "no well-formed value can be made of " + a.pointer + ": it has no example"
	}
	if _, reason := p.tool.others(a); reason != "" {
		return reason
	}
	return ""
}

// naming gives the argument that names what the call is about.
func (r *reading) naming() *argument {
	for _, required := range []bool{true, false} {
		for _, a := range r.args {
			if a.identifies() && a.required == required {
				return a
			}
		}
	}
	return nil
}

// others gives documented values of the required arguments apart from one.
func (r *reading) others(apart *argument) (arguments, string) {
	args := arguments{}
	for _, a := range r.args {
		if !a.required || a == apart {
			continue
		}
		if args[a.name] = r.value(a); args[a.name] == nil {
			return nil, "the documentation has nothing to draw " + a.pointer + " from"
		}
	}
	return args, ""
}

// negative asks three times for what does not exist.
func negative(t *trial) {
	a := t.p.tool.naming()
	rest, _ := t.p.tool.others(a)
	var documented, empty, content, substituted int
	const asked = 3
	for range asked {
		args := rest.with(a.name, t.p.stranger(a))
		if !t.p.tool.legal(args) {
			t.skip("no well-formed value can be made of " + a.pointer)
			return
		}
		x, ok := t.ask(drift.ProbeAbsent+":"+a.place(), args)
		switch {
		case !ok:
			return
		case x.is(*t.p.tool.notFound):
			documented++
		case x.class == granted && x.says: // an observer reads that by itself
		case x.class == granted && x.empty:
			empty++
		case x.class == granted:
			content++
		case a.format == "uuid" && x.otherwise(t.p.tool):
			substituted++
		}
	}
	due, at := "the documentation promises "+t.p.tool.notFound.When, "error:"+t.p.tool.notFound.When
	switch asked {
	case empty:
		t.breaks(drift.ErrorMaskedAsEmptySuccess, at, asked, fmt.Sprintf("%d of %d well-formed values that name nothing came back as a success with nothing in it; %s", empty, asked, due))
	case content:
		t.breaks(drift.PhantomSuccess, at, asked, fmt.Sprintf("%d of %d well-formed values that name nothing came back with content; %s", content, asked, due))
	case substituted:
		t.breaks(drift.ErrorCodeSubstituted, at, asked, fmt.Sprintf("%d of %d well-formed values that name nothing were refused under the code of another failure; %s", substituted, asked, due))
	case documented:
		for _, kind := range []drift.Kind{drift.ErrorMaskedAsEmptySuccess, drift.PhantomSuccess, drift.ErrorCodeSubstituted} {
			t.holds(kind, at, asked, "what does not exist is refused as documented")
		}
	}
}

// otherwise reports whether a refusal is that of another documented failure.
func (a answer) otherwise(r *reading) bool {
	for _, e := range r.errors {
		if a.is(e) {
			return true
		}
	}
	return false
}

// repeat asks the same three times more, at once.
func repeat(t *trial) {
	first := t.p.base.reply
	differ := 0
	const asked = 3
	for range asked {
		x, ok := t.ask(drift.ProbeRepeat, t.p.base.args)
		if !ok {
			return
		}
		if x.class != granted {
			return
		}
		if !t.p.tool.same(first, x) {
			differ++
		}
	}
	if !t.p.tool.promisesSameness() {
		return
	}
	if differ > 0 {
		t.breaks(drift.Nondeterminism, "output:", asked+1, fmt.Sprintf("%d of %d repetitions of one call, made at once, were answered otherwise; the documentation promises the same", differ, asked))
	} else {
		t.holds(drift.Nondeterminism, "output:", asked+1, "the same call is answered the same")
	}
}

func aptLevels(p *Prober) string {
	if reason := needsBase(p); reason != "" {
		return reason
	}
	for _, a := range p.tool.args {
		if len(p.tool.levels(a, 3)) > 1 && !a.identifies() {
			return ""
		}
	}
	return "no argument has two documented values that could be told apart"
}

// maxVaried is how many arguments are varied.
const maxVaried = 4

// levels varies one argument at a time.
func levels(t *trial) {
	r := t.p.tool
	varied := 0
	for _, a := range r.args {
		values := r.levels(a, 3)
		if len(values) < 2 || a.identifies() || varied == maxVaried {
			continue
		}
		varied++
		var seen []answer
		for _, v := range values {
			args := t.p.base.args.with(a.name, v)
			if !r.legal(args) {
				continue
			}
			x, ok := t.ask(drift.ProbeLevel+":"+a.place(), args)
			if !ok {
				return
			}
			if x.class == granted {
				seen = append(seen, x)
			}
		}
		if len(seen) == len(values) && r.limit() == a {
			t.bounded(a, values, seen)
		}
		if len(seen) == len(values) && a.format == "date-time" {
			t.zoned(a, values, seen)
		}
	}
}

// bounded judges how many items came against how many were asked for.
func (t *trial) bounded(a *argument, values []json.RawMessage, seen []answer) {
	var counts []int
	over, short := 0, 0
	for i, x := range seen {
		items, ok := t.p.tool.items(x)
		n := numberOf(values[i])
		if !ok || n == nil || !n.IsInt() {
			return
		}
		want := int(n.Num().Int64())
		counts = append(counts, len(items))
		if len(items) > want {
			over++
		}
		if all, known := total(x); known && len(items) < min(want, all) {
			short++
		}
	}
	same := true
	for _, n := range counts {
		same = same && n == counts[0]
	}
	switch {
	case same && over > 0:
		t.breaks(drift.ParamIgnored, a.pointer, len(seen), fmt.Sprintf("%d items came whatever %s said", counts[0], a.name))
	case over == 0 && short == 0:
		t.holds(drift.ParamIgnored, a.pointer, len(seen), "as many items came as were asked for, or fewer")
	}
}

func aptDefault(p *Prober) string {
	if reason := needsBase(p); reason != "" {
		return reason
	}
	if len(p.tool.preset()) == 0 {
		return "no optional argument has a documented default"
	}
	return ""
}

// preset lists the optional arguments with a documented default.
func (r *reading) preset() []*argument {
	var out []*argument
	for _, a := range r.args {
		if !a.required && len(a.preset) > 0 && string(a.preset) != "null" && r.fixed[a.name] == nil && !r.waits(a) {
			out = append(out, a)
		}
	}
	return out
}

// defaults holds an argument left out against its default written out, in turn,
// so that what changes in between shows as well.
func defaults(t *trial) {
	for i, a := range t.p.tool.preset() {
		if i == maxVaried {
			return
		}
		left, out := t.p.base.args.without(a.name), t.p.base.args.with(a.name, a.preset)
		var seen [4]answer
		for i, step := range []struct {
			why  string
			args arguments
		}{{drift.ProbeOmitted, left}, {drift.ProbeDefault, out}, {drift.ProbeOmitted, left}, {drift.ProbeDefault, out}} {
			if i == 2 && t.p.tool.same(seen[0], seen[1]) {
				break // nothing to be explained
			}
			x, ok := t.ask(step.why+":"+a.place(), step.args)
			if !ok {
				return
			}
			if seen[i] = x; x.class != granted {
				return
			}
		}
		same := t.p.tool.same
		switch {
		case same(seen[0], seen[1]):
			t.holds(drift.DefaultChanged, a.pointer, 2, "left out and written out give the same answer")
		case same(seen[0], seen[2]) && same(seen[1], seen[3]):
			t.breaks(drift.DefaultChanged, a.pointer, 4, "left out it gives another answer, twice, than with the documented default written out")
		}
	}
}

func aptBoundary(p *Prober) string {
	if len(p.tool.invalid) == 0 {
		return "the documentation promises no failure for invalid arguments"
	}
	for _, a := range p.tool.args {
		if len(a.outsiders()) == 0 {
			continue
		}
		if _, reason := p.tool.others(a); reason != "" {
			return reason
		}
		return ""
	}
	return "no argument has a documented bound, list or format to be outside of"
}

// boundaries asks just outside of what is documented. What gives is tried with
// three values in all.
func boundaries(t *trial) {
	r := t.p.tool
	for _, a := range r.args {
		rest, reason := r.others(a)
		if reason != "" {
			continue
		}
		for _, side := range a.outsiders() {
			taken := 0
			for _, o := range side {
				args := rest.with(a.name, o.value)
				if r.legal(args) {
					continue // it is inside after all
				}
				x, ok := t.ask(drift.ProbeOutside+":"+a.place(), args)
				if !ok {
					return
				}
				if x.class != granted || x.says {
					break
				}
				taken++
			}
			if taken == len(side) {
				t.breaks(drift.ValidationRelaxed, a.pointer, taken, fmt.Sprintf("%d of %d values %s are taken", taken, taken, side[0].why))
			} else if taken == 0 {
				t.holds(drift.ValidationRelaxed, a.pointer, 1, "a value "+side[0].why+" is refused")
			}
		}
	}
}

func aptCanaries(p *Prober) string {
	if len(p.tool.canaries) == 0 {
		return "the owner gave none"
	}
	return ""
}

// canaries makes the owner's calls and holds the answers against his words.
func canaries(t *trial) {
	for i, c := range t.p.tool.canaries {
		x, ok := t.ask(fmt.Sprintf("%s:%d", drift.ProbeCanary, i+1), membersOf(c.Args))
		if !ok {
			return
		}
		if t.judge(i+1, c, x) && c.Then != nil {
			t.readBack(i+1, c)
		}
	}
}

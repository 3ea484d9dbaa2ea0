package inclusion

import (
	"errors"
	"slices"

	"github.com/seed-ae386458/interlock/internal/contract"
)

// maxWitness bounds a witness that is shown and that the library confirms, in
// bytes. The library's time grows with the text, and a witness beyond this is
// one that has to hold thousands of elements or characters.
const maxWitness = 20_000

// maxCompiled bounds the two schemas that the library compiles to confirm a
// witness, in bytes: its time for more is longer than a decision may take. The
// same holds for maxChecked, the steps that the check takes here.
const (
	maxCompiled = 100_000
	maxChecked  = 50_000
)

// The parts of the work, by the search's own: reading both schemas, checking
// an answer, the last try where there is none, and naming the rules.
const (
	checkPart   = 8
	lastPart    = 4
	explainPart = 16
	bytesAStep  = 8
)

// pair is one question under decision: the smaller schema, then the larger.
type pair struct {
	opts   Options
	texts  [2][]byte // as the schema library is to read them
	values [2]*value
	nodes  [2]*node
	table  *table
	limit  int // the work allowed to the search
	work   int // what is left of it
	beside int // steps taken beside the search
}

// Decide tells whether every value that small accepts is accepted by big. The
// error is a *Fault: one of them is no schema, or refers to what is not there.
func Decide(small, big []byte, opts Options) (Result, error) {
	p := &pair{opts: opts, texts: [2][]byte{small, big}, limit: opts.Work}
	if p.limit <= 0 {
		p.limit = DefaultWork
	}
	p.work = p.limit
	r, err := p.decide()
	r.Steps = p.limit - p.work + p.beside
	return r, err
}

func (p *pair) decide() (Result, error) {
	if err := p.read(); err != nil {
		return Result{}, err
	}
	if p.table.identOf(p.values[0]) == p.table.identOf(p.values[1]) {
		return Result{Verdict: Subset}, nil
	}
	s := newSolver(&p.work)
	got := s.satisfy([]literal{{p.nodes[0], false}, {p.nodes[1], true}}, kAny)
	switch got.found {
	case yes:
		r, err := p.confirm(got.value)
		if err != nil || r.Verdict == NotSubset {
			return r, err
		}
		return p.lastTry(firstStop(s.doubt, r.Stopped))
	case no:
		return p.counterCheck()
	}
	return p.lastTry(got.stop)
}

// read reads both schemas into one table.
func (p *pair) read() error {
	draft, ok := draftNamed(p.opts.Draft)
	if !ok {
		return faultf("unknown-dialect", "", "%.60q is no dialect", p.opts.Draft)
	}
	t := newTable()
	p.table = t
	p.work -= (len(p.texts[0]) + len(p.texts[1])) / bytesAStep
	for i, text := range p.texts {
		v, fault := readValue(text)
		if fault != nil {
			return fault.on(i)
		}
		r := t.reader(v, draft)
		r.remotes = p.opts.Remotes
		if i == 1 && p.opts.Mode == ToolOutput {
			r.relax = relaxed(v)
			v.bindTo(r.relax)
		}
		n, fault := r.read()
		if fault != nil {
			return fault.on(i)
		}
		p.values[i], p.nodes[i] = v, n
		if len(r.relax)+len(r.hollow) > 0 {
			p.texts[i] = v.reworded(r.relax, r.hollow).append(nil)
		}
	}
	if p.opts.Mode == ToolInput {
		p.nodes[0] = declaredOnly(t, p.nodes[0])
	}
	return nil
}

// confirm shows a witness only when the schema library agrees on both sides.
func (p *pair) confirm(v *value) (Result, error) {
	checked, steps := p.check(v)
	if v.size() > maxWitness || len(p.texts[0])+len(p.texts[1]) > maxCompiled || steps > maxChecked {
		return p.confirmLarge(v, checked), nil
	}
	p.beside += 3 * (len(p.texts[0]) + len(p.texts[1]))
	text := v.append(nil)
	opts := contract.VerifierOptions{Draft: p.opts.Draft, Remotes: p.opts.Remotes}
	for i, schema := range p.texts {
		verifier, err := contract.NewVerifier(schema, opts)
		if err != nil {
			return p.unusable(err)
		}
		valid, err := verifier.Valid(text)
		if err != nil {
			return p.undecided(&Stop{Construct: "a witness that cannot be checked: " + err.Error()}), nil
		}
		if valid != (i == 0) {
			return p.undecided(p.stopIn()), nil
		}
	}
	return Result{Verdict: NotSubset, Witness: text, Rules: p.explain(v)}, nil
}

// check holds a witness against both schemas directly, without the search and
// without the library, and counts the steps.
func (p *pair) check(v *value) (bool, int) {
	work := p.limit / checkPart
	start := work
	e := newEvaluator(&work)
	ok := e.valid(p.nodes[0], v, nil) == yes && e.valid(p.nodes[1], v, nil) == no
	p.beside += start - work
	return ok, start - work
}

// confirmLarge is the answer for a witness that is large, or one of large
// schemas: the direct check stands for the library's.
func (p *pair) confirmLarge(v *value, checked bool) Result {
	if !checked {
		return p.undecided(&Stop{Construct: "a witness that is too large to check"})
	}
	r := Result{Verdict: NotSubset, WitnessOmitted: v.size() > maxWitness, Rules: p.explain(v)}
	if !r.WitnessOmitted {
		r.Witness = v.append(nil)
	}
	return r
}

// unusable is a schema that the library refuses although it was read here: a
// pattern that cannot be matched in linear time, or else a flaw.
func (p *pair) unusable(err error) (Result, error) {
	var flaw *contract.SchemaError
	if !errors.As(err, &flaw) {
		return Result{}, faultf("not-a-schema", "", "%v", err)
	}
	return p.undecided(&Stop{flaw.Pointer, "what the schema library refuses: " + flaw.Message}), nil
}

func (p *pair) undecided(stop *Stop) Result {
	if stop == nil {
		stop = outOfWork
	}
	return Result{Verdict: Undecided, Stopped: &Stop{stop.Pointer, stop.Construct}}
}

// stopIn names the construct for which a witness was not what it seemed.
func (p *pair) stopIn() *Stop {
	seen := map[*node]bool{}
	var walk func(n *node) *Stop
	walk = func(n *node) *Stop {
		if seen[n] {
			return nil
		}
		seen[n] = true
		if len(n.stops) > 0 {
			return &n.stops[0]
		}
		for _, sub := range slices.Concat(n.inPlace(), n.below()) {
			if stop := walk(sub); stop != nil {
				return stop
			}
		}
		return nil
	}
	for _, n := range p.nodes {
		if stop := walk(n); stop != nil {
			return stop
		}
	}
	return &Stop{Construct: "a witness that the schema library does not confirm"}
}

// sampleValues is how many values are drawn to check an answer.
const sampleValues = 40

// counterCheck holds a proof against values drawn from the smaller schema.
func (p *pair) counterCheck() (Result, error) {
	if v := p.sampled(sampleValues, p.limit/checkPart); v != nil {
		return p.undecided(&Stop{Construct: "a contradiction between proof and sample: " + string(v.append(nil)[:min(200, len(v.append(nil)))])}), nil
	}
	return Result{Verdict: Subset}, nil
}

// lastTry draws values where the search gave up: one of them may be a witness.
func (p *pair) lastTry(stop *Stop) (Result, error) {
	if v := p.sampled(8*sampleValues, p.limit/lastPart); v != nil {
		if r, err := p.confirm(v); err != nil || r.Verdict == NotSubset {
			return r, err
		}
	}
	return p.undecided(stop), nil
}

// sampled draws values that the smaller schema accepts and gives the first
// that the larger refuses.
func (p *pair) sampled(count, work int) *value {
	start := work
	defer func() { p.beside += start - work }()
	d := newDrawer(&work, p.nodes[0], p.nodes[1])
	for range count {
		v := d.draw(p.nodes[0], 0)
		if work <= 0 {
			return nil
		}
		if d.eval.valid(p.nodes[0], v, nil) == yes && d.eval.valid(p.nodes[1], v, nil) == no {
			return v
		}
	}
	return nil
}

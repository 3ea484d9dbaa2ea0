package inclusion

import (
	"errors"
	"slices"

	"github.com/seed-ae386458/interlock/internal/contract"
)

// maxWitness bounds a witness that is shown, in bytes.
const maxWitness = 20_000

// pair is one question under decision.
type pair struct {
	opts       Options
	draft      string
	texts      [2][]byte
	values     [2]*value
	nodes      [2]*node
	work       int
	remotes    func(string) ([]byte, bool)
	libraryBig []byte // the larger schema as the library is to read it
}

// Decide tells whether every value that small accepts is accepted by big. The
// error is a *Fault: one of them is no schema, or refers to what is not there.
func Decide(small, big []byte, opts Options) (Result, error) {
	p := &pair{opts: opts, texts: [2][]byte{small, big}, work: opts.Work}
	if p.work <= 0 {
		p.work = DefaultWork
	}
	if err := p.read(); err != nil {
		return Result{}, err
	}
	if p.values[0].key() == p.values[1].key() {
		return Result{Verdict: Subset}, nil
	}
	s := newSolver(&p.work)
	got := s.satisfy([]literal{{p.nodes[0], false}, {p.nodes[1], true}}, kAny)
	switch got.found {
	case yes:
		return p.confirm(got.value)
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
	p.libraryBig = p.texts[1]
	for i, text := range p.texts {
		v, err := readValue(text)
		if err != nil {
			return err.on(i)
		}
		var relax map[*value]bool
		if i == 1 && p.opts.Mode == ToolOutput {
			if relax = relaxed(v); len(relax) > 0 {
				p.libraryBig = v.without(relax).append(nil)
			}
		}
		n, err := t.read(v, draft, relax)
		if err != nil {
			return err.on(i)
		}
		p.values[i], p.nodes[i] = v, n
	}
	if p.opts.Mode == ToolInput {
		p.nodes[0] = declaredOnly(t, p.nodes[0])
	}
	return nil
}

// confirm shows a witness only when the schema library agrees on both sides.
func (p *pair) confirm(v *value) (Result, error) {
	text := v.append(nil)
	opts := contract.VerifierOptions{Draft: p.opts.Draft}
	for i, schema := range [2][]byte{p.texts[0], p.libraryBig} {
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
	r := Result{Verdict: NotSubset, Witness: text, Rules: p.explain(v)}
	if len(text) > maxWitness {
		r.Witness, r.WitnessOmitted = nil, true
	}
	return r, nil
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

// The values drawn to check an answer, and the work that may take.
const (
	sampleValues = 40
	sampleWork   = 8_000
)

// counterCheck holds a proof against values drawn from the smaller schema.
func (p *pair) counterCheck() (Result, error) {
	if v := p.sampled(sampleValues, sampleWork); v != nil {
		return p.undecided(&Stop{Construct: "a contradiction between proof and sample: " + string(v.append(nil)[:min(200, len(v.append(nil)))])}), nil
	}
	return Result{Verdict: Subset}, nil
}

// lastTry draws values where the search gave up: one of them may be a witness.
func (p *pair) lastTry(stop *Stop) (Result, error) {
	if v := p.sampled(8*sampleValues, 4*sampleWork); v != nil {
		return p.confirm(v)
	}
	return p.undecided(stop), nil
}

// sampled draws values that the smaller schema accepts and gives the first
// that the larger refuses.
func (p *pair) sampled(count, work int) *value {
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

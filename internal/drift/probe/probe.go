// Package probe asks a tool what its documentation says of it. From the
// documentation alone it makes a bounded sequence of requests whose answers
// tell documented and other behaviour apart, and concludes from them. It
// promises that the sequence is the same for the same seed and the same
// answers, that it stays inside its budget, that a kind is only ever called
// broken by as many distinct answers as that kind needs, and that everything
// that was not asked is named with its reason. It refuses to plan anything for
// a tool that may change the world and has no declared sandbox.
//
// It is pure: it sends nothing and reads no clock.
//
//	p := probe.New(stated, seed, budget)
//	for ask, ok := p.Next(); ok; ask, ok = p.Next() {
//		exchange := send(ask)
//		exchange.Shown = p.Learn(exchange)
//	}
//	skipped := p.NotProbed()
package probe

import (
	"encoding/json"
	"iter"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
)

// DefaultBudget is how many requests one tool is asked at most, unless told
// otherwise.
const DefaultBudget = 30

// Ask is one request to send. Args is one JSON object.
type Ask struct {
	Probe string // why: drift.ProbeAbsent and its kin, with the argument's place
	Args  json.RawMessage
	// Tool is another tool of the same source that is asked, by the source's own
	// name; empty: the one that is probed.
	Tool string
	// Anonymous asks without any credential.
	Anonymous bool
}

// Skipped is a probe that was not made, and why.
type Skipped struct {
	Probe  string `json:"probe"`
	Reason string `json:"reason"`
}

// Prober plans the probes of one tool. It is not safe for concurrent use: each
// request waits for the answer to the one before.
type Prober struct {
	tool    *reading
	chance  *stream
	budget  int
	sent    int
	queue   []experiment
	current *running
	asking  string // name of the experiment of the last request
	ready   *Ask   // the next request, made while the answer before it was learned
	answer  answer
	shown   []drift.Shown
	skipped []Skipped
	base    *base // what is known to work; nil until a call did
	// prefixed says that a shorter list was seen to be the start of a longer one.
	prefixed bool
	secret   bool // calls carry a credential
}

// base is a call that the tool answered with a success.
type base struct {
	args  arguments
	reply answer
}

// experiment is one group of requests with one question. Apt gives the reason
// for which the tool cannot be asked it; empty where it can.
type experiment struct {
	name string
	apt  func(p *Prober) string
	run  func(t *trial)
}

// running is an experiment under way.
type running struct {
	name string
	next func() (Ask, bool)
	stop func()
}

// New plans the probes of a tool. A budget of none or less is DefaultBudget.
func New(s drift.Stated, seed string, budget int) *Prober {
	if budget <= 0 {
		budget = DefaultBudget
	}
	p := &Prober{tool: readTool(s), chance: newStream(seed + "\x00" + s.Tool), budget: budget}
	if reason := p.tool.closed(); reason != "" {
		for _, e := range experiments() {
			p.skip(e.name, reason)
		}
		return p
	}
	p.queue = experiments()
	return p
}

// Credentialed says that calls to the tool carry a credential, so that leaving
// it out asks something.
func (p *Prober) Credentialed() { p.secret = true }

// Next gives the next request; false when there is none left to make.
func (p *Prober) Next() (Ask, bool) {
	for p.ready == nil {
		if p.current == nil && !p.begin() {
			return Ask{}, false
		}
		p.advance()
	}
	if p.sent >= p.budget {
		p.end("the budget is used up")
		return Ask{}, false
	}
	ask := *p.ready
	p.ready, p.asking = nil, p.current.name
	p.sent++
	return ask, true
}

// Asking names the probe that the last request belongs to.
func (p *Prober) Asking() string { return p.asking }

// Learn takes the answer to the request that Next gave last, and says what it
// showed.
func (p *Prober) Learn(x drift.Exchange) []drift.Shown {
	p.shown = nil
	p.answer = read(x)
	if p.current != nil {
		p.advance()
	}
	return p.shown
}

// Sent counts the requests that were given out.
func (p *Prober) Sent() int { return p.sent }

// NotProbed lists what was not asked, in the order of the plan. It is whole
// once Next has given false.
func (p *Prober) NotProbed() []Skipped { return p.skipped }

// Close ends what is under way.
func (p *Prober) Close() {
	if p.current != nil {
		p.current.stop()
		p.current = nil
	}
}

// begin starts the next experiment that the tool can be asked; false where
// none is left.
func (p *Prober) begin() bool {
	for len(p.queue) > 0 {
		e := p.queue[0]
		p.queue = p.queue[1:]
		if reason := e.apt(p); reason != "" {
			p.skip(e.name, reason)
			continue
		}
		next, stop := iter.Pull(func(yield func(Ask) bool) { e.run(&trial{p: p, yield: yield, name: e.name}) })
		p.current = &running{e.name, next, stop}
		return true
	}
	return false
}

// advance runs the experiment under way up to its next request.
func (p *Prober) advance() {
	ask, ok := p.current.next()
	if !ok {
		p.current.stop()
		p.current, p.ready = nil, nil
		return
	}
	p.ready = &ask
}

// Stop ends the session for a reason that everything left to ask shares.
func (p *Prober) Stop(reason string) { p.end(reason) }

// end names what is no longer asked.
func (p *Prober) end(spent string) {
	if p.current != nil {
		p.skip(p.current.name, spent)
	}
	p.Close()
	for _, e := range p.queue {
		if reason := e.apt(p); reason != "" {
			p.skip(e.name, reason)
		} else {
			p.skip(e.name, spent)
		}
	}
	p.queue, p.ready = nil, nil
}

func (p *Prober) skip(name, reason string) {
	p.skipped = append(p.skipped, Skipped{name, reason})
}

// trial is what an experiment speaks through.
type trial struct {
	p     *Prober
	yield func(Ask) bool
	name  string
	gone  bool // nobody asks any more
}

// maxRetries is how often a request is made again that was not the tool's to
// answer: rate limits, outages, proxies.
const maxRetries = 2

// once makes one request, and takes whatever comes of it. False means that
// nobody asks any more.
func (t *trial) once(ask Ask) (answer, bool) {
	if t.gone || !t.yield(ask) {
		t.gone = true
		return answer{}, false
	}
	return t.p.answer, true
}

// ask makes one request. False means that there is no answer to go by.
func (t *trial) ask(why string, args arguments) (answer, bool) {
	return t.reach(Ask{Probe: why, Args: t.p.tool.encode(args)})
}

// reach makes one request, again where it was not the tool's to answer.
func (t *trial) reach(ask Ask) (answer, bool) {
	for range 1 + maxRetries {
		a, ok := t.once(ask)
		if !ok {
			return answer{}, false
		}
		if a.class != unusable {
			return a, true
		}
	}
	t.skip("the source did not answer: rate limits, outages or refused credentials")
	return answer{}, false
}

func (t *trial) skip(reason string) {
	if !t.gone {
		t.p.skip(t.name, reason)
	}
}

// holds notes that what was asked is as documented.
func (t *trial) holds(kind drift.Kind, pointer string, trials int, says string) {
	t.show(drift.Shown{Kind: kind, Pointer: pointer, Holds: true, Says: says, Trials: trials})
}

// breaks notes that it is not.
func (t *trial) breaks(kind drift.Kind, pointer string, trials int, says string) {
	t.show(drift.Shown{Kind: kind, Pointer: pointer, Says: says, Trials: trials})
}

func (t *trial) show(s drift.Shown) {
	if t.gone {
		return
	}
	s.Confidence = confidence(s.Trials)
	t.p.shown = append(t.p.shown, s)
}

// confidence is how sure k answers of k make: were the tool as documented, each
// would be what it was in one case of ten at most.
func confidence(k int) float64 {
	miss := 1.0
	for range min(k, 6) {
		miss /= 10
	}
	return 1 - miss
}

// closed gives the reason for which the tool is not probed at all.
func (r *reading) closed() string {
	switch {
	case r.never:
		return "the tool's owner forbids probes"
	case r.effect != interlock.EffectRead && !r.sandbox:
		return "the tool may change the world and declares no sandbox or dry run"
	case r.unreadable != "":
		return r.unreadable
	}
	return ""
}

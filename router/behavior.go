package router

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
	"github.com/seed-ae386458/interlock/internal/parallel"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/receipt"
)

func newJudge(opts Options) *judge {
	j := &judge{store: opts.Store, policy: opts.Drift, opts: opts, ledger: drift.NewLedger(), ended: make(chan struct{}), unsaved: map[string][]byte{}}
	j.inbox.init()
	return j
}

// judge follows the log: what calls showed is folded into what is known of each
// tool, what is found is written to the log, and what policy says of it becomes
// the tool's standing in the registry. It works behind the calls; a call that
// waits for its receipt waits for nothing of this.
type judge struct {
	store  interlock.Store
	reg    *registry.Registry
	keeper *snapshot.Keeper
	log    *receipt.Log
	policy drift.Policy
	opts   Options

	ledger *drift.Ledger
	sample sampler

	inbox     inbox
	movements movements // of the registry; its hook's own
	runs      bool      // the goroutine was started
	ended     chan struct{}

	// What follows is the goroutine's own.
	unsaved map[string][]byte
	saved   time.Time
	dirty   bool     // entries were applied since the last save
	owed    []string // tools whose standing could not be recorded yet
}

// saveEvery is how often what is known is kept in the store: what a crash takes
// is read from the log again.
const saveEvery = 2 * time.Second

// openJudge restores what is known, reads what the log has beyond it, and
// begins to follow.
func (r *Router) openJudge(ctx context.Context) error {
	j := r.judge
	j.reg, j.keeper, j.log = r.reg, r.keeper, r.log
	j.inbox.note(j.movements.since(j.reg.State())) // at first every tool
	j.reg.OnChange(func(_ context.Context, state *registry.State) { j.inbox.note(j.movements.since(state)) })
	kept, err := r.opts.Store.Behavior(ctx)
	if err != nil {
		return err
	}
	for tool, state := range kept.Tools {
		if err := j.ledger.Restore(tool, state); err != nil {
			return fmt.Errorf("behaviour of %s: %w", tool, err)
		}
	}
	if err := j.catchUp(ctx, kept.Applied); err != nil {
		return err
	}
	if _, err := j.settle(ctx); err != nil { // acceptances ended while nobody was there to see it
		return err
	}
	j.inbox.nudge()
	j.runs = true
	go j.run()
	return nil
}

// catchUp applies the entries that what is kept does not cover. What they gave
// rise to, and a crash kept from the log, is written now.
func (j *judge) catchUp(ctx context.Context, from int64) error {
	for {
		entries, err := j.log.List(ctx, from, 1024)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			return j.write(ctx, j.ledger.Unlogged())
		}
		j.apply(entries)
		from = entries[len(entries)-1].Index + 1
	}
}

// apply folds entries and gives the records to write.
func (j *judge) apply(entries []interlock.LogEntry) []drift.Record {
	var fresh []drift.Record
	for _, e := range entries {
		var news []drift.Record
		err := parallel.Caught(func() (err error) { news, err = j.ledger.Apply(e); return err })
		if err != nil {
			j.opts.Logger.Error("an entry of the log says nothing of behaviour", "index", e.Index, "type", e.Type, "err", err)
			continue
		}
		fresh = append(fresh, news...)
	}
	return fresh
}

// write puts records into the log, and returns once they are there: a source of
// thousands of tools makes thousands, so they share their commits.
func (j *judge) write(ctx context.Context, fresh []drift.Record) error {
	if len(fresh) == 0 {
		return nil
	}
	for _, rec := range fresh {
		if _, err := j.log.Append(ctx, rec.Type, rec.Body, receipt.Behind); err != nil {
			return fmt.Errorf("write %s: %w", rec.Type, err)
		}
	}
	return j.log.Flush(ctx)
}

// run is the judge's own goroutine.
func (j *judge) run() {
	defer close(j.ended)
	var alarm *time.Timer
	defer func() {
		if alarm != nil {
			alarm.Stop()
		}
	}()
	ctx := context.Background()
	for {
		entries, moved, more := j.inbox.take()
		if !more {
			j.save(ctx)
			return
		}
		if err := j.follow(ctx, entries, moved); err != nil {
			j.opts.Logger.Error("what was found of behaviour is not in the log", "err", err)
			j.inbox.note(moved) // once more, with what moves next
		}
		next, err := j.settle(ctx)
		if err != nil {
			j.opts.Logger.Error("the standing of a tool could not be recorded", "err", err)
		}
		if alarm != nil {
			alarm.Stop()
		}
		if !next.IsZero() {
			alarm = time.AfterFunc(next.Sub(j.opts.Clock()), j.inbox.nudge)
		}
		if j.opts.Clock().Sub(j.saved) >= saveEvery {
			j.save(ctx)
		}
	}
}

// stretch is how many tools are documented, folded and kept at a time: a source
// of a hundred thousand would fill the memory with what the log has of it.
const stretch = 1024

// follow folds entries and writes what they and the definitions that moved bring
// about. What is written of one stretch of definitions is folded before the next.
func (j *judge) follow(ctx context.Context, entries []interlock.LogEntry, moved changes) error {
	fold := func() []drift.Record {
		j.dirty = j.dirty || len(entries) > 0
		return j.apply(entries)
	}
	for tools := range slices.Chunk(j.moved(moved), stretch) {
		fresh := append(fold(), j.documented(tools)...)
		if err := j.write(ctx, fresh); err != nil {
			return err
		}
		if entries = j.inbox.more(); len(tools) == stretch {
			j.save(ctx)
		}
	}
	return j.write(ctx, fold())
}

// settle makes what policy says of the tools that moved their standing, and of
// those whose acceptance has ended. It gives the moment at which the next one
// ends.
func (j *judge) settle(ctx context.Context) (next time.Time, err error) {
	now := j.opts.Clock()
	state := j.reg.State()
	look := append(j.owed, j.ledger.Moved()...)
	for _, t := range state.Lapsing() {
		if t.Drift.RejectedAt(now) {
			look = append(look, t.ID)
		} else if next.IsZero() || t.Drift.Until.Before(next) {
			next = t.Drift.Until
		}
	}
	var judged []registry.Judged
	var lost []string // the source was withdrawn and added again before the log said the first
	for _, name := range look {
		t := state.Tool(name)
		row, ok := j.ledger.Row(name, j.policy, now)
		if t != nil && !ok {
			lost = append(lost, name)
		}
		if t == nil || !ok {
			continue
		}
		standing := standingOf(row, j.policy)
		if standing != nil && !standing.Until.IsZero() && (next.IsZero() || standing.Until.Before(next)) {
			next = standing.Until
		}
		judged = append(judged, registry.Judged{Tool: t.ID, Contract: t.Contract, Binding: t.Binding, Standing: standing})
	}
	if len(lost) > 0 {
		j.inbox.note(changes{tools: named(lost)})
		j.inbox.nudge()
	}
	if err := j.reg.SetDrift(ctx, judged); err != nil {
		j.owed = look
		return now.Add(time.Second), err // once more, or a tool would be called that is rejected
	}
	j.owed = nil
	return next, nil
}

// standingOf reads a row as the registry keeps it; nil where nothing is known
// against the tool's behaviour. A definition that moved is for whoever reviews
// definitions: what is accepted is served meanwhile, or its state says why not.
func standingOf(row drift.Row, limit drift.Policy) *interlock.DriftStanding {
	var kinds, places []string
	switch {
	case row.Rejected():
		for _, k := range row.Kinds() {
			if !k.OfDefinition() {
				kinds = append(kinds, string(k))
			}
		}
		if len(kinds) == 0 && len(row.Divergences) > 0 {
			return nil
		}
	case row.Verdict == drift.DriftWithinPolicy:
		for _, d := range row.Divergences {
			kinds = append(kinds, string(d.Kind))
			if strings.HasPrefix(d.Pointer, "output:") {
				places = append(places, d.Pointer)
			}
		}
	case row.Verdict == drift.InsufficientEvidence && limit.RefuseInsufficient:
		return &interlock.DriftStanding{Rejected: true, Kinds: []string{interlock.InsufficientEvidence}}
	default:
		return nil
	}
	slices.Sort(kinds)
	slices.Sort(places)
	return &interlock.DriftStanding{Rejected: row.Rejected(), Kinds: slices.Compact(kinds), Places: slices.Compact(places), Until: row.Until()}
}

// save keeps what is known in the store.
func (j *judge) save(ctx context.Context) {
	if !j.dirty {
		return
	}
	applied := j.ledger.Applied()
	for tool, state := range j.ledger.Changed() {
		j.unsaved[tool] = state
	}
	if err := j.store.PutBehavior(ctx, interlock.BehaviorState{Applied: applied, Tools: j.unsaved}); err != nil {
		j.opts.Logger.Error("what is known of behaviour could not be kept; the log has it", "err", err)
		return
	}
	j.unsaved, j.saved, j.dirty = map[string][]byte{}, j.opts.Clock(), false
}

// close ends the judge once it has looked at everything.
func (j *judge) close() {
	j.inbox.close()
	if j.runs {
		<-j.ended
	}
}

// observe notes what a call that was sent showed of its tool, for its receipt;
// under load it leaves some out.
func (rec *record) observe(c recheck.Clearance, x drift.Exchange) {
	if x.Failure == nil && x.Probe == "" && !rec.router.judge.sample.takes(c.Tool().ID, rec.router.opts.Clock()) {
		return
	}
	doc := c.Tool().Whole().Documented()
	if doc == nil || x.Failure != nil && interlock.AsError(x.Failure).Outcome == interlock.OutcomeNotSent {
		return
	}
	x.Key = rec.router.tag
	o := doc.Observe(x)
	rec.known = o.Case
	text, err := interlock.Marshal(o)
	if err != nil {
		rec.router.opts.Logger.Error("what a call showed cannot be written", "tool", c.Tool().ID, "err", err)
		return
	}
	rec.seen = text
}

// documented says of a failure which one it is of those that the tool
// documents: in words, and as a row of its contract where the tool has no words
// of its own. What else the source answered stays unsaid.
func (rec *record) documented(status int, err error) error {
	if rec.known == "" || status == 0 {
		return err
	}
	e := *interlock.AsError(err)
	e.Public += fmt.Sprintf(" The tool documents this as %q.", rec.known)
	if row, failed := interlock.Marshal(interlock.ErrorCase{When: rec.known, Status: status}); failed == nil && len(e.Detail) == 0 {
		e.Detail = row
	}
	return &e
}

// tag names a text of a call for the log alone.
func (r *Router) tag(text []byte) string {
	return r.log.KeyedDigest(append([]byte("behavior "), text...))[:16]
}

// lived gives the kinds of drift of a tool that policy lives with.
func lived(t *snapshot.Tool) []string {
	if t.Drift == nil || t.Drift.Rejected {
		return nil
	}
	return t.Drift.Kinds
}

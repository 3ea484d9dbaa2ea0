package router

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/execute/project"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
	"github.com/seed-ae386458/interlock/internal/offer"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/vet"
	"github.com/seed-ae386458/interlock/receipt"
)

// openLog opens the log and closes the intents that a crash left open: nobody
// knows what came of those calls, and none is repeated.
func (r *Router) openLog(ctx context.Context) (err error) {
	opts := receipt.Options{Clock: r.opts.Clock, Rand: r.opts.Random, Logger: r.opts.Logger, Seen: r.opts.Seen, Follow: r.judge.inbox.put}
	if r.opts.Restored != "" {
		r.log, err = receipt.OpenRestored(ctx, r.opts.Store, r.opts.Keys, opts, r.opts.Restored)
	} else {
		r.log, err = receipt.Open(ctx, r.opts.Store, r.opts.Keys, opts)
	}
	if err != nil {
		return err
	}
	for _, left := range r.log.OpenIntents() {
		r.opts.Logger.Warn("a call was under way when the process ended; its outcome is unknown", "receipt", left.Receipt, "tool", left.Tool)
		if _, err := r.log.Abandon(ctx, left); err != nil {
			return err
		}
	}
	return nil
}

// record is the trace of one call, from its refusal or intent to its receipt.
type record struct {
	router  *Router
	blank   *receipt.Blank
	who     interlock.Principal
	req     interlock.CallRequest
	started time.Time
	seen    json.RawMessage // what the call showed of its tool
	known   string          // the documented failure that it showed
}

func (r *Router) record(who interlock.Principal, req interlock.CallRequest) (*record, error) {
	blank, err := r.log.Blank()
	if err != nil {
		return nil, fmt.Errorf("call: %w", err)
	}
	return &record{router: r, blank: blank, who: who, req: req, started: r.opts.Clock()}, nil
}

// written is how a record that must not be lost is kept: for a read with the
// operating system, for anything stronger on the disk.
func written(e interlock.Effect) receipt.Durability {
	if e.Enforced() == interlock.EffectRead {
		return receipt.Written
	}
	return receipt.Flushed
}

func target(c recheck.Clearance) receipt.Target {
	t := c.Tool()
	return receipt.Target{Tool: t.ID, Family: t.Family, Version: t.Version.String(), Source: t.Source,
		Contract: t.Whole().ToolRecord.Contract, Binding: t.Binding, Effect: t.Effect}
}

func asker(c recheck.Clearance) receipt.Asker {
	return receipt.Asker{Principal: c.Who().Name, Tenant: c.Who().Tenant, View: c.View(), Policies: c.Policies()}
}

// intend flushes the intent of a call that may change the world.
func (rec *record) intend(ctx context.Context, c recheck.Clearance) error {
	return rec.router.log.Intend(ctx, rec.blank, receipt.IntentBody{Asker: asker(c), Target: target(c), Approval: c.Approval()}, c.Args())
}

// refused notes a call that was refused before anything was sent, and gives the
// refusal.
func (rec *record) refused(ctx context.Context, err error) error {
	e := *interlock.AsError(err)
	if e.Stage == "" {
		e.Stage = "recheck"
	}
	e.Outcome = interlock.OutcomeNotSent
	frozen := snapshot.Take(rec.router.keeper, rec.who)
	body := receipt.RefusedBody{Asker: receipt.Asker{Principal: rec.who.Name, Tenant: rec.who.Tenant, View: frozen.View().Fingerprint, Policies: frozen.Policies()}, Reason: e.Reason, Stage: e.Stage,
		Pointer: clip(e.Pointer, 256), Approval: e.Approval}
	body.Target = rec.meant()
	if _, logged := rec.router.log.Refuse(ctx, rec.blank, body, rec.req.Args, receipt.Behind); logged != nil {
		rec.router.opts.Logger.Error("a refusal is not in the log", "reason", e.Reason, "err", logged)
	}
	return &e
}

// meant says which tool a refused call was for, whoever may see it: what the
// caller named, or what the offer that he brought is of. It is for the record,
// never for the answer.
func (rec *record) meant() receipt.Target {
	snap := rec.router.keeper.Current()
	named := receipt.Target{Tool: clip(rec.req.Tool, 256)}
	t := snap.Tool(rec.req.Tool)
	if claim, err := offer.Parse(rec.req.Offer); rec.req.Offer != "" {
		if err != nil {
			return named
		}
		t = snap.Handled(claim.Handle)
	}
	if t == nil {
		return named
	}
	return receipt.Target{Tool: t.ID, Family: t.Family, Version: t.Version.String(), Source: t.Source, Contract: t.ToolRecord.Contract, Binding: t.Binding, Effect: t.Effect}
}

// failed writes the receipt of a call that went wrong, and gives the failure.
// What never left is a refusal.
func (rec *record) failed(ctx context.Context, c recheck.Clearance, err error) error {
	e := interlock.AsError(err)
	ctx = context.WithoutCancel(ctx) // the caller may be gone; the record stays
	var logged error
	switch {
	case e.Reason == interlock.ReasonWithheld: // whatever its caller is told, an answer came
		_, logged = rec.seal(ctx, c, receipt.CallBody{Outcome: receipt.OutcomeWithheld, Reason: e.Reason, Stage: e.Stage}, nil)
	case e.Outcome == interlock.OutcomeNotSent:
		_, logged = rec.router.log.Refuse(ctx, rec.blank, receipt.RefusedBody{Asker: asker(c), Target: target(c), Reason: e.Reason,
			Stage: e.Stage, Approval: c.Approval()}, c.Args(), written(c.Tool().Effect))
	case e.Code == interlock.CodeIndeterminate:
		_, logged = rec.router.log.Indeterminate(ctx, rec.blank, receipt.IndeterminateBody{Asker: asker(c), Target: target(c),
			Reason: e.Reason, Approval: c.Approval()}, c.Args())
	default:
		_, logged = rec.seal(ctx, c, receipt.CallBody{Outcome: e.Outcome, Reason: e.Reason, Stage: e.Stage}, nil)
	}
	if logged != nil {
		rec.router.opts.Logger.Error("the receipt of a failed call is not in the log", "tool", c.Tool().ID, "err", logged)
		return errors.Join(rec.told(c, err), logged)
	}
	return rec.told(c, err)
}

// told gives what of a failure its caller may be told.
func (rec *record) told(c recheck.Clearance, err error) error {
	cfg, _ := rec.router.config(c.Tool().Source)
	return project.Failure(c, c.Cleans() || cfg.Results.Hidden == interlock.HiddenRemove, err)
}

// release writes the receipt, then gives the result. Without a receipt nothing
// is released.
func (rec *record) release(ctx context.Context, p project.Projected) (interlock.CallResult, error) {
	checked := p.Checked()
	c := checked.Sent().Clearance()
	rcpt, err := rec.seal(context.WithoutCancel(ctx), c, receipt.CallBody{Outcome: receipt.OutcomeOK, Validated: checked.How(), Rows: checked.Withheld()}, p.Result())
	if err != nil {
		return interlock.CallResult{}, unreceipted(c, err)
	}
	t, removed, places := c.Tool(), p.Removed(), 0
	if len(removed) > interlock.MaxRemoved {
		removed, places = removed[:interlock.MaxRemoved], len(removed)
	}
	return interlock.CallResult{Result: p.Result(), Content: p.Content(), Receipt: rcpt,
		Provenance: interlock.Provenance{Tool: t.ID, Family: t.Family, Version: t.Version.String(), Source: t.Source, Contract: t.ToolRecord.Contract,
			Validated: checked.How(), Warnings: warnings(checked.Warnings(), p.Result(), p.Content()), Projected: p.Dropped(), Drift: lived(t), Removed: removed, RemovedPlaces: places, Trust: "untrusted"}}, nil
}

// warnings adds what a result hides from whoever reads it; it is passed on
// unchanged.
func warnings(had []string, result, content []byte) []string {
	points := vet.Hidden(result, content)
	if points == "" {
		return had
	}
	return append(slices.Clone(had), "the result holds characters that nobody sees: "+points)
}

func (rec *record) seal(ctx context.Context, c recheck.Clearance, body receipt.CallBody, result []byte) (interlock.Receipt, error) {
	body.Asker, body.Target, body.Approval = asker(c), target(c), c.Approval()
	body.Observed, body.Insensitive = rec.seen, c.Blind()
	body.TookMicros = rec.router.opts.Clock().Sub(rec.started).Microseconds()
	return rec.router.log.Seal(ctx, rec.blank, body, c.Args(), result, written(c.Tool().Effect))
}

// probed writes the receipt of a probe. The error says that it is not written.
func (rec *record) probed(ctx context.Context, c recheck.Clearance, x drift.Exchange) error {
	ctx = context.WithoutCancel(ctx)
	if x.Failure != nil {
		_ = rec.failed(ctx, c, x.Failure) // the failure is what was looked for
		return nil
	}
	_, err := rec.seal(ctx, c, receipt.CallBody{Outcome: receipt.OutcomeOK, Validated: "off"}, x.Reply.Result)
	return err
}

// unreceipted is the failure of a call that went through and whose receipt
// cannot be written: its result stays here.
func unreceipted(c recheck.Clearance, err error) error {
	e := *interlock.AsError(err)
	e.Stage, e.Outcome = "receipt", interlock.OutcomeUnknown
	e.Public = fmt.Sprintf("%s was called and its receipt cannot be written, so its result is not released. %s", c.Tool().ID, e.Public)
	e.Err = err
	return &e
}

// clip bounds what a caller made up, at n bytes.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}

// noteResolve leaves an entry of an answer, written behind: a crash may cost
// the last second of those.
func (r *Router) noteResolve(ctx context.Context, who interlock.Principal, need []byte, res interlock.Resolution) error {
	body := receipt.ResolveBody{At: r.log.Now(), Asker: receipt.Asker{Principal: who.Name, Tenant: who.Tenant, View: res.Snapshot.View, Policies: r.policiesOf(who)},
		NeedDigest: r.log.KeyedDigest(need), Disposition: res.Disposition, Scorer: res.Scorer}
	for _, c := range res.Candidates {
		body.Offered = append(body.Offered, receipt.Offered{Tool: c.Tool, Version: c.Version})
	}
	if r.opts.Asked != nil && len(body.Offered) > 0 {
		r.opts.Asked(need)
	}
	for _, e := range res.Events {
		body.Shadowed = append(body.Shadowed, receipt.Shadowed{Family: e.Family, Compatible: e.Compatible.Tool, Incompatible: e.Incompatible.Tool})
		r.opts.Logger.Info("shadowed compatible match", "family", e.Family, "compatible", e.Compatible.Tool, "incompatible", e.Incompatible.Tool)
	}
	if _, err := r.log.Append(ctx, interlock.EntryResolve, body, receipt.Behind); err != nil && ctx.Err() == nil {
		r.opts.Logger.Error("an answer is not in the log", "err", err)
	}
	return nil
}

// noteRegistry leaves an entry of a change of the registry, and has the judge
// look at the definitions that came or went.
func (r *Router) noteRegistry(ctx context.Context, body receipt.RegistryBody) error {
	body.At, body.Generation = r.log.Now(), int64(r.reg.State().Generation)
	_, err := r.log.Append(context.WithoutCancel(ctx), interlock.EntryRegistry, body, receipt.Flushed)
	r.judge.inbox.nudge()
	if err != nil {
		return err
	}
	// A call of a tool that is not documented yet would go unseen. The first wait
	// is for the records of the definitions, the second for what these say; calls
	// that are observed meanwhile are not waited for. Whoever does not wait has
	// changed the registry all the same.
	if r.judge.inbox.caughtUp(ctx) == nil {
		_ = r.judge.inbox.caughtUp(ctx)
	}
	return nil
}

// LogList reads entries of the log from an index on.
func (r *Router) LogList(ctx context.Context, from int64, limit int) ([]interlock.LogEntry, error) {
	r.settleAccess()
	if err := r.log.Flush(ctx); err != nil {
		return nil, err
	}
	return r.log.List(ctx, from, limit)
}

// LogExport writes the whole log as one text.
func (r *Router) LogExport(ctx context.Context, w io.Writer) error {
	r.settleAccess()
	return r.log.Export(ctx, w)
}

// LogVerify checks the whole log and gives its number of entries.
func (r *Router) LogVerify(ctx context.Context) (int64, error) {
	r.settleAccess()
	report, err := r.LogCheck(ctx, receipt.Check{})
	return report.Size, err
}

// Package invoke sends cleared calls to their sources. It promises that nothing
// is sent without a recheck.Clearance, that a call which may change the world
// leaves a flushed intent before the send and is never repeated, and that what
// the source answers comes back unchanged. It refuses a clearance whose tool
// moved after the check.
//
//	sent, err := invoke.Do(ctx, sender, clearance, intend)
package invoke

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// Intend notes a call that may change the world; the note is on the disk when
// it returns.
type Intend func(ctx context.Context, c recheck.Clearance) error

// Sender holds what a send needs; every member is required.
type Sender struct {
	Pool *Pool
	// Config gives the current configuration of a source by name.
	Config func(name string) (interlock.SourceConfig, bool)
}

// Validate reports what is missing of a sender.
func (s Sender) Validate() error {
	if s.Pool == nil || s.Config == nil {
		return errors.New("invoke: pool and configuration are required")
	}
	return nil
}

// Sent is a call that went out, and its answer. The zero value is inert.
type Sent struct {
	clearance recheck.Clearance
	reply     interlock.Reply
	shown     *snapshot.Tool // the tool as the caller may see it since the answer came; nil: not at all
	cleans    bool           // hidden characters are taken out of the answer
}

// Valid reports whether Do made it.
func (s Sent) Valid() bool { return s.clearance.Valid() }

// Clearance gives what the call went by.
func (s Sent) Clearance() recheck.Clearance { return s.clearance }

// Reply gives the source's answer, unchanged.
func (s Sent) Reply() interlock.Reply { return s.reply }

// Shown gives the tool as the caller may see it since the answer came; nil where
// he may not see it any more.
func (s Sent) Shown() *snapshot.Tool { return s.shown }

// Cleans reports that hidden characters are taken out of the answer, because the
// operator asked for it.
func (s Sent) Cleans() bool { return s.cleans }

// Do sends a cleared call, after intend has noted one that may change the
// world. Sent carries the clearance also where the call failed, so that its
// receipt can be written.
func Do(ctx context.Context, s *Sender, c recheck.Clearance, intend Intend) (Sent, error) {
	sent := Sent{clearance: c}
	if !c.Valid() || intend == nil {
		return sent, errors.New("invoke: no clearance, or nothing to note an intent")
	}
	tool := c.Tool()
	cfg, ok := s.Config(tool.Source)
	if !ok {
		return sent, moved(tool.ID)
	}
	source, err := s.Pool.Source(cfg, c.Who().Name)
	if err != nil {
		return sent, fmt.Errorf("invoke %s: %w", tool.ID, notSent(err))
	}
	call, err := outbound(c)
	if err != nil {
		return sent, err
	}
	if err := ready(ctx, source, c, call); err != nil {
		return sent, err
	}
	if err := c.Spend(ctx); err != nil {
		return sent, err
	}
	if tool.Effect.Enforced() != interlock.EffectRead {
		if err := intend(ctx, c); err != nil {
			return sent, fmt.Errorf("invoke %s: intent: %w", tool.ID, notSent(err))
		}
	}
	pass := &gate{clearance: c}
	if err := pass.open(); err != nil {
		return sent, err
	}
	defer pass.leave()
	call.Dispatched = pass.through
	bound := time.AfterFunc(maxLease, pass.leave)
	defer bound.Stop()
	ctx, cancel := context.WithTimeout(ctx, call.Timeout)
	defer cancel()
	sent.reply, err = source.Call(ctx, call)
	if err != nil {
		return sent, told(ctx, tool.Effect, err)
	}
	sent.shown, sent.cleans = c.Shown(), c.Cleans() || cfg.Results.Hidden == interlock.HiddenRemove
	return sent, nil
}

// ready refuses a call that would use up an approval and could not be sent.
func ready(ctx context.Context, source interlock.Source, c recheck.Clearance, call interlock.Outbound) error {
	asked, ok := source.(interlock.Readier)
	if !ok || !c.Spends() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, call.Timeout)
	defer cancel()
	if err := asked.Ready(ctx, call); err != nil {
		return notSent(err)
	}
	return nil
}

func outbound(c recheck.Clearance) (interlock.Outbound, error) {
	op := c.Tool().Op
	timeout := interlock.DefaultTimeout
	if op.Timeout != "" {
		var err error
		if timeout, err = time.ParseDuration(op.Timeout); err != nil || timeout <= 0 {
			return interlock.Outbound{}, fmt.Errorf("invoke %s: timeout %q: %w", c.Tool().ID, op.Timeout, err)
		}
	}
	return interlock.Outbound{Operation: op.Name, Binding: op.Binding, Args: c.Args(), Effect: c.Tool().Effect,
		Timeout: timeout, MaxResult: interlock.DefaultMaxResult, Once: c.Why() != "", Anonymous: c.Anonymous(), Caller: c.Who().Name}, nil
}

// moved is the refusal of a call whose tool changed between check and send.
func moved(tool string) error {
	return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonFingerprintChanged, Stage: "recheck", Outcome: interlock.OutcomeNotSent,
		Public: fmt.Sprintf("%s changed in the instant before the send; nothing was sent. Resolve the need again.", tool)}
}

func notSent(err error) error {
	e := *interlock.AsError(err)
	e.Outcome = interlock.OutcomeNotSent
	if e.Stage == "" {
		e.Stage = "invoke"
	}
	return &e
}

// told makes a source's failure complete: a stage, an outcome, and for a call
// that may have changed the world the honest "nobody knows".
func told(ctx context.Context, effect interlock.Effect, err error) error {
	e := *interlock.AsError(err)
	if e.Stage == "" {
		e.Stage = "invoke"
	}
	if e.Outcome == "" {
		e.Outcome = interlock.OutcomeUnknown
	}
	if e.Outcome == interlock.OutcomeUnknown && effect.Enforced() != interlock.EffectRead && e.Code != interlock.CodeIndeterminate {
		e.Code, e.Reason = interlock.CodeIndeterminate, interlock.ReasonIndeterminate
		e.Public = "The call was sent and its outcome is unknown; it is not repeated. Find out at the source before calling again."
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) && e.Code == interlock.CodeInternal {
		e.Code, e.Reason, e.Public = interlock.CodeTimeout, interlock.ReasonTimeout, "No answer within the time allowed."
	}
	return &e
}

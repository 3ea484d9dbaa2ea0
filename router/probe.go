package router

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/drift/probe"
	"github.com/seed-ae386458/interlock/internal/execute/invoke"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
	"github.com/seed-ae386458/interlock/internal/parallel"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

// probing is how many tools are probed at a time; each waits for its own
// answers one by one.
const probing = 4

// Probe finds out how a tool, or each tool of a source, behaves: it sends
// requests that its documentation gives rise to, within a budget, and leaves
// what they showed in their receipts. It is for the operator and for who may
// administer. A tool that may not be probed has its row, with the reason.
func (r *Router) Probe(ctx context.Context, who interlock.Principal, req interlock.ProbeRequest) (interlock.ProbeReport, error) {
	if req.Budget < 0 || req.Budget > interlock.MaxProbeBudget {
		return interlock.ProbeReport{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "probe", Pointer: "/budget",
			Public: fmt.Sprintf("A budget lies between 1 and %d requests a tool.", interlock.MaxProbeBudget)}
	}
	tools := probed(snapshot.Take(r.keeper, who).View().Tools, req.What)
	if len(tools) == 0 {
		return interlock.ProbeReport{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "probe",
			Public: fmt.Sprintf("No source and no tool is named %q; list the tools.", clip(req.What, 100))}
	}
	if req.Seed == "" {
		var drawn [8]byte
		if _, err := io.ReadFull(r.opts.Random, drawn[:]); err != nil {
			return interlock.ProbeReport{}, fmt.Errorf("probe: draw a seed: %w", err)
		}
		req.Seed = hex.EncodeToString(drawn[:])
	}
	report := interlock.ProbeReport{Seed: req.Seed, Tools: make([]interlock.ProbedTool, len(tools))}
	var work parallel.Group
	slots := make(chan struct{}, probing)
	for i, t := range tools {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			report.Tools[i] = r.probe(ctx, who, t, req)
		})
	}
	work.Wait(nil)
	return report, ctx.Err()
}

// probed picks the tools of a source, or the one of a name, by name.
func probed(all []*snapshot.Tool, what string) []*snapshot.Tool {
	var out []*snapshot.Tool
	for _, t := range all {
		if t.Source == what || t.ID == what {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *snapshot.Tool) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// maxLost is how many requests in a row may come to nothing before a tool is
// left alone.
const maxLost = 5

// probe asks one tool, one request after the other.
func (r *Router) probe(ctx context.Context, who interlock.Principal, t *snapshot.Tool, req interlock.ProbeRequest) interlock.ProbedTool {
	row := interlock.ProbedTool{Tool: t.ID, NotProbed: []interlock.NotProbed{}}
	p := probe.New(t.Whole().Stated(), req.Seed, req.Budget)
	defer p.Close()
	if cfg, ok := r.config(t.Source); ok && len(cfg.Headers)+len(cfg.Credentials) > 0 && cfg.Kind != interlock.KindMCP {
		p.Credentialed()
	}
	lost := 0
	for ask, ok := p.Next(); ok; ask, ok = p.Next() {
		stopped := ""
		tool := t.ID
		if ask.Tool != "" {
			tool = t.Source + "/" + ask.Tool
		}
		x, err := r.ask(ctx, who, tool, ask, p)
		switch {
		case ctx.Err() != nil:
			stopped = "it was called off"
		case err != nil:
			stopped = interlock.AsError(err).Public
		case interlock.AsError(x.Failure) != nil && interlock.AsError(x.Failure).Outcome == interlock.OutcomeNotSent:
			if lost++; lost == maxLost {
				stopped = "the source cannot be reached"
			}
		default:
			row.Sent++
			if n := len(row.Probes); n == 0 || row.Probes[n-1].Probe != p.Asking() {
				row.Probes = append(row.Probes, interlock.Probed{Probe: p.Asking()})
			}
			row.Probes[len(row.Probes)-1].Sent++
			if lost++; x.Failure == nil || x.Reply.Status != 0 || interlock.AsError(x.Failure).Outcome == interlock.OutcomeFailed {
				lost = 0
			}
			if lost == maxLost {
				stopped = "the source does not answer"
			}
		}
		for _, s := range x.Shown {
			row.Checks = append(row.Checks, interlock.Check{Probe: p.Asking(), Kind: string(s.Kind), Pointer: s.Pointer, Holds: s.Holds, Says: s.Says})
		}
		if stopped != "" {
			p.Stop(stopped)
		}
	}
	for _, s := range p.NotProbed() {
		row.NotProbed = append(row.NotProbed, interlock.NotProbed{Probe: s.Probe, Reason: s.Reason})
	}
	return row
}

// ask takes one request the whole road: cleared, sent, learned from, recorded.
// The error is a refusal: nothing was sent, and nothing of this kind will be.
func (r *Router) ask(ctx context.Context, who interlock.Principal, tool string, ask probe.Ask, p *probe.Prober) (drift.Exchange, error) {
	rec, err := r.record(who, interlock.CallRequest{Tool: tool, Args: ask.Args})
	if err != nil {
		return drift.Exchange{}, err
	}
	clearance, err := recheck.Probe(ctx, &r.checker, who, recheck.Request{Tool: tool, Why: ask.Probe, Args: ask.Args, Anonymous: ask.Anonymous})
	if err != nil {
		return drift.Exchange{}, rec.refused(ctx, err)
	}
	began := r.opts.Clock()
	sent, err := invoke.Do(ctx, &r.sender, clearance, rec.intend)
	now := r.opts.Clock()
	x := drift.Exchange{Args: ask.Args, Reply: sent.Reply(), Failure: err, Took: now.Sub(began), At: now, Probe: ask.Probe}
	x.Shown = p.Learn(x)
	rec.observe(clearance, x)
	return x, rec.probed(ctx, clearance, x)
}

// Fingerprints names what is registered of each tool: its contract, wording and
// binding. A tool whose fingerprint is another one has another definition.
func (r *Router) Fingerprints() map[string]string {
	out := map[string]string{}
	for _, t := range r.reg.State().Tools {
		if t.State.Callable() {
			out[t.ID] = t.Contract + " " + t.Pin + " " + t.Binding
		}
	}
	return out
}

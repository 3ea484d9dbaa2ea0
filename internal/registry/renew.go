package registry

import (
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/version"
)

// maxPast bounds the retired versions kept of one tool.
const maxPast = 32

// renewed decides about another contract or another version of a known tool.
func (p *plan) renewed(had, now interlock.ToolRecord) interlock.ToolRecord {
	if had.Contract == now.Contract {
		return moved(had, retire(had, now))
	}
	report := p.contrast(had, now)
	switch {
	case now.NoVersions && had.NoVersions:
		after, err := following(had.Version, report.Bump)
		if err != nil {
			return p.drifted(had, now, fmt.Sprintf("no version follows %s: %v; accept it (`interlock review`)", had.Version, err))
		}
		now.Version = after
	case core(had.Version) == core(now.Version):
		return p.drifted(had, now, fmt.Sprintf("version %s was published again with another contract; accept it (`interlock review`), publish it under a new version, or restore the old contract", had.Version))
	case report.Verdict == diff.None && sameMajor(had.Version, now.Version):
		return p.drifted(had, now, fmt.Sprintf("version %s breaks callers of %s (%s) and is no new major; accept it (`interlock review`), or publish it under a new major", now.Version, had.Version, breaks(report)))
	}
	return moved(had, retire(had, now))
}

// contrast holds the accepted contract against the new one. What cannot be
// compared asks for a major step.
func (p *plan) contrast(had, now interlock.ToolRecord) diff.Report {
	old, new := Effective(had.ID, had.Operation, p.overlays), Effective(now.ID, now.Operation, p.overlays)
	report, err := diff.Compare(diff.Of(old), diff.Of(new), diff.Options{Mode: diff.Tool})
	if err != nil {
		return diff.Report{Verdict: diff.Undecided, Bump: diff.Major}
	}
	return report
}

// sameMajor reports whether two versions claim to serve the same callers. A step
// back claims it as much as a step on.
func sameMajor(before, after string) bool {
	a, errA := version.Parse(before)
	b, errB := version.Parse(after)
	return errA == nil && errB == nil && a.Major() == b.Major()
}

// breaks names the first change that breaks callers.
func breaks(r diff.Report) string {
	for _, c := range r.Breaking() {
		return c.Rule + " at " + c.Pointer
	}
	return "a proof says so"
}

// retire keeps what a counted version promised: it stays a base for the callers
// that were built against it. A source that states versions says itself which
// of them are retired.
func retire(had, now interlock.ToolRecord) interlock.ToolRecord {
	if !had.NoVersions || !now.NoVersions {
		return now
	}
	now.Past = slices.DeleteFunc(slices.Clone(had.Past), func(c interlock.Contracted) bool {
		return c.Version == now.Version || c.Version == had.Version
	})
	if had.Version != now.Version {
		now.Past = append(now.Past, interlock.Contracted{Version: had.Version, Contract: had.Contract, Stated: promised(had.Operation)})
	}
	now.Past = now.Past[max(0, len(now.Past)-maxPast):]
	return now
}

// promised is the part of an operation that its contract covers.
func promised(op interlock.Operation) *interlock.Operation {
	return &interlock.Operation{Name: op.Name, InputSchema: op.InputSchema, OutputSchema: op.OutputSchema, Errors: op.Errors, Fields: op.Fields,
		Scopes: op.Scopes, Idempotent: op.Idempotent, Effect: op.Effect}
}
